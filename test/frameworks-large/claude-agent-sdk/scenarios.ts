/** What has to hold with native spans and with OpenInference. */
import type { Options, query, SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { exitReasonOf } from "../../../src/adapters/claude-agent-sdk.ts";
import { canonicalFp, withRun } from "../../../src/index.ts";
import type { SpanView } from "../../../src/verify/index.ts";
import { scenario } from "../../frameworks/scenario.ts";
import { readAll, resultOf } from "./agent.ts";
import { type Script, scripted } from "./fake-model.ts";
import { agentSpans, check, inSpan, labelsOf } from "./tracing.ts";

/** One of the two ways. */
export interface Way {
  readonly row: string;
  /** The labelled `query`. */
  readonly query: (parameters: Parameters<typeof query>[0]) => AsyncIterable<SDKMessage>;
  options(): Options;
  /** Every span of this process and of the command line so far; forgets them. */
  takeSpans(): Promise<readonly SpanView[]>;
  readonly agentSpan: string;
}

/** What the tests declare about tools. */
export const declared = {
  mcp__demo__lookup: { sideEffect: "read" },
  mcp__demo__broken: { errorClass: (error: unknown) => (error === "no such thing" ? "5xx" : undefined) },
  Bash: { sideEffect: "write", isEmpty: (result: unknown) => (result as { stdout?: string }).stdout === "" },
} as const;

export const lookup = (q: string, more: object = {}) => ({
  tool: "mcp__demo__lookup",
  input: { q, ...more },
});
const found = (q: string) => canonicalFp([{ type: "text", text: `found ${q}` }]);
const deny = (reason: string) => async () => ({
  hookSpecificOutput: {
    hookEventName: "PreToolUse" as const,
    permissionDecision: "deny" as const,
    permissionDecisionReason: reason,
  },
});

export function describeScenarios({ row, query, options, takeSpans, agentSpan }: Way): void {
  const ask = (script: Script, more: Options = {}) =>
    readAll(query({ prompt: scripted(script), options: { ...options(), ...more } }));
  /** The agent's spans, which are the roots of queries without an outer run. */
  const rootsOf = (spans: readonly SpanView[], count = 1) => {
    const roots = agentSpans(spans);
    expect(roots.map(({ name }) => name)).toEqual(Array(count).fill(agentSpan));
    return roots;
  };

  describe(row, () => {
    // What a failed test left is none of the next one's.
    beforeEach(async () => {
      await takeSpans();
    });

    it(
      "labels three identical calls in sequence with their attempts, and nothing of the application's",
      scenario(row, ["sequence", "application-span"]),
      async () => {
        await inSpan("POST /chat", { "http.request.method": "POST" }, () =>
          ask([[lookup("a")], [lookup("a")], [lookup("a")]]),
        );
        const spans = await takeSpans();
        const request = spans.find(({ name }) => name === "POST /chat");
        expect(request).toBeDefined();
        const [root] = rootsOf(spans);
        expect(root?.traceId).toBe(request?.traceId);
        expect(labelsOf(root)).toMatchObject({ "trustabl.exit_reason": "final_answer" });
        for (const [index, span] of check(spans, 3, rootsOf(spans)).entries()) {
          expect(labelsOf(span)).toEqual({
            "trustabl.run_id": labelsOf(root)["trustabl.run_id"],
            "trustabl.step_index": index,
            "trustabl.tool.attempt": index + 1,
            "trustabl.tool.input_fp": canonicalFp({ q: "a" }),
            "trustabl.tool.output_fp": found("a"),
            "trustabl.tool.side_effect": "read",
          });
        }
      },
    );

    it("does not mix up calls at the same time", scenario(row, "parallel"), async () => {
      const calls = [
        lookup("a", { delay: 120 }),
        lookup("b", { delay: 60 }),
        lookup("a", { delay: 120 }),
        lookup("c"),
      ];
      await ask([calls]);
      const spans = await takeSpans();
      const tools = check(spans, 4, rootsOf(spans));
      expect(tools.map((span) => span.attributes["trustabl.tool.attempt"])).toEqual([1, 1, 2, 1]);
      expect(tools.map((span) => span.attributes["trustabl.tool.input_fp"])).toEqual(
        calls.map(({ input }) => canonicalFp(input)),
      );
      expect(tools.map((span) => span.attributes["trustabl.tool.output_fp"])).toEqual(
        ["a", "b", "a", "c"].map(found),
      );
    });

    it(
      "labels a tool that throws and one that returns a failure",
      scenario(row, ["throws", "returned-failure"]),
      async () => {
        await ask([
          [{ tool: "mcp__demo__broken", input: { q: "a" } }],
          [{ tool: "mcp__demo__failing", input: { q: "a" } }],
        ]);
        const spans = await takeSpans();
        const [broken, failing] = check(spans, 2, rootsOf(spans));
        expect(labelsOf(broken)).toMatchObject({
          "trustabl.tool.error_class": "5xx",
          "trustabl.tool.output_fp": canonicalFp(null),
        });
        expect(labelsOf(failing)).toMatchObject({ "trustabl.tool.output_fp": canonicalFp(null) });
        expect(labelsOf(failing)).not.toHaveProperty(["trustabl.tool.error_class"]);
      },
    );

    it("labels built-in tools", async () => {
      await ask([[{ tool: "Bash", input: { command: "true", description: "Nothing" } }]]);
      const spans = await takeSpans();
      const [bash] = check(spans, 1, rootsOf(spans));
      expect(labelsOf(bash)).toMatchObject({
        "trustabl.tool.error_class": "empty",
        "trustabl.tool.side_effect": "write",
      });
    });

    it("labels the calls of a delegated agent in the same run", async () => {
      const prompt = scripted([[lookup("a")], [lookup("a")]]);
      const input = {
        description: "look",
        subagent_type: "general-purpose",
        run_in_background: false,
        prompt,
      };
      await ask([[lookup("a")], [{ tool: "Agent", input }], [lookup("a")]]);
      const spans = await takeSpans();
      const tools = check(spans, 5, rootsOf(spans));
      expect(tools.map((span) => span.attributes["trustabl.tool.attempt"])).toEqual([1, 1, 2, 3, 4]);
      // No span stands for the delegated agent, so there is none to carry a handoff id.
      expect(agentSpans(spans)).toHaveLength(1);
    });

    it("labels a query whose messages are streamed in parts", scenario(row, "streaming"), async () => {
      const messages = await ask([[lookup("a")]], { includePartialMessages: true });
      expect(messages.some(({ type }) => type === "stream_event")).toBe(true);
      const spans = await takeSpans();
      check(spans, 1, rootsOf(spans));
    });

    it("keeps two queries at the same time apart", scenario(row, "two-runs"), async () => {
      await Promise.all([
        ask([[lookup("a")], [lookup("a")], [lookup("a")]]),
        ask([[lookup("a")], [lookup("a")], [lookup("b")]]),
      ]);
      const spans = await takeSpans();
      const roots = rootsOf(spans, 2);
      const runs = roots.map((span) => labelsOf(span)["trustabl.run_id"]);
      expect(new Set(runs).size).toBe(2);
      const tools = check(spans, 6, roots);
      const attempts = runs.map((run) =>
        tools
          .filter((span) => span.attributes["trustabl.run_id"] === run)
          .map((span) => span.attributes["trustabl.tool.attempt"]),
      );
      expect(attempts.sort()).toEqual([
        [1, 2, 1],
        [1, 2, 3],
      ]);
    });

    it(
      "labels a call that was approved, with the input that was approved",
      scenario(row, "approval-granted"),
      async () => {
        const asked: unknown[] = [];
        await ask([[lookup("a")], [lookup("a")]], {
          allowedTools: [],
          canUseTool: async (_name, given) => {
            asked.push(given);
            return { behavior: "allow", updatedInput: given };
          },
        });
        expect(asked).toEqual([{ q: "a" }, { q: "a" }]);
        const spans = await takeSpans();
        const tools = check(spans, 2, rootsOf(spans));
        expect(tools.map((span) => span.attributes["trustabl.tool.output_fp"])).toEqual([
          found("a"),
          found("a"),
        ]);
      },
    );

    it(
      "labels a call that was refused as one without a result",
      scenario(row, "approval-refused"),
      async () => {
        const messages = await ask(
          [[lookup("a")], [{ tool: "Bash", input: { command: "true", description: "x" } }]],
          {
            allowedTools: ["Bash"],
            canUseTool: async () => ({ behavior: "deny", message: "no" }),
          },
        );
        expect(resultOf(messages)?.permission_denials).toHaveLength(1);
        const spans = await takeSpans();
        const roots = rootsOf(spans);
        const [refused] = check(spans, 2, roots);
        expect(labelsOf(refused)).toMatchObject({
          "trustabl.tool.input_fp": canonicalFp({ q: "a" }),
          "trustabl.tool.output_fp": canonicalFp(null),
        });
        // The model went on, so that the refusal did not end the run.
        expect(labelsOf(roots[0])["trustabl.exit_reason"]).toBe("final_answer");
      },
    );

    it("labels a call that a hook denies, and lets the hook decide", async () => {
      await ask([[lookup("a"), lookup("b")]], { hooks: { PreToolUse: [{ hooks: [deny("no")] }] } });
      const spans = await takeSpans();
      for (const span of check(spans, 2, rootsOf(spans))) {
        expect(labelsOf(span)["trustabl.tool.output_fp"]).toBe(canonicalFp(null));
      }
    });

    it("ends a run by policy when a refusal interrupts it, and by steps at the cap on turns", async () => {
      await ask([[lookup("a")], [lookup("a")]], {
        allowedTools: [],
        canUseTool: async () => ({ behavior: "deny", message: "no", interrupt: true }),
      }).catch(() => undefined);
      const refused = await takeSpans();
      expect(labelsOf(rootsOf(refused)[0])["trustabl.exit_reason"]).toBe("policy_stop");
      await ask([[lookup("a")], [lookup("a")], [lookup("a")]], { maxTurns: 2 }).catch(() => undefined);
      const capped = await takeSpans();
      expect(labelsOf(rootsOf(capped)[0])["trustabl.exit_reason"]).toBe("max_steps");
    });

    it("leaves the agent's span alone when the application's own root carries the run", async () => {
      await inSpan("invoke_agent helper", { "gen_ai.operation.name": "invoke_agent" }, (root) =>
        withRun(root, async () => resultOf(await ask([[lookup("a")], [lookup("a")]])), {
          exitReason: exitReasonOf,
        }),
      );
      const spans = await takeSpans();
      const root = spans.find(({ name }) => name === "invoke_agent helper");
      expect(labelsOf(root)["trustabl.exit_reason"]).toBe("final_answer");
      check(spans, 2, root === undefined ? [] : [root]);
    });
  });
}
