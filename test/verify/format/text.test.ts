import { describe, expect, it } from "vitest";
import { createVerifier, formatReport, readOtlp, verify } from "../../../src/verify/index.ts";
import { binding, call, root, UNLABELLED } from "../support/build.ts";
import { hostileReport } from "../support/hostile.ts";

const spans = [
  root("root", { events: [binding("egress")] }),
  call("a"),
  call("b", {
    step: 1,
    args: { q: "a" },
    attempt: 2,
    status: "error",
    attributes: { "trustabl.tool.error_class": "timeout" },
  }),
];

describe("the text", () => {
  it("shows the run as a tree with its labels, then a line for each check, then the verdict", () => {
    expect(formatReport(verify(spans))).toMatchInlineSnapshot(`
      "run 00000000000000aa · 2 tool calls · final_answer
        invoke_agent desk                          end final_answer  1 policy
          execute_tool search                      step 0  attempt 1  in 29a9829b  out e3d65d68
          execute_tool search (failed)             step 1  attempt 2  error timeout  in 29a9829b  out 351219d9

      ✓ tool-span-labelled       Every tool call is labelled (2)
      ✓ label-on-tool-span-only  Labels of a call stand on tool spans only (2)
      ✓ failed-tool-labelled     A tool call that failed is labelled too (1)
      ✓ label-values-valid       Every label has a known name and a value of its form (3)
      ✓ run-end-marked           Every run says how it ended (1)
      ✓ run-identity             Tool calls carry the id of their run, and of no other (2)
      ✓ step-order               The calls of a run are numbered in the order in which they start (1)
      ✓ attempt-count            Equal calls of a run are counted 1, 2, 3 (1)
      ✓ no-content               No label holds argument or result text (3)
      ✓ fingerprint-true         Fingerprints are those of the captured arguments and results (2)
      ✓ policy-binding-valid     Every policy binding is complete, and there is one for each policy (1)
      - handoff-marked           No agent delegated to another.

      pass: 11 passed, 1 not applicable; 3 spans, 2 tool calls, 1 run
      "
    `);
  });

  it("shows the observed value beside each failure, how to fix it, and what cannot be told", () => {
    const broken = [
      ...spans,
      call("c", { step: 1, attributes: { "trustabl.tool.side_effect": "none" } }),
      call("d", { step: 2, attributes: UNLABELLED }),
    ];
    expect(formatReport(verify(broken))).toMatchInlineSnapshot(`
      "run 00000000000000aa · 4 tool calls · final_answer
        invoke_agent desk                          end final_answer  1 policy
          execute_tool search                      step 0  attempt 1  in 29a9829b  out e3d65d68
          execute_tool search (failed)             step 1  attempt 2  error timeout  in 29a9829b  out 351219d9
          execute_tool search                      step 1  attempt 1  effect ?  in 47c468f0  out 9e208bc2
          execute_tool search                      no labels

      ✗ tool-span-labelled       Every tool call is labelled
          A tool span carries no labels.
            execute_tool search 64000000 run 00000000000000aa: found no labels, expected trustabl.tool.input_fp and trustabl.tool.attempt
          fix: Wrap the tool with wrapTool(), the outermost layer of its function, and run the agent inside withRun(). If labels are lost to attribute limits, raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT. If no label ever arrives, run "otel-labels doctor".
      ✓ label-on-tool-span-only  Labels of a call stand on tool spans only (3)
      ✓ failed-tool-labelled     A tool call that failed is labelled too (1)
      ✗ label-values-valid       Every label has a known name and a value of its form
          A label's value has not the form that its name asks for.
            execute_tool search 63000000 run 00000000000000aa: trustabl.tool.side_effect = a text of 4 characters, expected one of pure, read, write, irreversible
          fix: Write labels with the functions of this package, which refuse wrong values. The names and values are listed in docs/attributes.md.
      ✓ run-end-marked           Every run says how it ended (1)
      ✓ run-identity             Tool calls carry the id of their run, and of no other (3)
      ✗ step-order               The calls of a run are numbered in the order in which they start
          Two calls of a run carry the same step index.
            execute_tool search 63000000 run 00000000000000aa: trustabl.step_index = 1, see execute_tool search 62000000
          fix: Take the index with run.nextStep() when the call starts, before any await, once for each call; wrapTool() does. One Run belongs to one run.
      ✓ attempt-count            Equal calls of a run are counted 1, 2, 3 (2)
      ✓ no-content               No label holds argument or result text (4)
      ✓ fingerprint-true         Fingerprints are those of the captured arguments and results (3)
      ✓ policy-binding-valid     Every policy binding is complete, and there is one for each policy (1)
      - handoff-marked           No agent delegated to another.

      fail: 3 failed, 8 passed, 1 not applicable; 5 spans, 4 tool calls, 1 run
      "
    `);
  });

  it("says why there was nothing to check", () => {
    expect(formatReport(verify([]))).toContain("nothing to check");
    expect(formatReport(verify([]))).toContain("there are no spans");
    expect(formatReport(verify([root()]))).toContain("no tool span");
  });

  it("shows what could not be read, with its line", () => {
    const { spans: read, problems } = readOtlp("hello\n{}", { source: "x.jsonl" });
    const verifier = createVerifier();
    for (const one of [...read, ...spans]) verifier.add(one);
    for (const problem of problems) verifier.problem(problem);
    const text = formatReport(verifier.finish());
    expect(text).toContain("this line is not JSON (x.jsonl:1)");
    expect(text).toContain("left out: 1 unreadable part");
  });

  it("has colours only when asked for", () => {
    expect(formatReport(verify(spans))).not.toContain("\u001b");
    expect(formatReport(verify(spans), { color: true })).toContain("\u001b[32m✓\u001b[0m");
  });

  it("holds no control characters of anybody, whatever spans are called", () => {
    const text = formatReport(hostileReport());
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(text.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/);
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toMatch(/^::error/m);
  });

  it("leaves runs and findings out when there are many, and says so", () => {
    const many = Array.from({ length: 40 }, (_, index) => [
      root(`r${index}`, { start: index, attributes: { "trustabl.run_id": `run-${index}` } }),
      call(`c${index}`, {
        parent: `r${index}`,
        attributes: { "trustabl.run_id": `run-${index}`, "trustabl.tool.attempt": undefined },
      }),
    ]).flat();
    const text = formatReport(verify(many, { maxRuns: 3, maxFindings: 10 }));
    expect(text).toContain("… and 37 runs more");
    expect(text).toContain("      and 5 more\n    and 30 findings more\n");
    expect(text.split("\n").length).toBeLessThan(60);
  });
});
