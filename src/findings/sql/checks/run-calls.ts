/**
 * The calls of each run as the verifier sees them: every span that carries a run id and is a call, or the labels of one.
 *
 * @module
 */

/** A common table expression, `calls`. */
export const runCallsSql = (
  ofRun: string,
): string => `-- Every span of a run that is a call or carries the labels of one.
calls AS (
  SELECT own_run_id AS run_id, trace_id, span_id, span_name, start, ended, tool, input_fp, attempt, step_index,
    hasAny(labels_there, ['trustabl.tool.input_fp', 'trustabl.tool.attempt']) AS is_labelled,
    -- The times of a span that is no call say nothing.
    role NOT IN ('', 'agent') AND start > 0 AS is_timed
  FROM placed
  WHERE own_run_id != '' AND ${ofRun}
    AND (role = 'tool' OR hasAny(labels_there, ['trustabl.step_index', 'trustabl.tool.attempt']))
)`;
