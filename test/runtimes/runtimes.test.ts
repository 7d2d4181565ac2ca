import { describe, expect, it } from "vitest";
import { EXPECTED } from "./expected.ts";
import { cell } from "./support/cell.ts";
import { compiled, type Form, folder, minor, type Sdk, sdks, versionOf } from "./support/consumers.ts";
import { run } from "./support/run.ts";

const installed = (name: string, program: string) => `${folder}node_modules/${name}/${program}`;

const RUNTIMES = [
  ...["node-20", "node-22", "node-24"].map((name) => ({
    name: `Node.js ${minor(versionOf(name))}`,
    program: installed(name, "bin/node"),
    parameters: [],
  })),
  {
    name: `Bun ${minor(versionOf("bun"))}`,
    program: `${folder}node_modules/.bin/bun`,
    parameters: ["run"],
  },
  {
    name: `Deno ${minor(versionOf("deno"))}`,
    program: `${folder}node_modules/.bin/deno`,
    // Nothing but its own files, and variables of the environment, for which the SDK asks.
    parameters: ["run", "--no-prompt", "--allow-read", "--allow-env", "--allow-sys"],
  },
];

const MODULES = { ESM: "nodenext, ESM", CommonJS: "nodenext, CommonJS" } as const satisfies Record<
  string,
  Form
>;

/** What works, and what the SDK itself does not promise. */
const note = (name: string, sdk: Sdk) =>
  name.startsWith("Node.js 20") && sdk === "SDK 3"
    ? "It runs, but OpenTelemetry SDK 3 asks for Node.js 22.15 or newer."
    : undefined;

describe.each(RUNTIMES)("$name", ({ name, program, parameters }) => {
  for (const sdk of sdks) {
    for (const [module, form] of Object.entries(MODULES)) {
      const shown = cell("runtimes", name, `${module}, ${sdk}`, note(name, sdk));
      it(`runs the job from ${module} with ${sdk}`, shown, async () => {
        const place = await compiled(sdk, form);
        const printed = await run(program, [...parameters, `${place}main.js`], place);
        expect(JSON.parse(printed)).toEqual(EXPECTED);
      });
    }
  }
});
