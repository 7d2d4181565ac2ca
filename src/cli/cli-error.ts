/**
 * What a person at the command line has to put right.
 *
 * @module
 */
import { TrustablError } from "../errors.ts";

/** Why a command could not do its work. */
export type CliErrorCode =
  | "unknown_command"
  | "unknown_option"
  | "bad_option"
  | "bad_argument"
  | "unreadable"
  | "cannot_write"
  | "cannot_listen"
  | "cannot_run"
  | ClickHouseErrorCode;

/** Why a ClickHouse server could not be asked. */
export type ClickHouseErrorCode =
  | "cannot_connect"
  | "not_authenticated"
  | "not_allowed"
  | "no_table"
  | "no_column"
  | "too_old"
  | "too_slow"
  | "too_much"
  | "server_refused"
  | "not_clickhouse";

/** Ends a command with one sentence on stderr and exit code 2. The sentence says what to do. */
export class CliError extends TrustablError<CliErrorCode> {}
