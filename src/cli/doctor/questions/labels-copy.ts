import { sees } from "../api-version.ts";
import type { PackageCopy } from "../facts.ts";
import type { Fault, Question } from "../judgement.ts";
import { shown } from "./api-copies.ts";

const LABELS = "agent-reliability-otel-labels";

/** The case of several copies of the API that costs every label, told by name. */
export const labelsCopy: Question = {
  id: "labels-api-copy",
  title: "The labels use the application's copy of @opentelemetry/api",
  needsRunning: false,
  ask({ installed: { apiCopies } }) {
    const application = apiCopies.find(({ usedBy }) => usedBy.includes("."));
    if (application === undefined) return [];
    return apiCopies
      .filter((copy) => copy !== application && copy.usedBy.includes(LABELS))
      .map((own) => faultOf(own, application));
  },
};

function faultOf(own: PackageCopy, application: PackageCopy): Fault {
  const dead = !sees(own.version, application.version);
  return {
    level: dead ? "error" : "warning",
    what: `${LABELS} uses ${own.version}, the application ${application.version}.`,
    details: [`labels: ${own.path}`, `application: ${application.path}`],
    why: dead
      ? "The labels' copy does not see what the application registered: no span is ever active for it, and no label is written."
      : "It works while the application's copy is the newer one.",
    fix: `Remove the copy in ${own.path} (npm dedupe), so that both use the application's.`,
  };
}

/** Copies of this package share runs and trackers; what they do not share is said here. */
export const labelsCopies: Question = {
  id: "labels-copies",
  title: `One copy of ${LABELS} is installed`,
  needsRunning: false,
  ask({ installed: { labelsCopies: copies } }) {
    if (copies.length === 1) return [];
    if (copies.length === 0) return [NOT_INSTALLED];
    return [
      {
        level: "warning",
        what: `${copies.length} copies of ${LABELS} are installed.`,
        details: copies.map(shown),
        why: "They share runs, trackers and contracts. But each has classes of its own, so that instanceof is false for the other's errors, and an older version leaves out the labels that it does not know.",
        fix: `Make every package use one copy: npm dedupe, or an "overrides" entry for ${LABELS} in package.json, then look again with npm ls ${LABELS}. Ask for errors with TrustablError.isInstance(error) and its code.`,
      },
    ];
  },
};

const NOT_INSTALLED: Fault = {
  level: "warning",
  what: `${LABELS} is not installed.`,
  why: "No package that this package.json reaches depends on it, so nothing here writes labels.",
  fix: `npm install ${LABELS}; in a monorepo, start the doctor in the application's folder.`,
};
