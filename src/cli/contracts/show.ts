/**
 * `contracts show`: what each tool of a registry may do, in one line.
 *
 * @module
 */
import type { ContractRegistry } from "../../contracts/contract.ts";
import { registryDigest } from "../../contracts/registry-digest.ts";
import { COMMON_OPTIONS, type Command, command } from "../arguments/command.ts";
import { CliError } from "../cli-error.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { loadRegistry } from "./load-registry.ts";

/** The command. */
export const contractsShow: Command = command(
  {
    name: "contracts show",
    summary: "show what each tool of a contract registry may do",
    usage: ["FILE"],
    options: {
      json: { help: "The digest and the contracts as one JSON object on standard output." },
      ...COMMON_OPTIONS,
    },
    exitCodes: ["the registry is shown", "never given by this command", "the file holds no usable registry"],
    examples: ["otel-labels contracts show src/tools.ts", "otel-labels contracts show tools.json --json"],
  },
  async (given, io) => {
    const [file, ...more] = given.positionals;
    if (file === undefined || more.length > 0) {
      throw new CliError("bad_argument", "give one registry: contracts show FILE");
    }
    const tools = await loadRegistry(file, io);
    const digest = registryDigest(tools);
    io.stdout.write(
      given.has("json") ? `${JSON.stringify({ digest, tools }, undefined, 2)}\n` : textOf(tools, digest),
    );
    return EXIT_CODES.ok;
  },
);

function textOf(tools: ContractRegistry, digest: string): string {
  const rows = Object.values(tools).map(({ name, sideEffect, risk, confirm, claim, sensitive, input }) => [
    name,
    sideEffect ?? "side effect not said",
    `risk ${risk ?? "not said"}`,
    confirm ? "confirmed" : "unconfirmed",
    `claim ${claim ?? "not said"}`,
    ...(sensitive ? ["sensitive"] : []),
    fieldsOf(input),
  ]);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${[...lines, `sha256 ${digest}`].join("\n")}\n`;
}

// A star stands where a command line's help would put it: what has to be given.
function fieldsOf({ properties = {}, required = [] }: ContractRegistry[string]["input"]): string {
  const fields = Object.keys(properties).map((name) => (required.includes(name) ? `${name}*` : name));
  return `(${fields.join(", ")})`;
}
