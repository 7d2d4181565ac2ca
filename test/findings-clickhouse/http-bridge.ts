/**
 * The part of ClickHouse's HTTP interface that the command line uses, over the embedded engine: a query as the body of a
 * POST, `param_NAME`, settings, users, sessions, and errors by number.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ClickHouse } from "./clickhouse.ts";

export interface User {
  readonly password: string;
  /** `1` is a profile that may set nothing. */
  readonly readonly?: 1;
}

export interface Asked {
  readonly sql: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly session: string | undefined;
}

export interface Bridge {
  readonly url: string;
  readonly asked: Asked[];
  close(): Promise<void>;
}

// What the interface keeps for itself; everything else in the address is a setting or a parameter.
const OWN = new Set(["wait_end_of_query", "session_id", "session_timeout"]);
// Status by number, as ClickHouse has it; 500 otherwise.
const STATUS: Readonly<Record<number, number>> = { 47: 400, 60: 404, 62: 400, 81: 404, 159: 408, 516: 403 };

class Refused extends Error {
  readonly number: number;
  constructor(number: number, text: string) {
    super(`Code: ${number}. DB::Exception: ${text}`);
    this.number = number;
  }
}

export async function bridge(
  clickHouse: ClickHouse,
  users: Readonly<Record<string, User>> = { default: { password: "" } },
): Promise<Bridge> {
  const asked: Asked[] = [];
  let lastSession: string | undefined;

  function answer(request: IncomingMessage, body: string): string {
    const user = users[String(request.headers["x-clickhouse-user"] ?? "default")];
    if (user === undefined || user.password !== (request.headers["x-clickhouse-key"] ?? ""))
      throw new Refused(516, "Authentication failed");
    const { searchParams } = new URL(request.url ?? "", "http://localhost");
    const parameters: Record<string, string> = {};
    const settings: Record<string, string> = {};
    for (const [name, value] of searchParams) {
      if (name.startsWith("param_")) parameters[name.slice(6)] = unescaped(value);
      else if (!OWN.has(name)) settings[name] = value;
    }
    if (user.readonly === 1 && Object.keys(settings).length > 0)
      throw new Refused(164, "Cannot modify a setting in readonly mode");
    const session = searchParams.get("session_id") ?? undefined;
    // The engine has one session for all; a temporary table is gone when the next one begins.
    if (session !== lastSession) clickHouse.run("DROP TABLE IF EXISTS trustabl_rows");
    lastSession = session;
    asked.push({ sql: body, settings, session });
    const all = user.readonly === 1 ? { readonly: "1" } : settings;
    const list = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
    return clickHouse.answer({
      sql: list.length === 0 ? body : `${body}\nSETTINGS ${list.join(", ")}`,
      parameters,
    });
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.method !== "POST") return refuse(response, 62, 400, "POST only");
      try {
        response.end(answer(request, Buffer.concat(chunks).toString("utf8")));
      } catch (error) {
        const { message } = error as Error;
        const number = Number(/Code: (\d+)/.exec(message)?.[1] ?? 1002);
        refuse(response, number, STATUS[number] ?? 500, message);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function refuse(response: ServerResponse, number: number, status: number, text: string): void {
  response.writeHead(status, { "X-ClickHouse-Exception-Code": String(number) }).end(`${text}\n`);
}

const unescaped = (value: string): string =>
  value.replaceAll(/\\(.)/g, (_, one: string) => ({ t: "\t", n: "\n" })[one] ?? one);
