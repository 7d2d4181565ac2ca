/** A model that plays a script: no network, the same answers every time. */

/** A call: its id, the tool and the arguments. */
export type Call = readonly [id: string, tool: string, input: object];

/** What the model answers in one step: tool calls, or the final text. */
export type Answer = readonly Call[] | string;

export const call = (id: string, tool: string, input: object = { q: "same" }): Call => [id, tool, input];

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const finishReason = (answer: Answer) => (typeof answer === "string" ? "stop" : "tool-calls");
const toolCall = ([toolCallId, toolName, input]: Call) => ({
  type: "tool-call" as const,
  toolCallId,
  toolName,
  input: JSON.stringify(input),
});

/** A model of the AI SDK's provider interface, as Mastra takes it. */
export function scriptedModel(script: readonly Answer[]): never {
  let step = 0;
  const next = () => script[step++] ?? "done";
  return {
    specificationVersion: "v2",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: async () => {
      const answer = next();
      const content = typeof answer === "string" ? [{ type: "text", text: answer }] : answer.map(toolCall);
      return { content, finishReason: finishReason(answer), usage, warnings: [] };
    },
    doStream: async () => {
      const answer = next();
      const parts =
        typeof answer === "string"
          ? [
              { type: "text-start", id: "t" },
              { type: "text-delta", id: "t", delta: answer },
              { type: "text-end", id: "t" },
            ]
          : answer.map(toolCall);
      const chunks = [
        { type: "stream-start", warnings: [] },
        ...parts,
        { type: "finish", finishReason: finishReason(answer), usage },
      ];
      return { stream: ReadableStream.from(chunks) };
    },
  } as never;
}

/** A model that plays a script and keeps what it was sent. */
export function recordingModel(script: readonly Answer[]) {
  // biome-ignore lint/suspicious/noExplicitAny: the provider interface, whose types are not what is tested
  const requests: any[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const model = scriptedModel(script) as any;
  const recorded = (method: string) => (request: object) => {
    requests.push(request);
    return model[method](request);
  };
  return {
    model: { ...model, doGenerate: recorded("doGenerate"), doStream: recorded("doStream") } as never,
    /** What it was told last of each call. */
    told: (): Record<string, unknown> => {
      const parts = requests.at(-1).prompt.flatMap(({ content }: { content: unknown }) => content);
      const results = parts.filter(({ type }: { type?: string }) => type === "tool-result");
      return Object.fromEntries(
        results.map(({ toolCallId, output }: { toolCallId: string; output: { value: unknown } }) => [
          toolCallId,
          output.value,
        ]),
      );
    },
    /** The schema of each tool that it was sent first. */
    tools: (): Record<string, unknown> =>
      Object.fromEntries(
        requests[0].tools.map(({ name, inputSchema }: { name: string; inputSchema: unknown }) => [
          name,
          inputSchema,
        ]),
      ),
  };
}

/** Mastra writes the list of all types beside an `enum` or a `const` that has none, which says nothing. */
export function withoutEveryType(schema: unknown): unknown {
  const drop = (_key: string, value: unknown) =>
    isSchema(value) && Array.isArray(value.type) ? { ...value, type: undefined } : value;
  return JSON.parse(JSON.stringify(schema, drop));
}

const isSchema = (value: unknown): value is { type?: unknown } =>
  typeof value === "object" && value !== null && ("enum" in value || "const" in value);
