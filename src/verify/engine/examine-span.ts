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
import { labelNames, readLabels } from "../evidence/labels.ts";
import { showsNoRun } from "../evidence/not-run.ts";
import type { VerifySettings } from "../options.ts";
import type { AttributeBag, SpanView } from "../span-view.ts";
import { SpanJudge } from "./judge-span.ts";
import { SharedTexts } from "./shared-texts.ts";
import type { SpanRecord, SpanRecordFacts, SpanVerdict } from "./span-record.ts";

const NAME_LENGTH = 80;
const ID_LENGTH = 256;
const MAX_NAMES = 4_096;

/** Looks at spans and keeps what the checks need. */
export class SpanExaminer {
  readonly #judge: SpanJudge;
  readonly #secrets: readonly string[];
  // Missing where no check asks: recomputing fingerprints takes more time than anything else here.
  readonly #fingerprints: FingerprintComparer | undefined;
  readonly #shared = new SharedTexts();
  // Names as they are shown.
  readonly #names = new Map<string, string>();

  constructor(settings: VerifySettings, checks: readonly Check[]) {
    this.#judge = new SpanJudge(checks);
    this.#secrets = settings.secrets;
    this.#fingerprints = checks.length === 0 ? undefined : new FingerprintComparer(settings);
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
    const names = labelNames(view.attributes);
    const policies = view.events.length === 0 ? 0 : view.events.filter(isPolicy).length;
    const ours = names.length > 0 || policies > 0 || view.events.some(isOurs);
    if (recognised === undefined && !ours) return undefined;
    const labels = readLabels(view.attributes, names);
    const known = labels?.known;
    const inputFp = textOf(known?.["trustabl.tool.input_fp"]);
    const runId = known?.["trustabl.run_id"];
    if (typeof runId === "string" && known !== undefined)
      known["trustabl.run_id"] = this.#shared.share(runId);
    const input = this.#fingerprints?.compare(
      inputFp,
      known === undefined ? undefined : captured.input,
      argumentValues,
    );
    const output = this.#fingerprints?.compare(
      textOf(known?.["trustabl.tool.output_fp"]),
      known === undefined ? undefined : captured.output,
      (content) => resultValues(content, failed),
    );
    return {
      role: recognised?.role,
      convention: recognised?.convention.id,
      scope: shortText(view.scope),
      toolName: this.#share(recognised?.toolName),
      callId: shortText(recognised?.callId),
      agentName: recognised?.role === "agent" ? this.#share(agentName(view.attributes)) : undefined,
      delegated: textOf(view.attributes["graph.node.parent_id"]) !== undefined,
      workflow: isWorkflow(view.attributes),
      repeats: recognised?.convention.id === "mcp" || (view.scope?.includes("instrumentation-mcp") ?? false),
      start: milliseconds(view.start) ?? 0,
      end: milliseconds(view.end),
      notRun: recognised !== undefined && showsNoRun(view, recognised.convention, captured.output?.content),
      labels: known,
      droppedAttributes: view.droppedAttributes > 0,
      policies,
      texts: ours ? this.#shared.shareList(labelTexts(view, names, this.#secrets)) : NO_TEXTS,
      input: input?.comparison ?? "not-captured",
      output: output?.comparison ?? "not-captured",
      capturedInputFp: input?.comparison === "same" ? inputFp : input?.capturedFp,
      verdicts: ours ? this.#judge.judge({ view, role: recognised?.role, labels }) : NO_VERDICTS,
      source: view.position?.source,
      line: view.position?.line,
    };
  }

  #share(text: unknown): string | undefined {
    const short = shortText(text);
    return short === undefined ? undefined : this.#shared.share(short);
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

const isPolicy = (event: { readonly name: string }): boolean => event.name === POLICY_BINDING_EVENT;

const isOurs = (event: { readonly name: string }): boolean => event.name.startsWith("trustabl.");

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const shortText = (value: unknown): string | undefined =>
  typeof value === "string" ? shortCopy(value, ID_LENGTH) : undefined;

// Milliseconds in a number are exact enough to order calls, and smaller than a bigint.
const milliseconds = (time: bigint | undefined): number | undefined =>
  time === undefined ? undefined : Number(time) / 1e6;

const agentName = (attributes: AttributeBag): unknown =>
  attributes["gen_ai.agent.name"] ?? attributes["graph.node.id"];

// The last two are Strands'.
const WORKFLOWS: ReadonlySet<unknown> = new Set(["invoke_workflow", "invoke_graph", "invoke_swarm"]);

const isWorkflow = (attributes: AttributeBag): boolean =>
  WORKFLOWS.has(attributes["gen_ai.operation.name"]) || attributes["traceloop.span.kind"] === "workflow";
