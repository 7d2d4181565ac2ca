/** What the scripted models do, the same in both frameworks: three bad calls, and what they make of the answers. */
export const script = [
  ["read_log", { job_id: "4711" }],
  // No such severity.
  ["open_issue", { title: "The nightly build is red", severity: "p4" }],
  ["open_issue", { title: "The nightly build is red", severity: "p2" }],
  // The model cannot confirm.
  ["rerun_job", { job_id: "4712", confirmed: true }],
  // Nobody has confirmed.
  ["rerun_job", { job_id: "4712" }],
  ["rerun_job", { job_id: "4711" }],
] as const;

export const done = "The job runs again.";
