/** The scenarios that every framework goes through, and the mark on the test that shows one. */
// Without an import, the declaration below is of a module that tsc does not know.
import type {} from "vitest";

/** What each scenario is, as the table in `docs/frameworks.md` names it. */
export const SCENARIOS = {
  sequence: "three identical calls in sequence",
  parallel: "identical calls at the same time",
  throws: "a tool that throws",
  "returned-failure": "a failure that is returned",
  delegation: "a delegated agent",
  streaming: "a streamed run",
  "two-runs": "two runs at the same time",
  "application-span": "an application's own span around it all, left alone",
  "telemetry-off": "telemetry off: nothing written, nothing thrown",
  "approval-granted": "an approval that is granted",
  "approval-refused": "an approval that is refused",
} as const;

export type ScenarioId = keyof typeof SCENARIOS;

/** Which scenarios a passed test showed; read by `scripts/scenario-reporter.ts`. */
export interface ScenarioMark {
  readonly row: string;
  readonly ids: readonly ScenarioId[];
}

declare module "vitest" {
  interface TaskMeta {
    scenario?: ScenarioMark;
  }
}

/**
 * Options of a test that shows a scenario.
 *
 * @param row framework, version and instrumentation: a row of the table
 * @example `it("labels …", scenario("Strands 1.19", ["sequence", "application-span"]), async () => { … })`
 */
export function scenario(
  row: string,
  ids: ScenarioId | readonly ScenarioId[],
): { meta: { scenario: ScenarioMark } } {
  return { meta: { scenario: { row, ids: typeof ids === "string" ? [ids] : ids } } };
}
