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
  | "cannot_run";

/** Ends a command with one sentence on stderr and exit code 2. The sentence says what to do. */
export class CliError extends TrustablError<CliErrorCode> {}
