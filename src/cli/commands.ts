/**
 * Every command, in the order of the help text.
 *
 * @module
 */
import type { Command } from "./arguments/command.ts";
import { doctor } from "./doctor/command.ts";
import { fingerprint } from "./fingerprint.ts";
import { policiesHash } from "./policies/hash.ts";
import { policiesVerify } from "./policies/verify.ts";
import { verify } from "./verify/command.ts";

/** Every command. */
export const COMMANDS: readonly Command[] = [verify, doctor, fingerprint, policiesVerify, policiesHash];
