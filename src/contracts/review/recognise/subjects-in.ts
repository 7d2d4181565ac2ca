/**
 * Every tool and agent in a value: the value itself, what it leads to, and what lists and records hold.
 *
 * @module
 */
import type { Skipped } from "../finding.ts";
import { isForeign, Looking } from "../looking.ts";
import { shownName } from "../shown-name.ts";
import type { Subject } from "../subject.ts";
import { recogniseAiSdk } from "./ai-sdk.ts";
import { recogniseClaudeAgentSdk } from "./claude-agent-sdk.ts";
import { recogniseContract } from "./contracts.ts";
import type { Found, Inner, Place } from "./found.ts";
import { recogniseLangchain } from "./langchain.ts";
import { recogniseOpenaiAgents } from "./openai-agents.ts";
import { recognisePlainTool } from "./plain-tool.ts";

const MOST_SUBJECTS = 5_000;
// A module's exports, a list or record in one of them, and one level for good measure.
const DEEPEST_CONTAINER = 3;

/** What was found. */
export interface SubjectsIn {
  readonly subjects: readonly Subject[];
  readonly skipped: readonly Skipped[];
}

/** Every tool and agent in the value, in the order in which they are met. One that is met again is not given again. */
export function subjectsIn(definition: unknown): SubjectsIn {
  const look = new Looking();
  const subjects: Subject[] = [];
  const skipped: Skipped[] = [];
  const seen = new Set<object>();
  const open: (Inner & { readonly depth: number })[] = [
    { value: definition, label: "definition", isName: false, depth: 0 },
  ];
  while (open.length > 0 && subjects.length < MOST_SUBJECTS && !look.isExhausted) {
    const { value, depth, ...place } = open.pop() as (typeof open)[number];
    if (!isForeign(value) || seen.has(value)) continue;
    seen.add(value);
    const faults = look.faults;
    const found = recognise(value, place, look);
    const next = found?.inner ?? (depth < DEEPEST_CONTAINER ? membersOf(value, place, depth, look) : []);
    subjects.push(...(found?.subjects ?? []));
    const subject = shownName(found?.subjects[0]?.label ?? place.label);
    for (const reason of found?.skipped ?? []) skipped.push({ subject, reason });
    if (look.faults > faults) skipped.push({ subject, reason: UNREADABLE });
    const inside = found === undefined ? depth + 1 : 0;
    open.push(...next.map((one) => ({ ...one, depth: inside })).reverse());
  }
  if (open.length > 0) skipped.push({ subject: "definition", reason: TOO_MUCH });
  return { subjects, skipped };
}

const UNREADABLE = "A member could not be read, or a list was too long.";
const TOO_MUCH = "There is more than one review looks at; review it in parts.";

function recognise(value: object, place: Place, look: Looking): Found | undefined {
  if (look.list(value) !== undefined) return undefined;
  // Those with a mark of their own come first, plain data last.
  return (
    recogniseContract(value, place, look) ??
    recogniseOpenaiAgents(value, place, look) ??
    recogniseLangchain(value, place, look) ??
    recogniseClaudeAgentSdk(value, place, look) ??
    recogniseAiSdk(value, place, look) ??
    recognisePlainTool(value, look)
  );
}

/** What lists and plain records hold. Anything else that was not recognised is left alone: a client, a cache, a class. */
function membersOf(value: object, { label }: Place, depth: number, look: Looking): Inner[] {
  const list = look.list(value);
  if (list !== undefined) return list.map((one) => ({ value: one, label, isName: false }));
  const isModule = look.text(value, Symbol.toStringTag) === "Module";
  if (!isModule && !isRecord(value, look)) return [];
  return look.entries(value).map(([name, member]) => ({
    value: member,
    // A record's key is what a tool is called; an export's name is not.
    label: isModule && name === "default" ? label : name,
    isName: !isModule && depth <= DEEPEST_CONTAINER,
  }));
}

function isRecord(value: object, look: Looking): boolean {
  if (typeof value === "function") return false;
  const prototype = look.result(() => Object.getPrototypeOf(value));
  // `undefined` is a proxy that does not say; an object of another realm has a prototype without one.
  if (prototype === null) return true;
  return isForeign(prototype) && look.result(() => Object.getPrototypeOf(prototype)) === null;
}
