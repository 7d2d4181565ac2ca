/** Types that users rely on. Nothing here runs: that it compiles is the assertion (`npm run typecheck`). */
import type { Span } from "@opentelemetry/api";
import type { SpanProcessor } from "@opentelemetry/sdk-trace-node";
import type * as sdk1 from "otel-sdk-1";
import {
  type Binding,
  bindAuthority,
  canonicalFp,
  canonicalJson,
  type Labels,
  markHandoff,
  markRunEnd,
  markToolSpan,
  Run,
  withRun,
  wrapTool,
} from "../../src/index.ts";
import { ToolSpanTracker } from "../../src/tracker/index.ts";

/** Exact equality; `any` equals nothing else, so a type that silently became `any` fails too. */
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <_Holds extends true>(): void => {};

// A wrapped function keeps its type: parameters, result, `this`, overloads, properties.
const search = wrapTool({ name: "search" }, async (args: { q: string }, _options?: object) => [args.q]);
same<Equal<typeof search, (args: { q: string }, _options?: object) => Promise<string[]>>>();

function convert(this: { rate: number }, amount: number): number;
function convert(this: { rate: number }, amount: string): string;
function convert(this: { rate: number }, amount: number | string): number | string {
  return amount;
}
const wrapped = wrapTool({ name: "convert" }, Object.assign(convert, { schema: 1 as const }));
same<Equal<typeof wrapped.schema, 1>>();
declare const desk: { rate: number; convert: typeof wrapped };
const fromNumber: number = desk.convert(1);
const fromText: string = desk.convert("1");

async function* parts(_args: { q: string }) {
  yield 1;
}
same<Equal<ReturnType<typeof wrapTool<typeof parts>>, typeof parts>>();

// The definition knows the function's types.
wrapTool(
  { name: "typed", isEmpty: (rows) => rows.length === 0, args: (args) => args.q.trim() },
  async (_args: { q: string }) => ["row"],
);
// @ts-expect-error a side effect outside the list
wrapTool({ name: "wrong", sideEffect: "writes" }, () => 1);
// @ts-expect-error a tool needs a name
wrapTool({}, () => 1);
// @ts-expect-error isEmpty gets the awaited result
wrapTool({ name: "wrong", isEmpty: (rows: number) => rows === 0 }, async () => "text");

// withRun gives back what the function gives.
same<Equal<ReturnType<typeof syncRun>, number>>();
same<Equal<ReturnType<typeof asyncRun>, Promise<string>>>();
const syncRun = (root: Span) => withRun(root, (run) => run.nextStep());
const asyncRun = (root: Span | undefined) =>
  withRun(root, async () => "answer", { exitReason: (answer) => (answer === "" ? "error" : undefined) });
// @ts-expect-error an exit reason outside the list
withRun(undefined, () => 1, { exitReason: () => "done" });

// The port's own calls.
declare const span: Span;
declare const bindings: Binding[];
markToolSpan(span, {
  args: {},
  result: null,
  attempt: 1,
  sideEffect: "read",
  errorClass: "timeout",
  stepIndex: 0,
  runId: "r",
  name: "n",
});
markRunEnd(span, "final_answer");
markHandoff(span, "id");
bindAuthority(span, bindings);
bindAuthority(span, new Set(bindings));
new Run("id").markStart(span);
same<Equal<ReturnType<typeof canonicalFp>, string>>();
[1, 2].map(canonicalFp);
[1, 2].map(canonicalJson);
// @ts-expect-error an error class outside the list
markToolSpan(span, { attempt: 1, errorClass: "404" });

// Labels give each name the type of its values.
declare const labels: Labels;
same<Equal<(typeof labels)["trustabl.tool.attempt"], number | undefined>>();
same<
  Equal<
    (typeof labels)["trustabl.exit_reason"],
    "final_answer" | "max_steps" | "policy_stop" | "error" | undefined
  >
>();

// The tracker is a span processor of both SDK lines.
const forSdk2: SpanProcessor = new ToolSpanTracker();
const forSdk1: sdk1.SpanProcessor = new ToolSpanTracker();

export { forSdk1, forSdk2, fromNumber, fromText };
