/** What the example under examples/ai-sdk really exports, and copies of it with one thing changed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { startOtlpReceiver } from "../../../src/otlp-receiver/index.ts";
import { REPOSITORY } from "./binary.ts";

export interface JsonAttribute {
  readonly key: string;
  value: Record<string, unknown>;
}

export interface JsonSpan {
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: JsonAttribute[];
  events: { name: string; attributes: JsonAttribute[] }[];
}

interface JsonExport {
  resourceSpans: { scopeSpans: { spans: JsonSpan[] }[] }[];
}

/** Runs the example, and returns its export as JSON Lines. */
export async function exportExample(): Promise<string> {
  const lines: string[] = [];
  const receiver = await startOtlpReceiver({
    port: 0,
    onTraces: (request) => {
      lines.push(`${JSON.stringify(request)}\n`);
      return undefined;
    },
  });
  const child = spawn(process.execPath, ["--import", "tsx", "examples/ai-sdk/main.ts"], {
    cwd: REPOSITORY,
    env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  await receiver.close();
  if (code !== 0 || lines.length === 0) throw new Error("the example did not export anything");
  return lines.join("");
}

/** The export with its spans changed by `change`. */
export function changed(text: string, change: (spans: JsonSpan[]) => void): string {
  const values = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as JsonExport);
  const spans = values.flatMap((value) =>
    value.resourceSpans.flatMap((one) => one.scopeSpans.flatMap((two) => two.spans)),
  );
  change(spans);
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

/** The export without any label. */
export const unlabelled = (text: string): string =>
  changed(text, (spans) => {
    for (const span of spans) {
      span.attributes = span.attributes.filter(({ key }) => !key.startsWith("trustabl."));
      span.events = span.events.filter(({ name }) => !name.startsWith("trustabl."));
    }
  });
