/** A mediated tool's types against those of the SDK; checked by tsc alone, nothing here runs. */
import { type ToolSet, tool } from "ai";
import { type ToolSet as ToolSet6, tool as tool6 } from "ai-6";
import { mediatedTool } from "../../../src/adapters/ai-sdk.ts";
import { triageDesk } from "../triage-desk.ts";

const { mediated } = triageDesk();
const options = mediatedTool(
  mediated,
  "add_comment",
  async ({ issue_id, text }) => `${issue_id.length} ${text.length}`,
);
({ add_comment: tool6(options) }) satisfies ToolSet6;
({ add_comment: tool(options) }) satisfies ToolSet;

// @ts-expect-error: the registry has no such contract
mediatedTool(mediated, "add_coment", async () => "");
// @ts-expect-error: the contract has no such argument
mediatedTool(mediated, "add_comment", async ({ issue }) => issue);
