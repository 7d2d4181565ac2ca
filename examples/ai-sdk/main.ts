/** Runs the flight desk, shows the spans with their labels, and checks them. Exits 1 when a check fails. */
import { runFlightDesk } from "./agent.ts";
import { startTelemetry } from "./telemetry.ts";

const { memory, provider } = startTelemetry();
const answer = await runFlightDesk("Find me a flight from San Francisco to New York.");
await provider.forceFlush();
const spans = memory.getFinishedSpans();
for (const s of spans)
  console.log(
    s.name,
    Object.fromEntries(Object.entries(s.attributes).filter(([k]) => k.startsWith("trustabl."))),
    s.events.map((e) => e.name),
  );
console.log(`Answer: ${answer}`);
await provider.shutdown();
