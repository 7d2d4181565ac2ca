/**
 * One registry of contracts for every framework's suite: the tools of an agent that looks after a CI pipeline.
 *
 * @module
 */
import { defineTools } from "../../src/contracts/index.ts";

const jobId = { type: "string", pattern: "^[0-9]{1,12}$", maxLength: 12 } as const;

export const triageTools = defineTools({
  read_log: {
    description: "Read the end of one job's log.",
    input: {
      type: "object",
      additionalProperties: false,
      required: ["job_id"],
      properties: { job_id: jobId, lines: { type: "integer", minimum: 1, maximum: 500 } },
    },
    sideEffect: "read",
    risk: "low",
    effect: { operation: "read", resourceType: "job", resourceIds: "/job_id", maxItems: 1 },
    claim: "none",
  },
  rerun_job: {
    description: "Run one failed CI job again.",
    input: {
      type: "object",
      additionalProperties: false,
      required: ["job_id"],
      properties: { job_id: jobId },
    },
    sideEffect: "write",
    risk: "medium",
    confirm: true,
    effect: { operation: "execute", resourceType: "job", resourceIds: "/job_id", maxItems: 1 },
    claim: "required",
  },
  open_issue: {
    description: "Open an issue in the tracker.",
    input: {
      type: "object",
      additionalProperties: false,
      required: ["title", "severity"],
      properties: {
        title: { type: "string", minLength: 1, maxLength: 80 },
        severity: { enum: ["p1", "p2", "p3"] },
      },
    },
    sideEffect: "write",
    risk: "medium",
    effect: { operation: "create", resourceType: "issue", maxItems: 1 },
    claim: "required",
  },
  add_comment: {
    description: "Comment on one issue of the tracker.",
    input: {
      type: "object",
      additionalProperties: false,
      required: ["issue_id", "text"],
      properties: {
        issue_id: { type: "string", pattern: "^[0-9]{1,12}$", maxLength: 12 },
        text: { type: "string", minLength: 1, maxLength: 500 },
      },
    },
    sideEffect: "write",
    risk: "medium",
    effect: { operation: "update", resourceType: "issue", resourceIds: "/issue_id", maxItems: 1 },
    claim: "required",
  },
  escalate_incident: {
    description: "Wake up the person on call.",
    input: {
      type: "object",
      additionalProperties: false,
      required: ["team", "reason"],
      properties: {
        team: { enum: ["platform", "release"] },
        reason: { type: "string", minLength: 1, maxLength: 200 },
      },
    },
    sideEffect: "irreversible",
    risk: "high",
    confirm: true,
    effect: { operation: "send", resourceType: "page", maxItems: 1, destination: "/team" },
    claim: "required",
  },
});

/** Calls that no contract allows: what is wrong, the call, and what the model has to be told. */
export const BAD_CALLS: readonly [
  what: string,
  name: keyof typeof triageTools,
  args: Record<string, unknown>,
  told: string,
][] = [
  ["without a field", "open_issue", { title: "red" }, "severity: required, expected one of p1, p2, p3"],
  [
    "with a word that is not listed",
    "open_issue",
    { title: "red", severity: "p4" },
    "severity: expected one of p1, p2, p3",
  ],
  [
    "with an invented field",
    "open_issue",
    { title: "red", severity: "p1", assignee: "ann" },
    "arguments: expected no other fields than title, severity",
  ],
  [
    "of a wrong type",
    "add_comment",
    { issue_id: 7, text: "seen" },
    "issue_id: expected a string of at most 12 characters that matches ^[0-9]{1,12}$",
  ],
  [
    "that confirms itself",
    "rerun_job",
    { job_id: "7", confirmed: true },
    "arguments: expected no other fields than job_id",
  ],
];
