/**
 * Every command, in the order of the help text.
 *
 * @module
 */
import type { Command } from "./arguments/command.ts";
import { claimsConformance } from "./claims/conformance.ts";
import { contractsDiff } from "./contracts/diff.ts";
import { contractsSchema } from "./contracts/schema.ts";
import { contractsShow } from "./contracts/show.ts";
import { doctor } from "./doctor/command.ts";
import { findings } from "./findings/command.ts";
import { sql } from "./findings/sql.ts";
import { fingerprint } from "./fingerprint.ts";
import { policiesHash } from "./policies/hash.ts";
import { policiesVerify } from "./policies/verify.ts";
import { review } from "./review/command.ts";
import { verify } from "./verify/command.ts";

/** Every command. */
export const COMMANDS: readonly Command[] = [
  verify,
  findings,
  sql,
  doctor,
  review,
  contractsShow,
  contractsDiff,
  contractsSchema,
  claimsConformance,
  fingerprint,
  policiesVerify,
  policiesHash,
];
