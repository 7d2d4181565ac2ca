/**
 * A tool and an agent as the rules see them: plain data, whatever framework they are of.
 *
 * @module
 */
import type { SideEffect } from "../../attributes/registry.ts";
import type { Framework } from "./finding.ts";
import type { BashGrants } from "./recognise/bash-grants.ts";
import type { WalkedInput } from "./schema/walk.ts";

/** A tool. */
export interface ToolSubject {
  readonly kind: "tool";
  readonly framework: Framework;
  /** What the model calls it; `undefined` where the definition does not say. */
  readonly name: string | undefined;
  /** How it is called in findings: its name, or what it is exported as. */
  readonly label: string;
  /** False for a description that is absent, empty, blank, or only the name again. */
  readonly hasDescription: boolean;
  /** What the model may send; `undefined` where it cannot be read as JSON Schema. */
  readonly input: WalkedInput | undefined;
  /** What it can do to the world, where the definition says so. */
  readonly sideEffect: SideEffect | undefined;
  /** Whether somebody other than the model has to confirm a call; `undefined` where the definition does not say. */
  readonly confirm: boolean | undefined;
}

/** An agent. */
export interface AgentSubject {
  readonly kind: "agent";
  readonly framework: Framework;
  readonly label: string;
  /** What a Claude agent may do with `Bash`. */
  readonly bash: BashGrants | undefined;
}

/** What rules are about. */
export type Subject = ToolSubject | AgentSubject;
