import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const source = fileURLToPath(new URL("../src", import.meta.url));

/** The folders of `src`, and what each may import besides itself and `errors.ts`. Why: CONTRIBUTING.md, "The map". */
const MAY_IMPORT: Record<string, readonly string[]> = {
  attributes: [],
  fingerprint: ["attributes"],
  labels: ["attributes", "fingerprint"],
  run: ["attributes", "fingerprint", "labels"],
  tool: ["attributes", "fingerprint", "labels", "run"],
  tracker: ["attributes", "labels", "run", "tool"],
  contracts: ["attributes", "fingerprint", "labels", "run", "tool"],
  claims: ["contracts", "fingerprint", "run", "tool"],
  adapters: [
    "attributes",
    "fingerprint",
    "labels",
    "run",
    "tool",
    "tracker",
    "contracts",
    "claims",
    "otlp-relay",
  ],
  policies: ["attributes", "labels"],
  verify: ["attributes", "fingerprint"],
  findings: ["attributes", "fingerprint", "verify"],
  testing: ["attributes", "findings", "fingerprint", "labels", "run", "tool", "verify"],
  "otlp-receiver": ["attributes", "verify"],
  "otlp-relay": ["attributes", "labels", "otlp-receiver", "verify"],
  cli: [
    "attributes",
    "claims",
    "contracts",
    "findings",
    "fingerprint",
    "policies",
    "otlp-receiver",
    "verify",
  ],
};

/** Folders that run on Node.js only; everything else has to run anywhere. */
const NODE_ONLY = ["policies", "otlp-receiver", "otlp-relay", "cli"];
/** Files that run on Node.js only, in folders that otherwise run anywhere. */
const NODE_FILES = ["fingerprint/sha256/node.ts"];

interface Import {
  readonly file: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);
const IMPORT =
  /^(?:import|export)\s(type\s)?[^;'"]*?from\s+"([^"]+)"|import\("([^"]+)"\)|^import\s+"([^"]+)"/gm;
const imports: Import[] = files.flatMap((file) =>
  [
    ...readFileSync(join(source, file), "utf8")
      .replace(/^\s*\*.*$/gm, "")
      .matchAll(IMPORT),
  ].map((found) => ({
    file,
    target: found[2] ?? found[3] ?? found[4] ?? "",
    typeOnly: found[1] !== undefined,
  })),
);
const folderOf = (file: string) => (file.includes("/") ? file.slice(0, file.indexOf("/")) : file);

describe("the layers of src", () => {
  it("are all in the table above", () => {
    const folders = new Set(files.filter((file) => file.includes("/")).map(folderOf));
    expect([...folders].filter((folder) => !(folder in MAY_IMPORT))).toEqual([]);
  });

  it("import only what is below them: a lower layer that knows a higher one cannot be read, tested or left out alone", () => {
    const wrong = imports
      .filter(({ target }) => target.startsWith("."))
      .map(({ file, target, typeOnly }) => {
        const to = relative(source, normalize(join(source, dirname(file), target)));
        return { file, to, from: folderOf(file), folder: folderOf(to), typeOnly };
      })
      .filter(
        ({ from, folder }) =>
          from !== "index.ts" &&
          folder !== from &&
          folder !== "errors.ts" &&
          !MAY_IMPORT[from]?.includes(folder),
      );
    expect(wrong).toEqual([]);
  });

  it("keep policies to the Binding type of labels, so that they never write on a span", () => {
    const wrong = imports.filter(
      ({ file, target, typeOnly }) =>
        folderOf(file) === "policies" && target.includes("/labels/") && !typeOnly,
    );
    expect(wrong).toEqual([]);
  });

  it("import node: only where the package needs Node.js, so that the rest runs at the edge and in browsers", () => {
    const wrong = imports.filter(
      ({ file, target }) =>
        target.startsWith("node:") &&
        !NODE_ONLY.includes(folderOf(file)) &&
        !NODE_FILES.includes(file) &&
        folderOf(file) !== "testing",
    );
    expect(wrong).toEqual([]);
  });

  it("import no framework and no OpenTelemetry SDK: what an application brings is its own", () => {
    const allowed =
      /^(?:\.|#sha256$|node:|@opentelemetry\/api$|fast-json-stable-stringify$|@noble\/hashes\/)/;
    const optional: Record<string, RegExp> = {
      policies: /^(?:@sigstore\/|yaml$)/,
      testing: /^(?:vitest$|@opentelemetry\/)/,
    };
    const wrong = imports.filter(
      ({ file, target }) => !allowed.test(target) && !optional[folderOf(file)]?.test(target),
    );
    expect(wrong).toEqual([]);
  });

  it("have no cycles", () => {
    const graph = new Map<string, string[]>();
    for (const { file, target, typeOnly } of imports) {
      if (!target.startsWith(".") || typeOnly) continue;
      const to = relative(source, normalize(join(source, dirname(file), target)));
      graph.set(file, [...(graph.get(file) ?? []), to]);
    }
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file))
        expect.fail(`a cycle: ${[...path.slice(path.indexOf(file)), file].join(" -> ")}`);
      if (done.has(file)) return;
      for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
      done.add(file);
    };
    for (const file of graph.keys()) visit(file, []);
    expect(done.size).toBeGreaterThan(20);
  });

  it("write on spans in one file only", () => {
    const writers = files.filter((file) =>
      /\.(?:setAttribute|setAttributes|addEvent)\(/.test(
        readFileSync(join(source, file), "utf8").replace(/^\s*\*.*$/gm, ""),
      ),
    );
    // `testing` injects faults and `doctor` probes a span of its own making.
    const others = writers.filter((file) => folderOf(file) !== "testing" && !file.startsWith("cli/doctor/"));
    expect(others).toEqual(["labels/write.ts"]);
  });
});
