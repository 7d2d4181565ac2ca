import { expect, it } from "vitest";
import { findings } from "../../src/findings/index.ts";
import { FingerprintKey, prepareVolatileKeys, wireFp } from "../../src/fingerprint/index.ts";
import { type CallParts, call, root } from "../verify/support/build.ts";

/** Fingerprints of one run, by the value. */
type Fingerprints = (value: unknown) => string;
const unkeyed: Fingerprints = (value) => wireFp(value, prepareVolatileKeys());
const ofOneRun = (): Fingerprints => {
  const key = new FingerprintKey(crypto.getRandomValues(new Uint8Array(32)));
  return (value) => wireFp(value, prepareVolatileKeys(), key);
};

/** A run in which an agent loops, retries, and calls a pure tool that is none. */
function run(id: string, fingerprintOf: Fingerprints) {
  const own = { trace: id.repeat(32) };
  const labelled = (name: string, step: number, parts: CallParts) => {
    const { args = {}, result = { found: name } } = parts;
    return call(`${id}${name}`, {
      ...own,
      step,
      parent: `${id}root`,
      ...parts,
      args,
      result,
      attributes: {
        "trustabl.run_id": `run ${id}`,
        "trustabl.tool.input_fp": fingerprintOf(args),
        "trustabl.tool.output_fp": fingerprintOf(result),
        ...parts.attributes,
      },
    });
  };
  const same = { tool: "search", args: { phone: "+1 415 555 0100" }, result: "busy" };
  const failed = { "trustabl.tool.error_class": "timeout" };
  const pure = { "trustabl.tool.side_effect": "pure" };
  return [
    root(`${id}root`, { ...own, attributes: { "trustabl.run_id": `run ${id}` } }),
    ...[1, 2, 3, 4].map((attempt) =>
      labelled(`s${attempt}`, attempt - 1, { ...same, attempt, attributes: failed }),
    ),
    labelled("p1", 4, { tool: "price", args: { of: "x" }, result: 1, attributes: pure }),
    labelled("p2", 5, { tool: "price", args: { of: "x" }, result: 2, attempt: 2, attributes: pure }),
    labelled("other", 6, { tool: "search", args: { phone: "+1 415 555 0101" } }),
  ];
}

const found = (one: Fingerprints, two: Fingerprints) =>
  findings([...run("a", one), ...run("b", two)]).findings.map(({ rule, runId, span }) => ({
    rule,
    runId,
    span,
  }));

it("rules find the same in runs with a key of their own, since they compare within a run", () => {
  const expected = found(unkeyed, unkeyed);
  const rules = new Set(expected.map(({ rule }) => rule));
  for (const rule of ["tool_loop", "false_idempotent", "retry_storm"]) expect(rules).toContain(rule);
  expect(found(ofOneRun(), ofOneRun())).toEqual(expected);
});
