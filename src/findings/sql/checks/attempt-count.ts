import { runCallsSql } from "./run-calls.ts";

// In the order of steps.
const sorted = (calls: string): string => `arraySort(x -> (x.1, x.2, x.3, x.4), ${calls})`;
const CALL =
  "(ifNull(step_index, 9223372036854775807), start, trace_id, span_id, span_name, ifNull(attempt, 0))";

/**
 * Counts of equal calls that repeat, restart or skip. Where a call has no step, its place among the others is not known to
 * SQL: step-order tells of such runs. Calls without a fingerprint are left to the verifier, which weighs more.
 */
export const attemptCountSql = (ofRun: string): string => `${runCallsSql(ofRun)},

groups AS (
  SELECT run_id, tool, input_fp, groupArrayIf(${CALL}, is_labelled) AS part, groupUniqArray(step_index) AS steps,
    max(is_labelled AND step_index IS NULL) AS is_vague
  FROM calls
  GROUP BY run_id, tool, input_fp
),
-- Some programs count by the arguments alone, whatever the tool. As good, if it is done throughout the run.
by_arguments AS (
  SELECT run_id, groupArray((part, input_fp != '')) AS parts, groupUniqArrayArray(steps) AS steps, max(is_vague) AS is_vague,
    ${sorted("arrayFlatten(parts.1)")} AS equal,
    arrayMap(x -> x.6, equal) = arrayMap(n -> toInt64(n), range(1, length(equal) + 1)) AS counts
  FROM groups
  GROUP BY run_id, if(input_fp != '', input_fp, concat('tool ', tool))
),
runs AS (
  SELECT run_id, groupArrayArray(parts) AS parts, min(counts) AS throughout, groupUniqArrayArray(steps) AS steps,
    -- Calls between may be missing where steps are.
    if(empty(steps), -1, arrayMax(steps)) = toInt64(length(steps)) - 1 AS is_whole
  FROM by_arguments
  GROUP BY run_id
  HAVING max(is_vague) = 0
),
-- Equal calls, each with its place; what is wrong with them first, and where.
judged AS (
  SELECT run_id, throughout, is_whole, part.2 AS is_comparable,
    ${sorted("part.1")} AS equal,
    arrayEnumerate(equal) AS places,
    arrayFilter(n -> equal[n].6 > 0, places) AS counted,
    arrayFirst(k -> k > 1 AND equal[counted[k]].6 <= equal[counted[k - 1]].6, arrayEnumerate(counted)) AS back,
    arrayFirst(n -> equal[n].6 != n, places) AS jump,
    multiIf(
      back > 0, if(equal[counted[back]].6 = equal[counted[back - 1]].6, 'repeat', 'restart'),
      length(counted) < length(equal), 'no-attempt',
      jump > 0, 'jump',
      '') AS fault,
    equal[if(back > 0, counted[back], jump)] AS at
  FROM runs
  ARRAY JOIN parts AS part
),
faults AS (
  SELECT fault AS reason, run_id, at.3 AS trace_id, at.4 AS span_id, at.5 AS span_name, at.2 AS start
  FROM (SELECT *, max(fault = 'jump') OVER (PARTITION BY run_id) AS jumps FROM judged)
  WHERE is_comparable AND fault NOT IN ('', 'no-attempt') AND (fault != 'jump' OR is_whole) AND NOT (throughout AND jumps)
)`;
