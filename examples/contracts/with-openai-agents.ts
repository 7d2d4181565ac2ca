/** The same contracts in the OpenAI Agents SDK. */
import { Agent, type Model, type ModelResponse, Runner, tool, Usage } from "@openai/agents";
import { done, script } from "./scripts.ts";
import { contracts, guarded } from "./tools.ts";

const tools = Object.values(contracts).map((contract) =>
  tool({
    name: contract.name,
    description: contract.description,
    parameters: contract.jsonSchema("openai") as never,
    strict: true,
    execute: (input, context, details) => guarded[contract.name]!(input, context, details),
    errorFunction: (_context, error) => (error instanceof Error ? error.message : "failed"),
  }),
);

/** Runs the agent, and gives back what the model was told of each call that was refused. */
export async function runWithOpenAiAgents(): Promise<string[]> {
  let turn = 0;
  const model: Model = {
    getResponse: async (): Promise<ModelResponse> => ({ usage: new Usage(), output: [outputOf(turn++)] }),
    getStreamedResponse: () => {
      throw new Error("this script is not streamed");
    },
  };
  const agent = new Agent({ name: "triage", instructions: "You look after a CI pipeline.", model, tools });
  const { history } = await new Runner().run(agent, "The nightly build is red.");
  return history
    .flatMap((item) => (item.type === "function_call_result" ? textOf(item.output) : []))
    .filter((text) => text.startsWith("Refused"));
}

const textOf = (output: unknown): string =>
  typeof output === "string" ? output : ((output as { text?: string }).text ?? "");

function outputOf(turn: number): ModelResponse["output"][number] {
  const call = script[turn];
  if (call !== undefined) {
    const [name, args] = call;
    const status = "completed" as const;
    return { type: "function_call", callId: `oa_${turn}`, name, status, arguments: JSON.stringify(args) };
  }
  const content = [{ type: "output_text" as const, text: done }];
  return { type: "message", role: "assistant", status: "completed", content };
}
