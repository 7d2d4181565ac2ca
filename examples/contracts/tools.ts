/** Five contracts, read from data, and the functions that do the work. */
import { readFileSync } from "node:fs";
import { type ContractRegistry, defineTools, tool } from "agent-reliability-otel-labels/contracts";

const data: object = JSON.parse(readFileSync(new URL("contracts.json", import.meta.url), "utf8"));
export const contracts: ContractRegistry = defineTools(data as never);

/** What really happened. */
export const effects: string[] = [];

/** Asks a person. Ada has agreed to job 4711, and is asleep otherwise. */
const isConfirmed = (args: unknown) => (args as { job_id?: string }).job_id === "4711";

/** The guarded function of each tool: validate, ask for the confirmation, label, run. */
export const guarded: Record<string, (args: unknown, ...context: unknown[]) => Promise<string>> =
  Object.fromEntries(
    Object.values(contracts).map((contract) => [
      contract.name,
      tool(
        contract,
        async (args: unknown, ..._context: unknown[]) => {
          effects.push(`${contract.name} ${JSON.stringify(args)}`);
          return "done";
        },
        { confirmed: isConfirmed },
      ),
    ]),
  );
