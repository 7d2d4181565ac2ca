/**
 * What went wrong with a ClickHouse server, and what to do. The server's own texts are never shown: they repeat parts of
 * the query and of the data.
 *
 * @module
 */
import { type ClickHouseErrorCode, CliError } from "../../cli-error.ts";

/** A failure of the server or of the way to it. `server` is ClickHouse's number of the error. */
export class ClickHouseError extends CliError {
  readonly server: number | undefined;

  constructor(code: ClickHouseErrorCode, message: string, server?: number) {
    super(code, message);
    this.server = server;
  }
}

/** ClickHouse's numbers of errors that are handled apart. */
export const SERVER_ERRORS = {
  unknownIdentifier: 47,
  noSuchColumn: 16,
  unknownTable: 60,
  unknownDatabase: 81,
  readonly: 164,
  accessDenied: 497,
} as const;

type Row = readonly [code: ClickHouseErrorCode, message: string];

const NO_TABLE: Row = [
  "no_table",
  "ClickHouse has no such table; name the one of the Collector's ClickHouse exporter with --table DATABASE.NAME",
];
const NO_LOGIN: Row = [
  "not_authenticated",
  "ClickHouse does not take this user or password; set CLICKHOUSE_USER and CLICKHOUSE_PASSWORD",
];
const NO_COLUMN: Row = [
  "no_column",
  "the table lacks columns; it has to be the table of spans that the Collector's ClickHouse exporter makes",
];
const TOO_MUCH: Row = [
  "too_much",
  "ClickHouse stopped at a limit of memory or rows; take a shorter time with --from and --to",
];
const TOO_SLOW: Row = [
  "too_slow",
  "ClickHouse did not answer in time; take a shorter time with --from and --to, or give more with --timeout",
];
const TOO_OLD: Row = ["too_old", "this ClickHouse does not know the SQL; it has to be 24.4 or later"];

const ROWS: Readonly<Record<number, Row>> = {
  [SERVER_ERRORS.noSuchColumn]: NO_COLUMN,
  [SERVER_ERRORS.unknownIdentifier]: NO_COLUMN,
  46: TOO_OLD,
  [SERVER_ERRORS.unknownTable]: NO_TABLE,
  62: TOO_OLD,
  [SERVER_ERRORS.unknownDatabase]: NO_TABLE,
  158: TOO_MUCH,
  159: TOO_SLOW,
  160: TOO_SLOW,
  192: NO_LOGIN,
  193: NO_LOGIN,
  194: NO_LOGIN,
  202: ["server_refused", "ClickHouse is busy: too many queries at the same time; try again"],
  241: TOO_MUCH,
  307: TOO_MUCH,
  396: TOO_MUCH,
  [SERVER_ERRORS.accessDenied]: [
    "not_allowed",
    "this user may not read the table; it needs GRANT SELECT on it, and nothing else",
  ],
  516: NO_LOGIN,
};

/** The error for an answer that is none: by ClickHouse's number, else by the status of HTTP. */
export function refusal(server: number | undefined, status: number): ClickHouseError {
  const row = server === undefined ? undefined : ROWS[server];
  if (row !== undefined) return new ClickHouseError(row[0], `${row[1]} (error ${server})`, server);
  if (server !== undefined)
    return new ClickHouseError("server_refused", `ClickHouse refused the query (error ${server})`, server);
  if (status === 401 || status === 403) return new ClickHouseError(...NO_LOGIN);
  return new ClickHouseError(
    "not_clickhouse",
    `what answers there is not ClickHouse's HTTP interface (status ${status}); its port is 8123, or 8443 with https`,
  );
}

/** The error for a connection that failed. */
export function unreachable(code: string | undefined): ClickHouseError {
  const why = WHY[code ?? ""] ?? (/CERT|SSL|TLS|SELF_SIGNED/.test(code ?? "") ? CERTIFICATE : "");
  return new ClickHouseError(
    "cannot_connect",
    `cannot reach ClickHouse${why === "" ? "" : `: ${why}`}; check the address of --clickhouse`,
  );
}

const CERTIFICATE =
  "the certificate of the server is not trusted (NODE_EXTRA_CA_CERTS names a file with more authorities)";
const WHY: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the host's name cannot be looked up",
  ECONNRESET: "the connection was cut",
  EPROTO: "it does not speak https",
  ETIMEDOUT: "the host does not answer",
};

/** The errors that are raised on this side. */
export const tooSlow = (): ClickHouseError => new ClickHouseError(...TOO_SLOW);
export const tooMuch = (): ClickHouseError => new ClickHouseError(...TOO_MUCH);
export const tooOld = (): ClickHouseError => new ClickHouseError(...TOO_OLD);
export const notClickHouse = (): ClickHouseError =>
  new ClickHouseError("not_clickhouse", "what answers there does not answer as ClickHouse does");
export const noColumns = (names: readonly string[]): ClickHouseError =>
  new ClickHouseError("no_column", `${NO_COLUMN[1]}: ${names.join(", ")}`, SERVER_ERRORS.unknownIdentifier);
