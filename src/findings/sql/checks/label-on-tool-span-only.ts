/** Labels of a call on a span that is none. */
export const labelOnToolSpanOnlySql = (ofRun: string): string => `faults AS (
  SELECT
    multiIf(role = 'agent', 'on-agent-span', role = 'no_call', 'on-no-call', 'on-other-span') AS reason,
    run_id, trace_id, span_id, span_name, start
  FROM placed
  WHERE role NOT IN ('tool', 'handoff') AND ${ofRun}
    AND arrayExists(x -> x = 'trustabl.step_index' OR startsWith(x, 'trustabl.tool.'), labels_there)
)`;
