/**
 * Calls that carry another run id than the span above them, or none at all. Whether two runs share an id, and whether a root
 * carries none, is left to the verifier, which sees what is missing.
 */
export const runIdentitySql = (ofRun: string): string => `identities AS (
  SELECT *,
    multiIf(
      own_run_id != '' AND owner_run_id NOT IN ('', own_run_id), 'different-run',
      own_run_id = '' AND owner_run_id != '', 'no-run-id',
      own_run_id = '' AND has(labels_there, 'trustabl.tool.attempt'), 'outside-run',
      '') AS reason
  FROM placed
  -- A run id of the wrong form is for another check.
  WHERE role = 'tool' AND span_id = outermost_id AND notEmpty(labels_there)
    AND (own_run_id != '' OR NOT has(labels_there, 'trustabl.run_id'))
),
faults AS (
  SELECT reason, run_id, trace_id, span_id, span_name, start
  FROM identities
  WHERE reason != '' AND ${ofRun}
    -- LangChain's callback queue can hang spans below another request.
    AND NOT (reason = 'different-run' AND match(scope_name, 'langchain|langfuse'))
)`;
