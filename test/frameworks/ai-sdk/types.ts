/** The adapter's types against those of the three versions; checked by tsc alone, nothing here runs. */

import type * as ai from "ai";
import { registerTelemetry, type Telemetry, type ToolSet, tool } from "ai";
import type * as ai5 from "ai-5";
import { type ToolSet as ToolSet5, tool as tool5 } from "ai-5";
import type * as ai6 from "ai-6";
import { type ToolSet as ToolSet6, tool as tool6 } from "ai-6";
import { z } from "zod";
import { exitReasonOf, labelTelemetry, labelTools } from "../../../src/adapters/ai-sdk.ts";

const inputSchema = z.object({ to: z.string() });
const execute = async ({ to }: { to: string }): Promise<string[]> => [to];
const definition = { sideEffect: "read" as const };

const set5 = { find: tool5({ inputSchema, execute }), ask: tool5({ inputSchema }) };
const set6 = { find: tool6({ inputSchema, execute }), ask: tool6({ inputSchema }) };
const set7 = { find: tool({ inputSchema, execute }), ask: tool({ inputSchema }) };
const tools5: typeof set5 = labelTools(set5, {
  find: { ...definition, isEmpty: (found) => found.length === 0 },
});
const tools6: typeof set6 = labelTools(set6, {
  find: { ...definition, isEmpty: (found) => found.length === 0 },
});
const tools7: typeof set7 = labelTools(set7, {
  find: { ...definition, isEmpty: (found) => found.length === 0 },
});
({ find: tools5.find }) satisfies ToolSet5;
({ find: tools6.find }) satisfies ToolSet6;
({ find: tools7.find }) satisfies ToolSet;

const parts = labelTools(
  {
    parts: tool({
      inputSchema,
      async *execute() {
        yield { rows: 1 };
      },
    }),
  },
  // The last part is the result.
  { parts: { isEmpty: ({ rows }) => rows === 0 } },
);
parts satisfies ToolSet;

// @ts-expect-error: the set has no such tool
labelTools(tools7, { fnid: {} });
// @ts-expect-error: there is no such side effect
labelTools(tools7, { find: { sideEffect: "reads" } });

export const someTools = (any5: ToolSet5, any6: ToolSet6, any7: ToolSet) => [
  labelTools(any5),
  labelTools(any6, { find: definition }),
  labelTools(any7, { find: definition }),
];

const telemetry: Telemetry = labelTelemetry({ find: definition });
registerTelemetry(telemetry);

export const ends = async (
  result5: ai5.GenerateTextResult<ToolSet5, never>,
  result6: ai6.GenerateTextResult<ToolSet6, never>,
  result7: ai.GenerateTextResult<ToolSet, never, never>,
  stream: ai.StreamTextResult<ToolSet, never, never>,
) => [
  exitReasonOf(result5),
  exitReasonOf(result6),
  exitReasonOf(result7),
  exitReasonOf({ finishReason: await stream.finishReason, steps: await stream.steps }, 8),
];
