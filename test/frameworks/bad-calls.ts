/** Calls that the triage tools' contracts refuse, and what the model has to read of each. */
export interface BadCall {
  readonly what: string;
  readonly tool: "open_issue" | "rerun_job";
  readonly args: object;
  /** How the contract says it. */
  readonly told: string;
}

export const issue = { title: "The nightly build is red", severity: "p2" };

export const badCalls: readonly BadCall[] = [
  {
    what: "a missing field",
    tool: "open_issue",
    args: { title: issue.title },
    told: "severity: required, expected one of p1, p2, p3",
  },
  {
    what: "a value that is not listed",
    tool: "open_issue",
    args: { ...issue, severity: "p4" },
    told: "severity: expected one of p1, p2, p3",
  },
  {
    what: "an invented field",
    tool: "open_issue",
    args: { ...issue, assignee: "eve" },
    told: "arguments: expected no other fields than title, severity",
  },
  {
    what: "a wrong type",
    tool: "open_issue",
    args: { ...issue, title: 7 },
    told: "title: expected a string of 1 to 80 characters",
  },
  {
    what: "a confirmation that the model gives itself",
    tool: "rerun_job",
    args: { job_id: "7", confirmed: true },
    told: "arguments: expected no other fields than job_id",
  },
];
