/** Runs the flight desk, then checks its spans and shows them with their labels. Exits 1 when a check fails. */
import { fileURLToPath } from "node:url";
import { loadPolicies } from "agent-reliability-otel-labels/policies";
import { formatReport, verify } from "agent-reliability-otel-labels/verify";
import { runFlightDesk } from "./agent.ts";
import { exportsToCollector, startTelemetry } from "./telemetry.ts";

const { memory, provider } = startTelemetry();
// Only policies whose signature was verified are bound; the run refuses to start without a required one.
const policies = await loadPolicies(fileURLToPath(new URL("policies/policies.json", import.meta.url)));
const answer = await runFlightDesk("Find me a flight from San Francisco to New York.", policies);
await provider.forceFlush();

const report = verify(memory.getFinishedSpans());
const color = process.stdout.isTTY && !process.env.NO_COLOR;
console.log(formatReport(report, { format: "text", color }));
console.log(`The agent says: ${answer}`);
if (!exportsToCollector) console.log("Set OTEL_EXPORTER_OTLP_ENDPOINT to send the spans to a collector too.");
await provider.shutdown();
process.exitCode = report.verdict === "pass" ? 0 : 1;
