/** What `results.json` holds. Apart, since the generator of the document reads it too, with other packages around. */

/** The tables of `docs/runtimes.md`. */
export type TableId = "runtimes" | "typescript" | "bundlers";

/** A table as rows of cells: `true`, or the reason why it is not as elsewhere. */
export type Results = Partial<Record<TableId, Record<string, Record<string, true | string>>>>;
