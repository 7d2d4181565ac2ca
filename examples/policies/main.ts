/**
 * A deployment with three policies: two as they were signed, one that somebody changed afterwards. The run binds the two,
 * and the third is said to be missing and why. Exits 1 when anything else happens.
 */
import { fileURLToPath } from "node:url";
import { keys } from "agent-reliability-otel-labels";
import { loadPolicies } from "agent-reliability-otel-labels/policies";
import { verify } from "agent-reliability-otel-labels/verify";
import { runFlightDesk } from "../ai-sdk/agent.ts";
import { startTelemetry } from "../ai-sdk/telemetry.ts";

const policies = await loadPolicies(fileURLToPath(new URL("deployment/policies.json", import.meta.url)));
for (const { id, sha256 } of policies.verified) console.log(`verified  ${id}  ${sha256}`);
for (const { id, code, reason } of policies.failed) console.log(`refused   ${id}  ${code}: ${reason}`);

const { memory, provider } = startTelemetry();
await runFlightDesk("Find me a flight from San Francisco to New York.", policies);
await provider.forceFlush();

const spans = memory.getFinishedSpans();
const bound = spans
  .flatMap((span) => span.events)
  .filter((event) => event.name === keys.POLICY_BINDING_EVENT)
  .map(
    ({ attributes }) => `${attributes?.[keys.POLICY_BINDING_ID]} ${attributes?.[keys.POLICY_BINDING_SHA256]}`,
  );
console.log(`On the run's root span: ${bound.map((binding) => binding.split(" ")[0]).join(", ")}`);

const [check] = verify(spans, { only: ["policy-binding-valid"] }).checks;
console.log(`${check?.id}: ${check?.outcome}`);
await provider.shutdown();

const expected = policies.verified.map(({ id, sha256 }) => `${id} ${sha256}`);
const right = bound.join() === expected.join() && policies.failed.length === 1 && check?.outcome === "pass";
process.exitCode = right ? 0 : 1;
