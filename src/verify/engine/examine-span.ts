/**
 * Looking at a span once, while its attributes are there, and keeping what the checks need.
 *
 * @module
 */

import { type RecognisedSpan, recogniseSpan } from "../../attributes/conventions.ts";
import { POLICY_BINDING_EVENT } from "../../attributes/registry.ts";
import type { Check } from "../checks/check.ts";
import { cleanText, shortCopy } from "../clean-text.ts";
import { type Captured, capturedOf } from "../evidence/captured.ts";
import type { ContentPool } from "../evidence/content-pool.ts";
import { showsFailure } from "../evidence/failure.ts";
import { FingerprintComparer } from "../evidence/fingerprints.ts";
import { argumentValues, resultValues } from "../evidence/interpretations.ts";
import { type LabelText, labelTexts } from "../evidence/label-texts.ts";
import { readLabels } from "../evidence/labels.ts";
import { showsNoRun } from "../evidence/not-run.ts";
import type { VerifySettings } from "../options.ts";
import type { SpanView } from "../span-view.ts";
import { judgeSpan } from "./judge-span.ts";
import type { SpanRecord, SpanRecordFacts, SpanVerdict } from "./span-record.ts";

const NAME_LENGTH = 80;
const ID_LENGTH = 256;
const MAX_NAMES = 4_096;

/** Looks at spans and keeps what the checks need. */
export class SpanExaminer {
  readonly #checks: readonly Check[];
  readonly #secrets: readonly string[];
  readonly #fingerprints: FingerprintComparer;
  // Most spans share few names: one copy of each instead of one for each span.
  readonly #names = new Map<string, string>();

  constructor(settings: VerifySettings, checks: readonly Check[]) {
    this.#checks = checks.filter((check) => check.judgeSpan !== undefined);
    this.#secrets = settings.secrets;
    this.#fingerprints = new FingerprintComparer(settings.volatileKeys);
  }

  /** @param pool gets what the framework captured */
  examine(view: SpanView, pool: () => ContentPool): SpanRecord {
    const recognised = recogniseSpan(view);
    const captured = recognised === undefined ? NOTHING : this.#captured(view, recognised);
    if (captured.input !== undefined) pool().add(captured.input);
    if (captured.output !== undefined) pool().add(captured.output);
    const failed = showsFailure(view, captured.output?.content);
    return {
      id: view.spanId,
      parentId: view.parentSpanId,
      name: this.#nameOf(view.name),
      failed,
      facts: this.#facts(view, recognised, captured, failed),
    };
  }

  #captured(view: SpanView, { role, convention }: RecognisedSpan): CapturedSides {
    if (role === "agent") return NOTHING;
    return {
      input: capturedOf(view.attributes, convention, view.scope, "arguments"),
      output: capturedOf(view.attributes, convention, view.scope, "result"),
    };
  }

  #facts(
    view: SpanView,
    recognised: RecognisedSpan | undefined,
    captured: CapturedSides,
    failed: boolean,
  ): SpanRecordFacts | undefined {
    const labels = readLabels(view.attributes);
    const policies = view.events.filter((event) => event.name === POLICY_BINDING_EVENT).length;
    const ours = labels !== undefined || policies > 0 || view.events.some(isOurs);
    if (recognised === undefined && !ours) return undefined;
    const known = labels?.known;
    const input = this.#fingerprints.compare(
      textOf(known?.["trustabl.tool.input_fp"]),
      known === undefined ? undefined : captured.input,
      argumentValues,
    );
    const output = this.#fingerprints.compare(
      textOf(known?.["trustabl.tool.output_fp"]),
      known === undefined ? undefined : captured.output,
      (content) => resultValues(content, failed),
    );
    return {
      role: recognised?.role,
      convention: recognised?.convention.id,
      scope: shortText(view.scope),
      toolName: shortText(recognised?.toolName),
      callId: shortText(recognised?.callId),
      ...agentFacts(view, recognised),
      repeats: recognised?.convention.id === "mcp" || (view.scope?.includes("instrumentation-mcp") ?? false),
      start: milliseconds(view.start) ?? 0,
      end: milliseconds(view.end),
      notRun: recognised !== undefined && showsNoRun(view, recognised.convention, captured.output?.content),
      labels: known,
      droppedAttributes: view.droppedAttributes > 0,
      policies,
      texts: ours ? labelTexts(view, this.#secrets) : NO_TEXTS,
      input: input.comparison,
      output: output.comparison,
      capturedInputFp: input.capturedFp,
      verdicts: ours ? judgeSpan({ view, role: recognised?.role, labels }, this.#checks) : NO_VERDICTS,
      source: view.position?.source,
      line: view.position?.line,
    };
  }

  #nameOf(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const clean = cleanText(name, NAME_LENGTH);
    if (this.#names.size < MAX_NAMES && name.length <= NAME_LENGTH) this.#names.set(name, clean);
    return clean;
  }
}

interface CapturedSides {
  readonly input: Captured | undefined;
  readonly output: Captured | undefined;
}

const NO_TEXTS: readonly LabelText[] = Object.freeze([]);
const NO_VERDICTS: readonly SpanVerdict[] = Object.freeze([]);
const NOTHING: CapturedSides = { input: undefined, output: undefined };

const isOurs = (event: { readonly name: string }): boolean => event.name.startsWith("trustabl.");

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const shortText = (value: unknown): string | undefined =>
  typeof value === "string" ? shortCopy(value, ID_LENGTH) : undefined;

// Milliseconds are exact enough to order calls, and a number is smaller than a bigint.
const milliseconds = (time: bigint | undefined): number | undefined =>
  time === undefined ? undefined : Number(time / 1_000n) / 1_000;

function agentFacts(
  view: SpanView,
  recognised: RecognisedSpan | undefined,
): Pick<SpanRecordFacts, "agentName" | "delegated" | "workflow"> {
  const { attributes } = view;
  return {
    agentName:
      recognised?.role === "agent"
        ? shortText(attributes["gen_ai.agent.name"] ?? attributes["graph.node.id"])
        : undefined,
    delegated: textOf(attributes["graph.node.parent_id"]) !== undefined,
    workflow:
      attributes["gen_ai.operation.name"] === "invoke_workflow" ||
      attributes["traceloop.span.kind"] === "workflow",
  };
}
