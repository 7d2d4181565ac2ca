/**
 * `policies verify`: which policies of a manifest are what they should be.
 *
 * @module
 */
import { resolve } from "node:path";
import { describePolicies, type LoadedPolicies, loadPolicies, PolicyError } from "../../policies/index.ts";
import { COMMON_OPTIONS, type Command, command } from "../arguments/command.ts";
import { CliError } from "../cli-error.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { inputName } from "../read-input.ts";

/** The command. */
export const policiesVerify: Command = command(
  {
    name: "policies verify",
    summary: "verify the signatures of the policies that a manifest lists",
    usage: ["FILE"],
    options: {
      json: { help: "The bindings and the failures as one JSON object on standard output." },
      ...COMMON_OPTIONS,
    },
    exitCodes: [
      "every policy was verified",
      "at least one policy was not verified",
      "the manifest could not be used, or lists no policy",
    ],
    examples: [
      "otel-labels policies verify policies.json",
      "otel-labels policies verify policies.json --json",
    ],
  },
  async (given, io) => {
    const [file, ...more] = given.positionals;
    if (file === undefined || more.length > 0)
      throw new CliError("bad_argument", "give one manifest: policies verify FILE");
    const loaded = await loadPolicies(resolve(io.cwd, file)).catch((error: unknown) => {
      if (!(error instanceof PolicyError)) throw error;
      throw new CliError("unreadable", `${inputName(file)} cannot be used (${error.code}): ${error.message}`);
    });
    io.stdout.write(given.has("json") ? jsonOf(loaded) : describePolicies(loaded));
    if (loaded.failed.length > 0) return EXIT_CODES.findings;
    return loaded.verified.length > 0 ? EXIT_CODES.ok : EXIT_CODES.notChecked;
  },
);

const jsonOf = ({ verified, failed }: LoadedPolicies): string =>
  `${JSON.stringify({ verified, failed }, undefined, 2)}\n`;
