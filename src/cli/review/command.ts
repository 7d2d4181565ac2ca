/**
 * `review`: the definitions that a module exports, held against the rules.
 *
 * @module
 */
import { relative, resolve } from "node:path";
import {
  formatReview,
  isSevere,
  REVIEW_FORMATS,
  type Review,
  type ReviewFormat,
  recordRepairs,
  reviewDefinitions,
  type Trail,
} from "../../contracts/review/index.ts";
import { COMMON_OPTIONS, type Command, command } from "../arguments/command.ts";
import { CliError } from "../cli-error.ts";
import { EXIT_CODES } from "../exit-code.ts";
import type { CliIo } from "../io.ts";
import { askModule } from "../modules/ask-module.ts";
import { readJson } from "../modules/read-json.ts";
import { inputName } from "../read-input.ts";
import { wantsColour } from "../style.ts";
import { loadTrail, saveTrail } from "./trail-file.ts";

/** The command. */
export const review: Command = command(
  {
    name: "review",
    summary: "review the definitions of agents and tools that a module exports",
    usage: ["FILE"],
    options: {
      format: { value: "FORMAT", help: `One of ${REVIEW_FORMATS.join(", ")}; text unless given.` },
      trail: {
        value: "FILE",
        help: "Keep a trail of what was found and repaired in this file, and say what comes back.",
      },
      ...COMMON_OPTIONS,
    },
    exitCodes: [
      "nothing was found that is critical or high",
      "something was found that is critical or high",
      "the module could not be loaded, or exports no agent, tool, options or registry",
    ],
    examples: [
      "otel-labels review src/agent.ts",
      "otel-labels review src/agent.ts --trail review-trail.json",
      "otel-labels review dist/tools.js --format sarif > review.sarif",
    ],
  },
  async (given, io) => {
    const [file, ...more] = given.positionals;
    if (file === undefined || more.length > 0)
      throw new CliError("bad_argument", "give one file: review FILE");
    const format = formatOf(given.text("format") ?? "text");
    const trailFile = given.text("trail");
    const trail = await loadTrail(trailFile, io);
    const found = await reviewOf(file, trail, io);
    io.stdout.write(
      formatReview(found, { format, color: wantsColour(io.stdout, io.env, given.has("no-color")) }),
    );
    if (found.examined.length === 0) {
      io.stderr.write(
        `${inputName(file)} exports nothing that is recognised as an agent, a tool, options or a registry\n`,
      );
      return EXIT_CODES.notChecked;
    }
    if (trailFile !== undefined) await saveTrail(trailFile, recordRepairs(trail, found), io);
    return found.findings.some(isSevere) ? EXIT_CODES.findings : EXIT_CODES.ok;
  },
);

function formatOf(text: string): ReviewFormat {
  const format = REVIEW_FORMATS.find((one) => one === text);
  if (format === undefined) {
    throw new CliError("bad_option", `--format is one of ${REVIEW_FORMATS.join(", ")}`);
  }
  return format;
}

async function reviewOf(file: string, trail: Trail, io: CliIo): Promise<Review> {
  const path = resolve(io.cwd, file);
  // The same name wherever the repository is, and on Windows.
  const source = relative(io.cwd, path).replaceAll("\\", "/");
  if (file.endsWith(".json")) return reviewDefinitions(await readJson(file, io), { source, trail });
  const answer = await askModule({ ask: "review", path, source, trail }, file);
  if (!("review" in answer)) throw new Error("the child answered something else");
  return answer.review;
}
