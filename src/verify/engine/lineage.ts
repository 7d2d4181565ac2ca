/**
 * What stands above a span in its trace. Computed for all spans of a trace at once, without recursion: exports
 * can hold chains of any length, and loops.
 *
 * @module
 */
import { isNotable, type NotableSpan, type SpanRecord } from "./span-record.ts";

/** What stands above a span. */
export interface Lineage {
  /** Nearest tool or agent. */
  readonly actor: NotableSpan | undefined;
  /** Nearest tool, when no agent stands between. */
  readonly tool: NotableSpan | undefined;
  /** Outermost agent. A span that says how a run ended counts as one. */
  readonly topAgent: NotableSpan | undefined;
  /** Nearest span that carries a run id and is no tool. */
  readonly owner: NotableSpan | undefined;
  /** Nearest span that some check asks about. */
  readonly notable: NotableSpan | undefined;
  /** False when an ancestor is missing: the links end at a span that is not there, or in a loop. */
  readonly complete: boolean;
}

const TOP: Lineage = {
  actor: undefined,
  tool: undefined,
  topAgent: undefined,
  owner: undefined,
  notable: undefined,
  complete: true,
};
const BROKEN: Lineage = { ...TOP, complete: false };

/** The lineages of one trace's spans. */
export class Lineages {
  readonly #records: ReadonlyMap<string, SpanRecord>;
  /** What a span's children have above them; `undefined` while it is being found out. */
  readonly #below = new Map<SpanRecord, Lineage | undefined>();

  constructor(records: ReadonlyMap<string, SpanRecord>) {
    this.#records = records;
  }

  /** What stands above the span. */
  of(record: SpanRecord): Lineage {
    if (record.parentId === undefined) return TOP;
    const parent = this.#records.get(record.parentId);
    return parent === undefined ? BROKEN : this.#belowOf(parent);
  }

  #belowOf(record: SpanRecord): Lineage {
    // Up to the first ancestor that is known, then down again.
    const path: SpanRecord[] = [];
    let above: Lineage | undefined;
    for (let at: SpanRecord | undefined = record; above === undefined; ) {
      if (this.#below.has(at)) {
        // Known, or met a second time on the way up: a loop.
        above = this.#below.get(at) ?? BROKEN;
        break;
      }
      path.push(at);
      this.#below.set(at, undefined);
      if (at.parentId === undefined) above = TOP;
      else {
        const parent: SpanRecord | undefined = this.#records.get(at.parentId);
        if (parent === undefined) above = BROKEN;
        else at = parent;
      }
    }
    for (let at = path.pop(); at !== undefined; at = path.pop()) {
      above = isNotable(at) ? extend(above, at) : above;
      this.#below.set(at, above);
    }
    return above;
  }
}

function extend(above: Lineage, span: NotableSpan): Lineage {
  const { role, labels } = span.facts;
  const isTool = role === "tool";
  const isAgent = role === "agent" || (!isTool && typeof labels?.["trustabl.exit_reason"] === "string");
  return {
    actor: isTool || isAgent ? span : above.actor,
    tool: isTool ? span : isAgent ? undefined : above.tool,
    topAgent: above.topAgent ?? (isAgent ? span : undefined),
    owner: !isTool && typeof labels?.["trustabl.run_id"] === "string" ? span : above.owner,
    notable: span,
    complete: above.complete,
  };
}
