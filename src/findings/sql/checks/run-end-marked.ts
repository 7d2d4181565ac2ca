/** Runs that do not say how they ended, or say it elsewhere. */
export const runEndMarkedSql = (ofRun: string): string => `ends AS (
  SELECT *,
    -- The outermost span above tools that carries the run's id.
    own_run_id != '' AND role != 'tool' AND is_outermost AS is_end,
    max(exit_reason != '' AND NOT is_end) OVER (PARTITION BY trace_id, own_run_id) AS is_elsewhere,
    max(exit_reason != '' AND own_run_id = '') OVER (PARTITION BY trace_id) AS is_nowhere
  FROM placed
),
faults AS (
  SELECT
    multiIf(
      has(labels_there, 'trustabl.exit_reason'), 'exit-reason-invalid',
      is_elsewhere OR is_nowhere, 'exit-reason-elsewhere',
      'no-exit-reason') AS reason,
    run_id, trace_id, span_id, span_name, start
  FROM ends
  WHERE is_end AND exit_reason = '' AND ${ofRun}
)`;
