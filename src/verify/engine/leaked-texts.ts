/**
 * Taking content out of what is reported: a label that was found to hold content would otherwise be repeated wherever its
 * value is shown. The report of the checks and the findings of the rules both go through here.
 *
 * @module
 */
import type { SealedTrace } from "./sealed-trace.ts";
import type { NotableSpan } from "./span-record.ts";

const CONCEALED = "(withheld: it holds content)";
const MAX_LEAKED = 10_000;
// The members that hold one value of a label, and those that hold several by the names of the labels.
const VALUES: ReadonlySet<string> = new Set(["runId", "observed", "expected"]);
const VALUES_BY_LABEL: ReadonlySet<string> = new Set(["labels", "evidence"]);
const OURS = "trustabl.";

/** Texts of labels that hold content. */
export class LeakedTexts {
  readonly #texts = new Set<string>();

  /** Remembers one. */
  add(text: string): void {
    if (this.#texts.size < MAX_LEAKED) this.#texts.add(text);
  }

  /** Remembers what the labels of these spans hold of the content that was captured in their trace. */
  addFrom(trace: SealedTrace, spans: readonly NotableSpan[]): void {
    for (const span of spans) for (const { text } of trace.leaksOf(span)) this.add(text);
  }

  /** The same without the values that hold content. */
  concealedIn<Reported extends object>(reported: Reported): Reported {
    return this.#texts.size === 0 ? reported : (this.#conceal(reported, false) as Reported);
  }

  #conceal(value: unknown, isLabelValue: boolean): unknown {
    if (typeof value === "string") return isLabelValue && this.#isLeaked(value) ? CONCEALED : value;
    if (Array.isArray(value)) return value.map((member) => this.#conceal(member, false));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) =>
        VALUES_BY_LABEL.has(name)
          ? [name, this.#concealLabels(member as object)]
          : [name, this.#conceal(member, VALUES.has(name))],
      ),
    );
  }

  // Evidence also has names of tools and counts: those are no labels.
  #concealLabels(labels: object): unknown {
    return Object.fromEntries(
      Object.entries(labels).map(([name, value]) => [name, this.#conceal(value, name.startsWith(OURS))]),
    );
  }

  // With so many leaks that they are not all known, every value counts as one. Values of several spans are shown as
  // one text, with gaps between; to look into every value for every text would take a hostile export too long.
  #isLeaked(value: string): boolean {
    if (this.#texts.size >= MAX_LEAKED || this.#texts.has(value)) return true;
    return value.includes(" ") && [...this.#texts].some((text) => value.includes(text));
  }
}
