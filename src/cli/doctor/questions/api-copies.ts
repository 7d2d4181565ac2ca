import { seeEachOther } from "../api-version.ts";
import type { PackageCopy } from "../facts.ts";
import type { Fault, Question } from "../judgement.ts";

const USERS_SHOWN = 5;

/** Labels are written through `@opentelemetry/api`; each copy of it is a world of its own, but for a shared global. */
export const apiCopies: Question = {
  id: "api-copies",
  title: "One copy of @opentelemetry/api is installed",
  needsRunning: false,
  ask({ installed: { apiCopies } }) {
    if (apiCopies.length === 1) return [];
    return apiCopies.length === 0 ? [NONE] : [several(apiCopies)];
  },
};

const NONE: Fault = {
  level: "error",
  what: "@opentelemetry/api is not installed.",
  why: "Without it there are no spans, and labels have nothing to be written on.",
  fix: "Install it together with an SDK: npm install @opentelemetry/api @opentelemetry/sdk-trace-node. In a monorepo, start the doctor in the application's folder.",
};

function several(copies: readonly PackageCopy[]): Fault {
  const details = copies.map(shown);
  const fix =
    'Make every package use one copy: npm dedupe, or an "overrides" entry for @opentelemetry/api in package.json, then look again with npm ls @opentelemetry/api.';
  if (seeEachOther(copies.map(({ version }) => version))) {
    return {
      level: "warning",
      what: `${copies.length} copies of @opentelemetry/api are installed.`,
      details,
      why: "They share what was registered for now. What another version than the first registers is refused without a word, and the next update can part them.",
      fix,
    };
  }
  return {
    level: "error",
    what: `${copies.length} copies of @opentelemetry/api are installed that do not get along.`,
    details,
    why: "A copy sees only what was registered by a copy of its own or a newer minor version. For the others every span is missing: their labels and spans vanish without a word.",
    fix,
  };
}

/** A copy in one line. */
export const shown = (copy: PackageCopy): string => `${copy.version}  ${copy.path}  used by ${users(copy)}`;

/** The packages that use a copy, the first few by name. */
function users({ usedBy }: PackageCopy): string {
  const names = usedBy.slice(0, USERS_SHOWN).map((name) => (name === "." ? "the application" : name));
  const more = usedBy.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
