/**
 * `policies hash`: the SHA-256 that a binding for a file would have.
 *
 * @module
 */
import { resolve } from "node:path";
import { hashPolicyFile, PolicyError } from "../../policies/index.ts";
import { COMMON_OPTIONS, type Command, command } from "../arguments/command.ts";
import { CliError } from "../cli-error.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { inputName } from "../read-input.ts";

/** The command. */
export const policiesHash: Command = command(
  {
    name: "policies hash",
    summary: "print the SHA-256 of policy files; nothing is verified",
    usage: ["FILE..."],
    options: { json: { help: "One JSON object on standard output." }, ...COMMON_OPTIONS },
    exitCodes: ["every file was hashed", "not used", "a file could not be read"],
    examples: ["otel-labels policies hash sandbox.yaml content.yaml"],
  },
  async (given, io) => {
    if (given.positionals.length === 0) {
      throw new CliError("bad_argument", "give at least one file: policies hash FILE...");
    }
    const hashes: { readonly file: string; readonly sha256: string }[] = [];
    for (const file of given.positionals) {
      const sha256 = await hashPolicyFile(resolve(io.cwd, file)).catch((error: unknown) => {
        if (!(error instanceof PolicyError)) throw error;
        throw new CliError(
          "unreadable",
          `${inputName(file)} cannot be hashed (${error.code}): ${error.message}`,
        );
      });
      hashes.push({ file, sha256 });
    }
    io.stdout.write(
      given.has("json")
        ? `${JSON.stringify({ hashes }, undefined, 2)}\n`
        : hashes.map(({ file, sha256 }) => `${sha256}  ${inputName(file)}\n`).join(""),
    );
    return EXIT_CODES.ok;
  },
);
