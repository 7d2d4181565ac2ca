/**
 * Puts correct labels on an unlabelled export: what a program that uses this package would have written. Made from the
 * contract alone and sharing nothing with the verifier but the table of conventions and the fingerprint.
 */
import { CAPTURED_CONTENT } from "../../../src/attributes/captured-content.ts";
import { recogniseSpan } from "../../../src/attributes/conventions.ts";
import { canonicalFp } from "../../../src/fingerprint/index.ts";
import { attributesOf, copyOf, type OtlpExport, type OtlpSpan, setAttribute, spansOf } from "./otlp.ts";

export interface LabelOptions {
  /** Spans that no program could have labelled, by name. */
  readonly skip?: (span: OtlpSpan) => boolean;
  /** One run over all traces (a resumed approval), or one for each. Default: each trace is a run. */
  readonly oneRun?: boolean;
}

interface Counted {
  readonly runId: string;
  step: number;
  readonly attempts: Map<string, number>;
}

/** The export with labels; the argument is left as it was. */
export function labelExport(unlabelled: OtlpExport, { skip, oneRun }: LabelOptions = {}): OtlpExport {
  const otlp = copyOf(unlabelled);
  const spans = spansOf(otlp).map(({ span, scope }) => ({
    span,
    found: recogniseSpan({ name: span.name, scope, attributes: attributesOf(span) }),
  }));
  const byId = new Map(spans.map((one) => [one.span.spanId, one]));
  const runs = new Map<string, Counted>();
  const runOf = (span: OtlpSpan): Counted => {
    const key = oneRun === true ? "all" : span.traceId;
    const run = runs.get(key) ?? { runId: canonicalFp(`${span.traceId} run`), step: 0, attempts: new Map() };
    runs.set(key, run);
    return run;
  };
  const ancestors = (span: OtlpSpan) => {
    const above = [];
    for (
      let at = byId.get(span.parentSpanId ?? "");
      at !== undefined;
      at = byId.get(at.span.parentSpanId ?? "")
    ) {
      above.push(at);
    }
    return above;
  };
  const byStart = [...spans].sort((a, b) =>
    Number(BigInt(a.span.startTimeUnixNano ?? 0) - BigInt(b.span.startTimeUnixNano ?? 0)),
  );
  let delegations = 0;
  for (const { span, found } of byStart) {
    if (found?.role === "tool" && skip?.(span) !== true) labelCall(span, runOf(span));
    if (found?.role !== "agent") continue;
    const above = ancestors(span);
    const actor = above.find((one) => one.found?.role === "tool" || one.found?.role === "agent");
    if (actor === undefined) {
      setAttribute(span, "trustabl.run_id", runOf(span).runId);
      setAttribute(span, "trustabl.exit_reason", span.status?.code === 2 ? "error" : "final_answer");
    } else if (actor.found?.role === "tool" || attributesOf(span)["graph.node.parent_id"] !== undefined) {
      delegations += 1;
      setAttribute(span, "trustabl.handoff_id", `delegation-${delegations}`);
    }
  }
  return otlp;
}

function labelCall(span: OtlpSpan, run: Counted): void {
  const attributes = attributesOf(span);
  const found = recogniseSpan({ name: span.name, attributes });
  const names = found && CAPTURED_CONTENT[found.convention.id];
  const input = canonicalFp(content(attributes, names?.arguments ?? []));
  const key = `${found?.toolName} ${input}`;
  const attempt = (run.attempts.get(key) ?? 0) + 1;
  run.attempts.set(key, attempt);
  setAttribute(span, "trustabl.run_id", run.runId);
  setAttribute(span, "trustabl.step_index", run.step);
  setAttribute(span, "trustabl.tool.attempt", attempt);
  setAttribute(span, "trustabl.tool.input_fp", input);
  setAttribute(span, "trustabl.tool.side_effect", "read");
  const result = content(attributes, names?.result ?? []);
  setAttribute(span, "trustabl.tool.output_fp", canonicalFp(span.status?.code === 2 ? null : result));
  run.step += 1;
}

function content(attributes: Record<string, unknown>, names: readonly string[]): unknown {
  const text = names.map((name) => attributes[name]).find((value) => value !== undefined);
  if (typeof text !== "string") return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
