/**
 * `contracts schema`: the JSON Schemas that a consumer is shown.
 *
 * @module
 */
import { SCHEMA_TARGETS, type SchemaTarget } from "../../contracts/json-schema/targets.ts";
import { COMMON_OPTIONS, type Command, command } from "../arguments/command.ts";
import { CliError } from "../cli-error.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { loadRegistry } from "./load-registry.ts";

/** The command. */
export const contractsSchema: Command = command(
  {
    name: "contracts schema",
    summary: "print the JSON Schema of each tool of a contract registry",
    usage: ["FILE"],
    options: {
      target: { value: "TARGET", help: `One of ${SCHEMA_TARGETS.join(", ")}; json-schema unless given.` },
      ...COMMON_OPTIONS,
    },
    exitCodes: [
      "the schemas are printed",
      "never given by this command",
      "the file holds no usable registry",
    ],
    examples: ["otel-labels contracts schema src/tools.ts --target openai"],
  },
  async (given, io) => {
    const [file, ...more] = given.positionals;
    if (file === undefined || more.length > 0) {
      throw new CliError("bad_argument", "give one registry: contracts schema FILE");
    }
    const target = targetOf(given.text("target") ?? "json-schema");
    const tools = Object.values(await loadRegistry(file, io));
    const schemas = Object.fromEntries(tools.map((contract) => [contract.name, contract.jsonSchema(target)]));
    io.stdout.write(`${JSON.stringify(schemas, undefined, 2)}\n`);
    return EXIT_CODES.ok;
  },
);

function targetOf(text: string): SchemaTarget {
  const target = SCHEMA_TARGETS.find((one) => one === text);
  if (target === undefined) {
    throw new CliError("bad_option", `--target is one of ${SCHEMA_TARGETS.join(", ")}`);
  }
  return target;
}
