/**
 * `claims conformance`: the decision on the 136 cases of the conformance suite, as figures.
 *
 * @module
 */
import type { Profile } from "../../claims/checks.ts";
import { type ConformanceRates, conformanceRates } from "../../claims/conformance/measure.ts";
import { conformanceCases, decideCase, expectedOutcome } from "../../claims/conformance/suite.ts";
import { COMMON_OPTIONS, type Command, command } from "../arguments/command.ts";
import { CliError } from "../cli-error.ts";
import { EXIT_CODES } from "../exit-code.ts";

const PROFILES = ["trustabl", "paper"] as const satisfies readonly Profile[];

const FIGURES = {
  PDA: "cases with the outcome that was expected",
  SNAC: "cases that do not agree and were not allowed",
  HFAR: "hard cases that were allowed",
  SFAR: "soft cases that were allowed",
  AFA: "agreeing cases with the outcome that was expected",
  FRR: "cases whose references to facts were all current",
  EFLA: "cases with planted content that were not denied",
} as const satisfies Record<Exclude<keyof ConformanceRates, "configuration">, string>;

/** The command. */
export const claimsConformance: Command = command(
  {
    name: "claims conformance",
    summary: "decide on the conformance suite, print the figures",
    usage: [""],
    options: {
      profile: {
        value: "PROFILE",
        help: "trustabl, which is what decide() does, or paper (arXiv 2607.25364). Default trustabl.",
      },
      json: { help: "One JSON object on standard output." },
      ...COMMON_OPTIONS,
    },
    exitCodes: [
      "every case has the outcome that was expected",
      "a case has another outcome; it is named",
      "the options cannot be used",
    ],
    examples: ["otel-labels claims conformance", "otel-labels claims conformance --profile paper --json"],
  },
  async (given, io) => {
    if (given.positionals.length > 0) throw new CliError("bad_argument", "claims conformance takes no file");
    const profile = profileOf(given.text("profile"));
    const rates = conformanceRates(profile);
    const cases = conformanceCases();
    const wrong = cases
      .filter((one) => decideCase(one, profile, "full").outcome !== expectedOutcome(one, profile))
      .map(({ id }) => id);
    io.stdout.write(
      given.has("json")
        ? `${JSON.stringify({ profile, cases: cases.length, rates, wrong }, undefined, 2)}\n`
        : textOf(profile, cases.length, rates, wrong),
    );
    return wrong.length === 0 ? EXIT_CODES.ok : EXIT_CODES.findings;
  },
);

function profileOf(given: string | undefined): Profile {
  const profile = PROFILES.find((known) => known === (given ?? "trustabl"));
  if (profile === undefined) throw new CliError("bad_argument", `--profile is one of ${PROFILES.join(", ")}`);
  return profile;
}

function textOf(
  profile: Profile,
  count: number,
  rates: readonly ConformanceRates[],
  wrong: readonly string[],
): string {
  const names = Object.keys(FIGURES) as (keyof typeof FIGURES)[];
  const row = (first: string, cells: readonly string[]) =>
    `${first.padEnd(14)}${cells.map((cell) => cell.padStart(8)).join("")}\n`;
  return [
    `${count} cases, profile ${profile}\n\n`,
    row("configuration", names),
    ...rates.map((rate) =>
      row(
        rate.configuration,
        names.map((name) => rate[name].toFixed(4)),
      ),
    ),
    "\n",
    ...names.map((name) => `${name.padEnd(6)}${FIGURES[name]}\n`),
    "\n",
    wrong.length === 0
      ? "Every case has the outcome that was expected of the full configuration.\n"
      : wrong.map((id) => `another outcome than expected: ${id}\n`).join(""),
  ].join("");
}
