/**
 * A contract registry from a file: JSON, or a module that exports one.
 *
 * @module
 */
import { resolve } from "node:path";
import type { ContractDefinition, ContractRegistry } from "../../contracts/contract.ts";
import { ContractError } from "../../contracts/contract-error.ts";
import { defineTools } from "../../contracts/define/define-tools.ts";
import { CliError } from "../cli-error.ts";
import type { CliIo } from "../io.ts";
import type { ExportedRegistry } from "../modules/answer.ts";
import { askModule } from "../modules/ask-module.ts";
import { readJson } from "../modules/read-json.ts";
import { inputName } from "../read-input.ts";

/**
 * The registry, checked anew: a module may have made it with another version of this package.
 *
 * @throws {CliError}
 */
export async function loadRegistry(file: string, io: CliIo): Promise<ContractRegistry> {
  const data = file.endsWith(".json") ? await readJson(file, io) : await exportedBy(file, io);
  try {
    return defineTools(data as Readonly<Record<string, ContractDefinition>>);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const { code, contract, place, allowed } = error;
    const where = [contract, place].filter((part) => part !== "").join(" ");
    throw new CliError(
      "bad_argument",
      `${inputName(file)} holds no usable registry (${code}${where === "" ? "" : `, ${inputName(where)}`}): ${allowed}`,
    );
  }
}

async function exportedBy(file: string, io: CliIo): Promise<unknown> {
  const answer = await askModule({ ask: "registries", path: resolve(io.cwd, file) }, file);
  const registries = "registries" in answer ? answer.registries : [];
  return JSON.parse(oneOf(registries, file).json);
}

function oneOf(registries: readonly ExportedRegistry[], file: string): ExportedRegistry {
  const chosen = registries.find(({ name }) => name === "default") ?? registries[0];
  if (chosen === undefined) {
    throw new CliError(
      "bad_argument",
      `${inputName(file)} exports no registry: export what defineTools() gives`,
    );
  }
  if (registries.length > 1 && chosen.name !== "default") {
    throw new CliError(
      "bad_argument",
      `${inputName(file)} exports several registries: make one the default export`,
    );
  }
  return chosen;
}
