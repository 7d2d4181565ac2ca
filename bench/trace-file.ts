/**
 * A collector's JSON Lines file of realistic, correctly labelled runs: one export of one run a line, children first, as
 * SDKs export them.
 *
 * @module
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { canonicalFp } from "../src/index.ts";

// Deterministic ids: the file is the same each time.
let state = 42;
const random = () => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return state / 0x7fffffff;
};
const hex = (length: number) => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join("");

const attribute = (key: string, value: string | number) => ({
  key,
  value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
});

const tools = ["search_flights", "search_hotels", "get_fare", "book_flight"];

/** One run: a root, an agent span, and a model call and a tool call for each of six steps. */
function runLine(index: number): string {
  const traceId = hex(32);
  const [root, agent, runId] = [hex(16), hex(16), hex(16)];
  const begin = 1_790_000_000_000_000_000n + BigInt(index) * 1_000_000_000n;
  const at = (milliseconds: number) => String(begin + BigInt(milliseconds) * 1_000_000n);
  const span = (
    spanId: string,
    parentSpanId: string | undefined,
    name: string,
    from: number,
    to: number,
    attributes: object[],
  ) => ({
    traceId,
    spanId,
    parentSpanId,
    name,
    kind: 1,
    startTimeUnixNano: at(from),
    endTimeUnixNano: at(to),
    attributes,
    status: {},
  });
  const spans: object[] = [];
  const attempts = new Map<string, number>();
  for (let step = 0; step < 6; step += 1) {
    const name = tools[step % tools.length] ?? "";
    const args = { from: "SFO", to: "JFK", date: `2026-10-0${1 + (index % 9)}`, passengers: 1 + (step % 2) };
    const result = { flights: [{ flight: `XY ${index % 100}`, seats: 3, price: 249.5 }], request_id: hex(8) };
    const inputFp = canonicalFp(args);
    const attempt = (attempts.get(name + inputFp) ?? 0) + 1;
    attempts.set(name + inputFp, attempt);
    const from = step * 100;
    spans.push(
      span(hex(16), agent, "chat scripted", from, from + 40, [
        attribute("gen_ai.operation.name", "chat"),
        attribute("gen_ai.request.model", "scripted"),
        attribute("gen_ai.usage.input_tokens", 812),
        attribute("gen_ai.usage.output_tokens", 96),
      ]),
      span(hex(16), agent, `execute_tool ${name}`, from + 45, from + 90, [
        attribute("gen_ai.operation.name", "execute_tool"),
        attribute("gen_ai.tool.name", name),
        attribute("gen_ai.tool.call.id", `call_${step}`),
        attribute("gen_ai.tool.call.arguments", JSON.stringify(args)),
        attribute("gen_ai.tool.call.result", JSON.stringify(result)),
        attribute("trustabl.run_id", runId),
        attribute("trustabl.step_index", step),
        attribute("trustabl.tool.attempt", attempt),
        attribute("trustabl.tool.input_fp", inputFp),
        attribute("trustabl.tool.output_fp", canonicalFp(result)),
        attribute("trustabl.tool.side_effect", "read"),
      ]),
    );
  }
  spans.push(
    span(agent, root, "invoke_agent scripted", 0, 700, [attribute("gen_ai.operation.name", "invoke_agent")]),
    span(root, undefined, "POST /chat", 0, 710, [
      attribute("trustabl.run_id", runId),
      attribute("trustabl.exit_reason", "final_answer"),
    ]),
  );
  const resource = { attributes: [attribute("service.name", "bench")] };
  return `${JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "gen_ai" }, spans }] }] })}\n`;
}

/** Writes a file of at least `bytes`. */
export function writeTraceFile(path: string, bytes: number): void {
  const file = openSync(path, "w");
  try {
    let written = 0;
    for (let index = 0; written < bytes; ) {
      let chunk = "";
      while (chunk.length < 1_000_000) chunk += runLine(index++);
      written += writeSync(file, chunk);
    }
  } finally {
    closeSync(file);
  }
}
