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
  /** Runs with spans in this trace. */
  readonly runs = new Set<RunState>();
  /** True when some check asks about one of the spans. */
  notable = false;
  /** Calls that ran, by the id of the tool span, and whether they failed; only where the instrumentation says. */
  readonly executions = new Map<string, boolean>();
  #pool: ContentPool | undefined;

  constructor(id: string, late: boolean) {
    this.id = id;
    this.late = late;
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

  /** Adds or replaces a span. */
  put(record: SpanRecord): void {
    this.records.set(record.id, record);
    if (isNotable(record)) this.notable = true;
    if (record.parentId !== undefined && EXECUTION_SPANS.has(record.name)) {
      const failed = this.executions.get(record.parentId) === true;
      this.executions.set(record.parentId, failed || record.failed);
    }
  }
}
