/**
 * The review as SARIF 2.1.0, which code hosts and editors show.
 *
 * @module
 */
import type { Finding, Review, Severity } from "../finding.ts";
import { rules } from "../rules/index.ts";
import type { RuleDescription } from "../rules/rule.ts";
import { placesText } from "./places-text.ts";

/** The SARIF log. Every rule is in it, so that "no result" can be told from "no such rule". */
export function formatSarif(review: Review): string {
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "otel-labels review", rules: rules.map(descriptorOf) } },
        columnKind: "utf16CodeUnits",
        results: review.findings.map((finding) => resultOf(finding, review.source)),
        invocations: [
          {
            executionSuccessful: review.examined.length > 0,
            toolExecutionNotifications: review.skipped.map(({ subject, reason }) => ({
              level: "note",
              message: { text: `${subject}: ${reason}` },
            })),
          },
        ],
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

const LEVELS: Readonly<Record<Severity, "error" | "warning" | "note">> = {
  critical: "error",
  high: "error",
  medium: "warning",
  low: "note",
};

const descriptorOf = (rule: RuleDescription) => ({
  id: rule.id,
  shortDescription: { text: rule.title },
  fullDescription: { text: rule.why },
  help: { text: `${rule.directive} ${rule.severityBecause}` },
  defaultConfiguration: { level: LEVELS[rule.severity] },
  properties: { severity: rule.severity, confidence: rule.confidence, scope: rule.scope },
});

function resultOf(finding: Finding, source: string | undefined) {
  const { rule, severity, subject, framework, scope, found, directive } = finding;
  const places = placesText(finding);
  const where = places === "" ? "" : ` At ${places}.`;
  return {
    ruleId: rule,
    ruleIndex: rules.findIndex(({ id }) => id === rule),
    level: LEVELS[severity],
    message: { text: `${subject}: ${found}${where} ${directive}` },
    locations: [
      {
        // A live object has no line.
        ...(source === undefined
          ? {}
          : { physicalLocation: { artifactLocation: { uri: encodeURI(source.replaceAll("\\", "/")) } } }),
        logicalLocations: [
          { name: subject, fullyQualifiedName: `${framework}/${scope}/${subject}`, kind: "object" },
        ],
      },
    ],
    partialFingerprints: { "ruleAndSubject/v1": finding.fingerprint },
    properties: { status: finding.status, confidence: finding.confidence, action: finding.action },
  };
}
