import type { SealedTrace } from "../engine/sealed-trace.ts";
import type { NotableSpan } from "../engine/span-record.ts";
import type { Comparison } from "../evidence/fingerprints.ts";
import type { Check, Detail, Subject, Tell } from "./check.ts";

/** Fingerprints are those of what the framework captured. */
export const fingerprintTrue: Check = {
  id: "fingerprint-true",
  title: "Fingerprints are those of the captured arguments and results",
  level: "error",
  why: "A fingerprint of something else, or of another call, makes different calls look equal and equal ones different.",
  pass: "Recomputing the fingerprints from what the framework captured gives the labels' values.",
  fail: {
    different: "The fingerprint is not the one of what the framework captured on the span.",
    unkeyed:
      "The fingerprint is made without a key, although fingerprints were said to be keyed: who can guess the value can check the guess.",
    "other-call": "The fingerprint is the one of another call's arguments: labels of two calls are mixed up.",
  },
  unknown: {
    "not-captured": "The framework captured neither arguments nor result on the span.",
    truncated: "What the framework captured is cut, so that it cannot be compared.",
    refused: "What the framework captured has no fingerprint, so that it cannot be compared.",
    near: "The fingerprint is not the one of what was captured; this framework captures something near it (arguments before defaults are filled in, a result inside a message).",
    keyed: "Fingerprints are keyed with a key that is not here, so that they cannot be recomputed.",
  },
  notApplicable: "No span carries a fingerprint.",
  fix: "Fingerprint what the tool function receives and returns, at that moment, without a claim argument; wrapTool() does. If the labels were made with other volatile keys, or with a key, say so to the verifier: no label tells.",
  judgeTrace(trace, tell, settings) {
    const labelled = trace.spans.filter(hasFingerprint);
    const calls = callsByArguments(settings.fingerprint === "keyed" ? [] : labelled);
    for (const span of labelled) judge(trace, span, calls, trace.subject(span), tell);
  },
};

function judge(
  trace: SealedTrace,
  span: NotableSpan,
  calls: ReadonlyMap<string, NotableSpan>,
  subject: Subject,
  tell: Tell<Subject>,
): void {
  const { input, output, labels } = span.facts;
  const mixed = input === "near" ? calls.get(String(labels?.["trustabl.tool.input_fp"])) : undefined;
  if (mixed !== undefined) {
    tell.fail("other-call", subject, { ...side(span, "input"), related: trace.anchor(mixed) });
  } else if (isWrong(input)) tell.fail(input, subject, side(span, "input"));
  if (isWrong(output)) tell.fail(output, subject, side(span, "output"));
  if (mixed !== undefined || isWrong(input) || isWrong(output)) return;
  const why = UNCERTAIN.find((comparison) => input === comparison || output === comparison);
  if (input === "same" || output === "same") tell.pass(subject);
  else if (why !== undefined) tell.unknown(why, subject, side(span, input === why ? "input" : "output"));
}

const isWrong = (comparison: Comparison): comparison is "different" | "unkeyed" =>
  comparison === "different" || comparison === "unkeyed";

// The most telling first.
const UNCERTAIN: readonly Comparison[] = ["near", "keyed", "truncated", "refused", "not-captured"];

function side(span: NotableSpan, which: "input" | "output"): Detail {
  const attribute = `trustabl.tool.${which}_fp` as const;
  return { attribute, observed: String(span.facts.labels?.[attribute] ?? "nothing") };
}

// On a span that is no call there is nothing to compare with; another check says that the label is there.
const hasFingerprint = ({ facts: { role, labels } }: NotableSpan): boolean =>
  role !== undefined &&
  role !== "agent" &&
  (typeof labels?.["trustabl.tool.input_fp"] === "string" ||
    typeof labels?.["trustabl.tool.output_fp"] === "string");

// Whose captured arguments have which fingerprint.
function callsByArguments(spans: readonly NotableSpan[]): ReadonlyMap<string, NotableSpan> {
  const calls = new Map<string, NotableSpan>();
  for (const span of spans) {
    const fingerprint = span.facts.capturedInputFp;
    if (fingerprint !== undefined && !calls.has(fingerprint)) calls.set(fingerprint, span);
  }
  return calls;
}
