/** The mark on the test that shows one cell of the matrix. */
// Without an import of it, the declaration below is of a module that tsc does not know.
import type {} from "vitest";
import type { TableId } from "./results.ts";

/** One cell; read by `results-reporter.ts`. */
export interface Cell {
  readonly table: TableId;
  readonly row: string;
  readonly column: string;
  /** Why it is not as elsewhere. */
  readonly note?: string;
}

declare module "vitest" {
  interface TaskMeta {
    cell?: Cell;
  }
}

/** Options of a test that shows a cell. */
export function cell(table: TableId, row: string, column: string, note?: string): { meta: { cell: Cell } } {
  return { meta: { cell: { table, row, column, ...(note === undefined ? {} : { note }) } } };
}
