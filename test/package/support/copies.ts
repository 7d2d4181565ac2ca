/** Applications that have two copies of a package installed, as a wrong lock file gives them. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { consumer, installed, root } from "./consumer.ts";

export const LABELS = "agent-reliability-otel-labels";
const SDK = [
  "core",
  "resources",
  "sdk-trace",
  "sdk-trace-base",
  "semantic-conventions",
  "context-async-hooks",
];

/** The version that the second copy of this package says it has. */
export const OTHER_VERSION = "0.0.7";

/** Which `@opentelemetry/api` is where: names of folders in this repository's `node_modules`. */
export interface ApiCopies {
  readonly application: string;
  /** Of the package `tools`, which has its own copy of this package; the application's unless given. */
  readonly tools?: string;
}

/** The programs to run in it, by file name. `tools` is a package that the application depends on, ES module and no more. */
export interface Application {
  readonly api: ApiCopies;
  /** Whether the package `tools` has its own copy of this package. */
  readonly twoLabels: boolean;
  readonly tools: string;
  readonly main: string;
}

/** Folders that are made: the same installation serves several programs. */
const made = new Set<string>();

/** @returns the application's folder, which has a `main.mjs` */
export function application({ api, twoLabels, tools, main }: Application): string {
  const name = `copies-${[api.application, api.tools, twoLabels].join("-").replaceAll(/\W+/g, "-")}`;
  const folder = consumer(name);
  const file = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const copy = (source: string, path: string) =>
    cpSync(source, join(folder, path), { recursive: true, dereference: true });
  if (made.has(folder)) {
    file("node_modules/tools/index.mjs", tools);
    file("main.mjs", main);
    return folder;
  }
  made.add(folder);
  const inRoot = (path: string) => join(root, "node_modules", path);
  copy(inRoot(api.application), "node_modules/@opentelemetry/api");
  for (const part of SDK) copy(inRoot(`@opentelemetry/${part}`), `node_modules/@opentelemetry/${part}`);
  for (const dependency of ["fast-json-stable-stringify", "@noble"]) {
    copy(inRoot(dependency), `node_modules/${dependency}`);
  }
  copy(installed(), `node_modules/${LABELS}`);
  const dependencies = { "@opentelemetry/api": "1", [LABELS]: "*" };
  file("package.json", JSON.stringify({ dependencies: { ...dependencies, tools: "1" } }));
  file(
    "node_modules/tools/package.json",
    JSON.stringify({ version: "1.0.0", exports: "./index.mjs", dependencies }),
  );
  file("node_modules/tools/index.mjs", tools);
  if (api.tools !== undefined) copy(inRoot(api.tools), "node_modules/tools/node_modules/@opentelemetry/api");
  if (twoLabels) {
    const second = `node_modules/tools/node_modules/${LABELS}`;
    copy(installed(), second);
    const manifest = JSON.parse(readFileSync(join(folder, second, "package.json"), "utf8"));
    file(`${second}/package.json`, JSON.stringify({ ...manifest, version: OTHER_VERSION }));
  }
  file("main.mjs", main);
  return folder;
}
