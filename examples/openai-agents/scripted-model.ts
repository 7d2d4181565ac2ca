/** A model that plays a script: no network, the same answers every time. */
import { type Model, type ModelResponse, Usage } from "@openai/agents";

/** A tool call, or the final text. */
type Step = readonly [tool: string, input: object] | string;

export function scriptedModel(...script: Step[]): Model {
  let step = 0;
  return {
    getResponse: async (): Promise<ModelResponse> => {
      step += 1;
      return { usage: new Usage(), output: [outputOf(script[step - 1] ?? "done", `call_${step}`)] };
    },
    getStreamedResponse: () => {
      throw new Error("this script is not streamed");
    },
  };
}

function outputOf(step: Step, callId: string): ModelResponse["output"][number] {
  if (typeof step !== "string") {
    const [name, input] = step;
    return { type: "function_call", callId, name, status: "completed", arguments: JSON.stringify(input) };
  }
  const content = [{ type: "output_text" as const, text: step }];
  return { type: "message", role: "assistant", status: "completed", content };
}
