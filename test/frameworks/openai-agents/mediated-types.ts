/** The types of guarded and mediated tools against those of the SDK; checked by tsc alone, nothing here runs. */
import { type run, tool } from "@openai/agents";
import { tool as oldTool } from "agents-0-3-8";
import { tool as middleTool } from "agents-0-13-5";
import { approveCall, guardedTool, mediatedTool } from "../../../src/adapters/openai-agents.ts";
import { triageTools } from "../contracts.ts";
import { triageDesk } from "../triage-desk.ts";

const { mediated } = triageDesk();
const execute = async ({ issue_id, text }: { issue_id: string; text: string }) => issue_id + text;
const strict = mediatedTool(mediated, "add_comment", execute);
const nonStrict = mediatedTool(mediated, "add_comment", async ({ issue_id }) => issue_id, { strict: false });
export const tools = [tool(strict), tool(nonStrict)];
export const older = [middleTool(strict), middleTool(nonStrict), oldTool(strict), oldTool(nonStrict)];

const guarded = guardedTool(triageTools.add_comment, async ({ issue_id }) => issue_id);
const loose = guardedTool(triageTools.add_comment, async ({ text }) => text, { strict: false });
export const guardedTools = [tool(guarded), tool(loose), middleTool(guarded), oldTool(loose)];

// The types do not get lost within `tool()` either.
export const inPlace = [
  tool(mediatedTool(mediated, "add_comment", async ({ issue_id }) => issue_id)),
  tool(mediatedTool(mediated, "add_comment", async ({ text }) => text, { strict: false })),
  tool(guardedTool(triageTools.add_comment, async ({ text }) => text)),
  tool(guardedTool(triageTools.add_comment, async ({ text }) => text, { strict: false })),
  oldTool(guardedTool(triageTools.add_comment, async ({ text }) => text)),
];

export async function answer({ interruptions, state }: Awaited<ReturnType<typeof run>>): Promise<void> {
  for (const item of interruptions) await approveCall(mediated, state, item);
}

// @ts-expect-error: the registry has no such contract
mediatedTool(mediated, "add_coment", async () => "");
// @ts-expect-error: the contract has no such argument
mediatedTool(mediated, "add_comment", async ({ issue }) => issue);
