/** What the job has to give, everywhere. The fingerprints are those of `sha256sum` on the canonical texts. */
const SFO_JFK = "8c49353fd71bfeea";
const FLIGHT = "75c02918b3d255a9";

const call = (callId: string, stepIndex: number, attempt: number, inputFp: string, outputFp: string) => ({
  name: "execute_tool search_flights",
  callId,
  labels: {
    "trustabl.run_id": "run-1",
    "trustabl.step_index": stepIndex,
    "trustabl.tool.attempt": attempt,
    "trustabl.tool.input_fp": inputFp,
    "trustabl.tool.output_fp": outputFp,
    "trustabl.tool.side_effect": "read",
  },
});

export const EXPECTED = {
  fingerprints: {
    call: "c1baebf63d8d7587",
    empty: "44136fa355b3678a",
    list: "4f53cda18c2baa0c",
    nothing: "74234e98afe7498f",
    text: "2443d371dd1611e7",
    long: "55bb3c98333f4f20",
    json: '{"a":[1.5e-7,"é"],"b":0}',
  },
  refused: "not_finite",
  spans: [
    call("call_1", 0, 1, SFO_JFK, FLIGHT),
    call("call_2", 1, 2, SFO_JFK, FLIGHT),
    call("call_3", 2, 1, "952f39f334c51331", "74234e98afe7498f"),
    call("call_4", 3, 1, "13fb398ef6401ce6", "c7ddc0f69ce66fe8"),
    call("call_5", 4, 1, "af9ac34b04f519bb", "4f53cda18c2baa0c"),
    {
      name: "invoke_agent helper",
      labels: { "trustabl.run_id": "run-1", "trustabl.exit_reason": "final_answer" },
    },
  ],
  exitReason: "final_answer",
  verdict: "pass",
  // No policy was bound, and the rules say so.
  findings: ["policy_absent", "dspm_unbound"],
  contract: [true, false],
  claim: "deny",
  digest: "sha256:23d1517d22c4adb03dbae9fde00226d110d5c1d3108bc80923e0052b3bb0acde",
};
