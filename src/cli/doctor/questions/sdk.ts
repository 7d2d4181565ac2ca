import type { Question } from "../judgement.ts";
import { hasSdk } from "../sdk-packages.ts";

/** The API alone makes placeholders. */
export const sdk: Question = {
  id: "sdk",
  title: "An OpenTelemetry SDK is installed",
  needsRunning: false,
  ask({ installed, running }) {
    // That the API is missing is said elsewhere, and says what to install.
    if (running?.hasProvider || installed.apiCopies.length === 0 || hasSdk(installed)) return [];
    return [
      {
        level: "warning",
        what: "No OpenTelemetry SDK is installed.",
        why: "@opentelemetry/api alone makes no span that records, and labels are written on recording spans only.",
        fix: "npm install @opentelemetry/sdk-trace-node, and register its provider. If Node is started with a provider from elsewhere, load it here too: --import or --require.",
      },
    ];
  },
};
