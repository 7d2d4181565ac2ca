/** The public bug reports that `test/public-bug-reports` goes through, one file of them for each field. */
import { readdirSync, readFileSync } from "node:fs";

/** A test, by the file that it is in and a text there that tells which one. */
interface NamedTest {
  readonly file: string;
  readonly name: string;
}

export interface PublicBugReport {
  /** Where it was reported. */
  readonly report: string;
  /** The symptom, in a few words. */
  readonly title: string;
  /** The tests that would fail if the fault were here. */
  readonly tests?: readonly NamedTest[];
  /** Why it does not apply; instead of tests. */
  readonly why?: string;
}

const FOLDER = new URL("../test/public-bug-reports/", import.meta.url);

export const publicBugReports = (): PublicBugReport[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .flatMap((name) => JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")) as PublicBugReport[]);
