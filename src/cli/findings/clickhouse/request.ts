/**
 * One query over ClickHouse's HTTP interface. Of `@clickhouse/client` one function would be used, `npx` would have to be
 * told of a second package, and how large an answer may be would have to be watched here all the same.
 *
 * @module
 */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { ClickHouseAddress } from "./address.ts";
import {
  ClickHouseError,
  notClickHouse,
  refusal,
  tooMuch,
  tooSlow,
  unreachable,
} from "./clickhouse-error.ts";

/** A query and what goes with it. */
export interface ClickHouseRequest {
  readonly sql: string;
  /** Values of `{name:Type}`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Settings, and other parameters of the interface. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Bounds of one request. */
export interface RequestLimits {
  readonly milliseconds: number;
  readonly bytes: number;
}

/**
 * Sends the query; gives the lines of the answer, each an object.
 *
 * @throws {ClickHouseError}
 */
export async function askClickHouse(
  { url, user, password }: ClickHouseAddress,
  { sql, parameters, settings }: ClickHouseRequest,
  limits: RequestLimits,
): Promise<Record<string, unknown>[]> {
  const target = new URL(url);
  for (const [name, value] of Object.entries(settings)) target.searchParams.set(name, value);
  for (const [name, value] of Object.entries(parameters))
    target.searchParams.set(`param_${name}`, escaped(value));
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    "X-ClickHouse-Format": "JSONEachRow",
    ...(user === undefined ? {} : { "X-ClickHouse-User": latin1(user) }),
    ...(password === undefined ? {} : { "X-ClickHouse-Key": latin1(password) }),
  };
  const deadline = AbortSignal.timeout(limits.milliseconds);
  try {
    return linesOf(await exchange(target, headers, sql, deadline, limits.bytes));
  } catch (error) {
    if (error instanceof ClickHouseError) throw error;
    if (deadline.aborted) throw tooSlow();
    throw unreachable((error as NodeJS.ErrnoException).code);
  }
}

// Node writes headers as Latin-1; ClickHouse reads the bytes as UTF-8.
const latin1 = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

// Values come in the escaped form of tab-separated files.
const escaped = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n");

async function exchange(
  target: URL,
  headers: Readonly<Record<string, string>>,
  sql: string,
  signal: AbortSignal,
  maxBytes: number,
): Promise<string> {
  const send = target.protocol === "https:" ? httpsRequest : httpRequest;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    // Redirects are not followed: credentials would go along. An agent of its own leaves no open connection behind.
    // The body goes as bytes: with a text Node writes the headers in the encoding of the body.
    send(target, { method: "POST", headers, signal, agent: false }, resolve)
      .on("error", reject)
      .end(Buffer.from(sql, "utf8"));
  });
  const { statusCode = 0 } = response;
  const code = numberOf(response.headers["x-clickhouse-exception-code"]);
  if (statusCode !== 200 || code !== undefined) {
    response.destroy();
    throw refusal(code, statusCode);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) throw tooMuch();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function numberOf(header: string | string[] | undefined): number | undefined {
  const [, digits] = /^(\d{1,6})$/.exec(String(header ?? "")) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function linesOf(text: string): Record<string, unknown>[] {
  const lines = text.split("\n").filter((line) => line !== "");
  try {
    return lines.map((line) => {
      const value: unknown = JSON.parse(line);
      if (typeof value !== "object" || value === null || Array.isArray(value)) throw notClickHouse();
      return value as Record<string, unknown>;
    });
  } catch {
    throw notClickHouse();
  }
}
