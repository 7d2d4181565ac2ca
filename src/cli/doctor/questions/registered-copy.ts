import { sees } from "../api-version.ts";
import type { Question } from "../judgement.ts";
import { shown } from "./api-copies.ts";

/** Which copy registers first is known only once the application's set-up has run. */
export const registeredCopy: Question = {
  id: "registered-api-copy",
  title: "Every copy of @opentelemetry/api sees what was registered",
  needsRunning: true,
  ask({ installed: { apiCopies }, running }) {
    const registered = running?.apiVersion;
    if (registered === undefined) return [];
    const blind = apiCopies.filter(({ version }) => !sees(version, registered));
    if (blind.length === 0) return [];
    return [
      {
        level: "error",
        what: `Version ${registered} registered first, and newer copies do not see it.`,
        details: blind.map(shown),
        why: "For a newer copy nothing was registered: its spans and labels vanish without a word.",
        fix: "Make every package use one copy (npm dedupe), or let the application depend on the newest of them.",
      },
    ];
  },
};
