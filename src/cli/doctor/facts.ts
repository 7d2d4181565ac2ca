/**
 * What the doctor looks at. Gathering facts and judging them are kept apart, so that every judgement can be tested
 * without an installation that has the fault.
 *
 * @module
 */

/** A package on the disk. */
export interface InstalledPackage {
  readonly version: string;
  /** Relative to the folder that is looked at, where that is shorter. */
  readonly path: string;
}

/** One installed copy of a package that should be there once. */
export interface PackageCopy extends InstalledPackage {
  /** Names of packages that resolve this copy; `.` is the application itself. */
  readonly usedBy: readonly string[];
}

/** What is installed in and above a folder, as its package.json reaches it. */
export interface InstalledFacts {
  /** Of `@opentelemetry/api`. */
  readonly apiCopies: readonly PackageCopy[];
  /** Of this package. */
  readonly labelsCopies: readonly PackageCopy[];
  /** Packages whose mere presence or version matters, by name. */
  readonly packages: Readonly<Record<string, InstalledPackage | undefined>>;
}

/** Limits of the spans that the running provider makes, as they were seen on a span. */
export interface SeenLimits {
  /** Characters that a value keeps, of the 64 it was given. */
  readonly valueLength: number;
  /** Attributes that a span keeps, of the 64 it was given. */
  readonly attributes: number;
  /** Events that a span keeps, of the 16 it was given. */
  readonly events: number;
  /** Attributes that an event keeps, of the 8 it was given. */
  readonly attributesOfEvent: number;
}

/** What runs once the application's telemetry is set up. */
export interface RunningFacts {
  /** Version of the copy of `@opentelemetry/api` that registered first. */
  readonly apiVersion: string | undefined;
  readonly hasProvider: boolean;
  /** Whether a new span records. */
  readonly records: boolean;
  /** Whether the active context survives an `await`. */
  readonly contextManager: "works" | "missing" | "broken";
  /** Missing where the spans of the provider show nothing of themselves. */
  readonly limits: SeenLimits | undefined;
}

/** Everything. */
export interface Facts {
  readonly installed: InstalledFacts;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Missing when no set-up was loaded. */
  readonly running: RunningFacts | undefined;
}
