import { sees } from "../api-version.ts";
import type { Question } from "../judgement.ts";

const LABELS = "agent-reliability-otel-labels";

/** The case of {@link apiCopies} that costs every label, told by name. */
export const labelsCopy: Question = {
  id: "labels-api-copy",
  title: "The labels use the application's copy of @opentelemetry/api",
  needsRunning: false,
  ask({ installed: { apiCopies } }) {
    const own = apiCopies.find(({ usedBy }) => usedBy.includes(LABELS));
    const application = apiCopies.find(({ usedBy }) => usedBy.includes("."));
    if (own === undefined || application === undefined || own === application) return [];
    const dead = !sees(own.version, application.version);
    return [
      {
        level: dead ? "error" : "warning",
        what: `${LABELS} uses ${own.version}, the application ${application.version}.`,
        details: [`labels: ${own.path}`, `application: ${application.path}`],
        why: dead
          ? "The labels' copy does not see what the application registered: no span is ever active for it, and no label is written."
          : "It works while the application's copy is the newer one.",
        fix: `Remove the copy in ${own.path} (npm dedupe), so that both use the application's.`,
      },
    ];
  },
};
