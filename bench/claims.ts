/**
 * What a decision costs: `decide` on the 136 cases of the conformance suite.
 *
 * @module
 */
import {
  CONFIGURATIONS,
  type ConformanceCase,
  conformanceCases,
  decideCase,
} from "../src/claims/conformance/suite.ts";
import { type Effort, QUICK } from "./harness.ts";

/** The table, as Markdown. Percentiles, since a call waits for its own decision and not for the mean of all. */
export function claimTable(effort: Effort): string {
  const cases = conformanceCases();
  const rounds = effort === QUICK ? 20 : 200;
  const rows = CONFIGURATIONS.map((configuration) => {
    measure(cases, configuration, Math.ceil(rounds / 4));
    const times = measure(cases, configuration, rounds).sort((left, right) => left - right);
    const at = (share: number) => `${(times[Math.floor(times.length * share)]! * 1_000).toFixed(1)} µs`;
    return `| ${configuration} | ${at(0.5)} | ${at(0.95)} | ${at(0.99)} |`;
  });
  return ["| `decide`, 136 cases | p50 | p95 | p99 |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function measure(
  cases: readonly ConformanceCase[],
  configuration: (typeof CONFIGURATIONS)[number],
  rounds: number,
): number[] {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const one of cases) {
      const start = performance.now();
      decideCase(one, "trustabl", configuration);
      times.push(performance.now() - start);
    }
  }
  return times;
}
