/**
 * Counting what one check says, and keeping the first findings.
 *
 * @module
 */
import { type Check, type Detail, docsOf, type Subject, type Tell } from "../checks/check.ts";
import type { VerifySettings } from "../options.ts";
import type { CheckResult, Finding, Level, Outcome, SpanReference } from "../report.ts";
import { CHECK_FAILED } from "./judge-span.ts";
import { KeptSmallest } from "./kept-smallest.ts";
import { compareText, type SpanAnchor } from "./span-record.ts";

const MAX_NOTES = 8;
const CHECK_FAILED_MESSAGE = "The check itself failed on these spans; this is a fault of the verifier.";

interface Kept {
  readonly finding: Finding;
  readonly start: number;
  readonly key: string;
}

/** What one check has said so far. */
export class Tally implements Tell<Subject> {
  readonly check: Check;
  readonly #level: Level;
  readonly #run: string | undefined;
  readonly #maxFindings: number;
  readonly #failed: KeptSmallest<Kept>;
  readonly #unknown: KeptSmallest<Kept>;
  readonly #notes = new Set<string>();
  #passed = 0;

  constructor(check: Check, settings: VerifySettings) {
    this.check = check;
    this.#level = settings.strict ? "error" : check.level;
    this.#run = settings.run;
    this.#maxFindings = settings.maxFindings;
    this.#failed = new KeptSmallest(settings.maxFindings, byTime);
    this.#unknown = new KeptSmallest(settings.maxFindings, byTime);
  }

  pass(about: Subject): void {
    if (this.#isAsked(about)) this.#passed += 1;
  }

  fail(reason: string, about: Subject, detail: Detail = {}): void {
    if (this.#isAsked(about)) this.#failed.add(this.#kept("fail", reason, about, detail));
  }

  unknown(reason: string, about: Subject, detail: Detail = {}): void {
    if (this.#isAsked(about)) this.#unknown.add(this.#kept("unknown", reason, about, detail));
  }

  note(text: string): void {
    if (this.#notes.size < MAX_NOTES) this.#notes.add(text);
  }

  /** Lets the check judge. One that throws has not judged: it says `unknown`, about everything it was given. */
  guard(judge: () => void): void {
    try {
      judge();
    } catch {
      this.unknown(CHECK_FAILED, { span: undefined, runId: this.#run });
    }
  }

  result(): CheckResult {
    const { check } = this;
    const counts = { pass: this.#passed, fail: this.#failed.count, unknown: this.#unknown.count };
    const outcome = outcomeOf(counts);
    const kept = [...this.#failed.sorted(), ...this.#unknown.sorted()];
    const findings = kept.slice(0, this.#maxFindings).map(({ finding }) => finding);
    return {
      id: check.id,
      title: check.title,
      level: this.#level,
      outcome,
      counts,
      findings,
      omitted: counts.fail + counts.unknown - findings.length,
      notes: [...this.#notes].sort(),
      message: findings[0]?.message ?? (outcome === "not-applicable" ? check.notApplicable : check.pass),
      fix: check.fix,
      docs: docsOf(check.id),
    };
  }

  #isAsked({ runId }: Subject): boolean {
    return this.#run === undefined || runId === this.#run;
  }

  #kept(outcome: "fail" | "unknown", reason: string, { span, runId }: Subject, detail: Detail): Kept {
    const { attribute, observed, expected, related } = detail;
    const finding: Finding = {
      check: this.check.id,
      outcome,
      level: this.#level,
      reason,
      message: this.#messageOf(outcome, reason),
      span: span && referenceOf(span),
      related: related && referenceOf(related),
      runId,
      attribute,
      observed,
      expected,
    };
    const key = [span?.traceId, span?.spanId, runId, reason, attribute, observed, expected].join("\n");
    return { finding, start: span?.start ?? Number.POSITIVE_INFINITY, key };
  }

  #messageOf(outcome: "fail" | "unknown", reason: string): string {
    if (reason === CHECK_FAILED) return CHECK_FAILED_MESSAGE;
    return this.check[outcome][reason] ?? reason;
  }
}

function outcomeOf(counts: CheckResult["counts"]): Outcome {
  if (counts.fail > 0) return "fail";
  if (counts.unknown > 0) return "unknown";
  return counts.pass > 0 ? "pass" : "not-applicable";
}

/** The part of an anchor that a report shows. */
export function referenceOf({ traceId, spanId, name, source, line }: SpanAnchor): SpanReference {
  return { traceId, spanId, name, source, line };
}

function byTime(a: Kept, b: Kept): number {
  return a.start - b.start || compareText(a.key, b.key);
}
