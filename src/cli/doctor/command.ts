/**
 * `doctor`: faults of an installation that make labels vanish without a word.
 *
 * @module
 */
import { join } from "node:path";
import { cleanText } from "../../verify/clean-text.ts";
import { COMMON_OPTIONS, type Command, command } from "../arguments/command.ts";
import { CliError } from "../cli-error.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { styleFor, wantsColour } from "../style.ts";
import { describe } from "./describe.ts";
import { findInstalled, isReadable, packageFolder } from "./installed.ts";
import type { Judgement } from "./judgement.ts";
import { judge } from "./questions/index.ts";
import { lookAtRunning } from "./running.ts";

/** The command. */
export const doctor: Command = command(
  {
    name: "doctor",
    summary: "look for faults of an installation that make labels vanish",
    usage: ["[--import FILE]... [--require FILE]..."],
    options: {
      import: {
        value: "FILE",
        many: true,
        help: "Load the application's telemetry set-up first, as node --import does, and look at what runs then. Without it only files and the environment are looked at.",
      },
      require: { value: "FILE", many: true, help: "The same, as node --require does." },
      strict: { help: "Warnings count as faults." },
      json: { help: "One JSON object on standard output." },
      ...COMMON_OPTIONS,
    },
    exitCodes: [
      "no fault was found",
      "at least one fault was found",
      "it could not be looked at: no package.json here, or a set-up that cannot be loaded",
    ],
    examples: ["otel-labels doctor", "otel-labels doctor --import ./telemetry.js"],
  },
  async (given, io) => {
    if (given.positionals.length > 0) {
      throw new CliError("bad_argument", "doctor looks at the folder it is started in; it takes no file");
    }
    const folder = packageFolder(io.cwd);
    if (folder === undefined) {
      throw new CliError(
        "unreadable",
        "there is no package.json here or above; start the doctor in the application's folder",
      );
    }
    if (!isReadable(folder)) {
      throw new CliError(
        "unreadable",
        `${cleanText(join(folder, "package.json"), 200)} is not one JSON object, so what is installed is not known`,
      );
    }
    const setUp = { import: given.texts("import"), require: given.texts("require") };
    const judgements = judge({
      installed: findInstalled(folder),
      env: io.env,
      running:
        setUp.import.length + setUp.require.length > 0 ? await lookAtRunning(setUp, io.cwd) : undefined,
    });
    const failed = hasFailed(judgements, given.has("strict"));
    if (given.has("json")) {
      io.stdout.write(
        `${JSON.stringify({ folder, verdict: failed ? "fail" : "pass", judgements }, undefined, 2)}\n`,
      );
    } else {
      const style = styleFor(wantsColour(io.stdout, io.env, given.has("no-color")));
      io.stdout.write(describe(folder, judgements, style));
    }
    return failed ? EXIT_CODES.findings : EXIT_CODES.ok;
  },
);

const hasFailed = (judgements: readonly Judgement[], strict: boolean): boolean =>
  judgements.some(({ faults }) => faults.some(({ level }) => strict || level === "error"));
