import { runCallsSql } from "./run-calls.ts";

/** Clocks of two spans may differ by this much; the verifier's default. */
const SKEW_NANOSECONDS = 20_000_000;

/** Steps that are missing, that repeat, or that contradict time. */
export const stepOrderSql = (ofRun: string): string => `${runCallsSql(ofRun)},

-- In the order of steps, each with the step before it; calls without one stand apart.
numbered AS (
  SELECT *, row_number() OVER by_step AS place, lagInFrame(step_index, 1, NULL) OVER by_step AS previous_step
  FROM calls
  WINDOW by_step AS (
    PARTITION BY run_id, step_index IS NULL ORDER BY step_index, start, trace_id, span_id
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
),
-- Behind each call the one before it that started latest.
compared AS (
  SELECT *,
    max(if(is_timed, (start, -toInt64(place), trace_id, span_id, span_name), (toInt64(0), toInt64(0), '', '', ''))) OVER (
      PARTITION BY run_id, step_index IS NULL ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS latest
  FROM numbered
),
judged AS (
  SELECT *,
    multiIf(
      step_index IS NULL, if(is_labelled, 'missing', ''),
      ifNull(previous_step = step_index, false), 'duplicate',
      is_timed AND latest.1 - start > ${SKEW_NANOSECONDS} AND ended < latest.1, 'disorder',
      '') AS fault,
    -- Out of order is the one that started late, not the one that had ended before it.
    if(fault = 'disorder', latest, (start, toInt64(0), trace_id, span_id, span_name)) AS at
  FROM compared
),
faults AS (
  SELECT fault AS reason, run_id, at.3 AS trace_id, at.4 AS span_id, at.5 AS span_name, at.1 AS start
  FROM judged
  WHERE fault != ''
)`;
