/**
 * Where a ClickHouse server is, and who asks.
 *
 * @module
 */
import { CliError } from "../../cli-error.ts";
import type { CliIo } from "../../io.ts";

/** A server, and credentials that go into headers and nowhere else. */
export interface ClickHouseAddress {
  /** Without credentials. */
  readonly url: URL;
  readonly user: string | undefined;
  readonly password: string | undefined;
}

const EXAMPLE = "http://localhost:8123";

/**
 * Reads `--clickhouse`. The variables are those of ClickHouse's own client; what stands in the address counts more.
 *
 * @throws {CliError} which never holds the address: a password may stand in it
 */
export function clickHouseAddress(text: string, { env }: CliIo): ClickHouseAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new CliError(
      "bad_option",
      `--clickhouse needs the address of ClickHouse's HTTP interface, such as ${EXAMPLE}`,
    );
  }
  if (url.search !== "" || url.hash !== "") {
    throw new CliError(
      "bad_option",
      "--clickhouse takes an address without ? and #; the database goes into --table DATABASE.NAME",
    );
  }
  const user = decoded(url.username) || env.CLICKHOUSE_USER || undefined;
  const password = decoded(url.password) || env.CLICKHOUSE_PASSWORD || undefined;
  for (const one of [user, password]) {
    // Headers are one line of Latin-1 for some proxies; ClickHouse itself reads UTF-8.
    if (one !== undefined && CONTROLS.test(one))
      throw new CliError("bad_option", "the user or the password of ClickHouse holds control characters");
  }
  url.username = "";
  url.password = "";
  return { url, user, password };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f]/;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
