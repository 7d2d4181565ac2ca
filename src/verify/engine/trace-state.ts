/**
 * A trace while its spans arrive.
 *
 * @module
 */
import { ContentPool } from "../evidence/content-pool.ts";
import type { RunState } from "./run-state.ts";
import { isNotable, type SpanRecord } from "./span-record.ts";

/**
 * Spans that exist only when the call above them really ran, by name. Claude Code makes a tool span for a refused
 * call too, and puts the failure of one that ran on this span only.
 */
const EXECUTION_SPANS: ReadonlySet<string> = new Set(["claude_code.tool.execution"]);

// Captured texts are kept too: so many characters weigh as much as a span.
const CHARACTERS_PER_SPAN = 128;

/** The spans of one trace so far. */
export class TraceState {
  readonly id: string;
  /** The trace was sealed before, and these spans came after. */
  readonly late: boolean;
  readonly records = new Map<string, SpanRecord>();
  /** Runs with spans in this trace; nearly always one. */
  readonly runs: RunState[] = [];
  /** True when some check asks about one of the spans. */
  notable = false;
  #hasTop = false;
  #pool: ContentPool | undefined;
  /** Spans that others name as their parent and that are not there. */
  #missing: Set<string> | undefined;
  /** Calls that ran, by the id of the tool span, and whether they failed; only where the instrumentation says. */
  #executions: Map<string, boolean> | undefined;

  /** @param pool what was captured, where it is known already */
  constructor(id: string, late: boolean, pool?: ContentPool) {
    this.id = id;
    this.late = late;
    this.#pool = pool;
  }

  /** What the framework captured in this trace. */
  get pool(): ContentPool {
    this.#pool ??= new ContentPool();
    return this.#pool;
  }

  /** True when something was captured. */
  get hasContent(): boolean {
    return this.#pool !== undefined && this.#pool.size > 0;
  }

  /** What the trace takes of the window: one for each span, and its captured texts. */
  get weight(): number {
    return this.records.size + Math.ceil((this.#pool?.size ?? 0) / CHARACTERS_PER_SPAN);
  }

  /** True when the first span is there and no parent is missing. */
  get isSettled(): boolean {
    return this.#hasTop && (this.#missing === undefined || this.#missing.size === 0);
  }

  /** Whether the call of this tool span ran and failed; `undefined` when nothing says that it ran. */
  execution(spanId: string): "ran" | "failed" | undefined {
    const failed = this.#executions?.get(spanId);
    return failed === undefined ? undefined : failed ? "failed" : "ran";
  }

  /** Adds or replaces a span. */
  put(record: SpanRecord): void {
    this.records.set(record.id, record);
    this.#missing?.delete(record.id);
    if (isNotable(record)) this.notable = true;
    if (record.parentId === undefined) {
      this.#hasTop = true;
      return;
    }
    if (!this.records.has(record.parentId)) {
      this.#missing ??= new Set();
      this.#missing.add(record.parentId);
    }
    if (EXECUTION_SPANS.has(record.name)) {
      this.#executions ??= new Map();
      const failed = this.#executions.get(record.parentId) === true;
      this.#executions.set(record.parentId, failed || record.failed);
    }
  }
}
