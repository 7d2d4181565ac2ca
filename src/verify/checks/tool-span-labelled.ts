import { sameTool } from "../engine/same-call.ts";
import type { SealedTrace, ToolCall } from "../engine/sealed-trace.ts";
import type { NotableSpan } from "../engine/span-record.ts";
import type { Check } from "./check.ts";

/** Each tool span carries the fingerprint of its arguments and the attempt. */
export const toolSpanLabelled: Check = {
  id: "tool-span-labelled",
  title: "Every tool call is labelled",
  level: "error",
  why: "A call without a fingerprint and an attempt is invisible to every rule about loops and retries.",
  pass: "Every tool call carries trustabl.tool.input_fp and trustabl.tool.attempt.",
  fail: {
    "no-labels": "A tool span carries no labels.",
    "labelled-inside":
      "A tool span carries no labels; a span below it that repeats the same call does. The outermost span is the call.",
    "no-attempt": "A tool span carries a fingerprint and no attempt: the tool was called outside a run.",
    "no-fingerprint":
      "A tool span carries no fingerprint of its arguments, although the captured arguments have one.",
  },
  unknown: {
    "attributes-dropped":
      "The SDK dropped attributes of the span because of its limits; the labels may be among them.",
    "may-not-have-run":
      "A span shaped like a tool call carries no labels; it shows signs that no tool function ran.",
    "same-call-elsewhere":
      "An MCP span carries no labels; a labelled span of the same tool covers the same time and may be the same call.",
    "no-fingerprint":
      "A tool span carries an attempt and no fingerprint: the arguments have none, or fingerprints are switched off.",
    late: "The span came so late that the spans above it are forgotten.",
  },
  notApplicable: "There is no tool span.",
  fix: 'Wrap the tool with wrapTool(), the outermost layer of its function, and run the agent inside withRun(). If labels are lost to attribute limits, raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT. If no label ever arrives, run "otel-labels doctor".',
  judgeTrace(trace, tell) {
    const labelledCalls = trace.calls.filter(({ span }) => isLabelled(span));
    for (const call of trace.calls) {
      const { span } = call;
      const { labels, droppedAttributes } = span.facts;
      const hasFingerprint = labels?.["trustabl.tool.input_fp"] !== undefined;
      const hasAttempt = labels?.["trustabl.tool.attempt"] !== undefined;
      const subject = trace.subject(span);
      const expected = "trustabl.tool.input_fp and trustabl.tool.attempt";
      if (hasFingerprint && hasAttempt) tell.pass(subject);
      else if (droppedAttributes) tell.unknown("attributes-dropped", subject, { expected });
      else if (hasFingerprint)
        tell.fail("no-attempt", subject, {
          attribute: "trustabl.tool.attempt",
          observed: "nothing",
          expected,
        });
      else if (hasAttempt) {
        const detail = { attribute: "trustabl.tool.input_fp", observed: "nothing", expected };
        if (span.facts.input === "refused") {
          tell.pass(subject);
          tell.note("Some calls have no input_fp because their arguments have no fingerprint.");
        } else if (span.facts.capturedInputFp !== undefined) tell.fail("no-fingerprint", subject, detail);
        else tell.unknown("no-fingerprint", subject, detail);
      } else {
        const reason = excuse(trace, span, labelledCalls);
        const labelled = call.inner.find(isLabelled);
        const detail = {
          observed: "no labels",
          expected,
          related: labelled && trace.anchor(labelled),
        };
        if (reason !== undefined) tell.unknown(reason, subject, detail);
        else tell.fail(labelled === undefined ? "no-labels" : "labelled-inside", subject, detail);
      }
    }
  },
};

// Why the absence of labels need not be a fault.
function excuse(
  trace: SealedTrace,
  span: NotableSpan,
  labelledCalls: readonly ToolCall[],
): string | undefined {
  const refused = span.facts.labels?.["trustabl.tool.error_class"];
  if (trace.mayNotHaveRun(span) || refused === "auth" || refused === "schema") return "may-not-have-run";
  if (!trace.isCertain(span)) return "late";
  if (!span.facts.repeats) return undefined;
  const mayRepeat = labelledCalls.length > MAX_COMPARED || labelledCalls.some((call) => covers(call, span));
  return mayRepeat ? "same-call-elsewhere" : undefined;
}

// Comparing each with each must not take quadratic time on a hostile export.
const MAX_COMPARED = 2_000;

// Milliseconds: SDKs start each trace from a clock that has no finer step, so two spans of one moment can differ by one.
const CLOCK_STEP = 1;

// OpenLLMetry hangs its MCP spans under the session, beside the framework's span of the same call.
function covers(call: ToolCall, span: NotableSpan): boolean {
  const { facts } = call.span;
  return (
    (facts.toolName === undefined ||
      span.facts.toolName === undefined ||
      sameTool(facts.toolName, span.facts.toolName)) &&
    facts.start <= span.facts.start + CLOCK_STEP &&
    (facts.end ?? Number.POSITIVE_INFINITY) >= (span.facts.end ?? span.facts.start) - CLOCK_STEP
  );
}

const isLabelled = ({ facts: { labels } }: NotableSpan): boolean =>
  labels?.["trustabl.tool.input_fp"] !== undefined || labels?.["trustabl.tool.attempt"] !== undefined;
