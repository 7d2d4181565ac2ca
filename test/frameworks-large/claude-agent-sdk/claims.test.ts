import type { CanUseTool, HookCallback, Options } from "@anthropic-ai/claude-agent-sdk";
import { afterAll, describe, expect, it } from "vitest";
import { canonicalFp } from "../../../src/index.ts";
import type { SpanView } from "../../../src/verify/index.ts";
import {
  aligned,
  comment,
  misaligned,
  type TriageDesk,
  triageDesk,
  unsure,
} from "../../frameworks/triage-desk.ts";
import { type Script, scripted } from "./fake-model.ts";
import { expectPass, labelsOf, toolSpans } from "./tracing.ts";
import { call, claimGuard, type Outcome, triageAgent } from "./triage-agent.ts";

const agent = await triageAgent();
afterAll(agent.close);

const add = (input: object) => call("add_comment", input);
const DENIED = "Not run: the claim does not match the arguments.";
const MISSING = "Not run: the claim is missing or malformed; call again with a complete claim.";
const REVIEW = "Not run: the call needs a review.";
const byHook = (reason: string) => expect.stringMatching(new RegExp(`${reason.slice(0, -1)}\\.$`));

function ask(desk: TriageDesk, script: Script, more: Partial<Options> = {}): Promise<Outcome> {
  return agent.ask(claimGuard(desk), desk.work, script, more);
}
/** A person: what they were asked about, and what they say. */
function person(answer: (input: Record<string, unknown>) => Awaited<ReturnType<CanUseTool>>) {
  const asked: unknown[] = [];
  const canUseTool: CanUseTool = async (_name, input) => {
    asked.push(input);
    return answer(input);
  };
  return { asked, canUseTool };
}
const agrees = (input: Record<string, unknown>) => ({ behavior: "allow", updatedInput: input }) as const;
const refuses = () => ({ behavior: "deny", message: "not now" }) as const;
const hook = (callback: HookCallback): Partial<Options> => ({
  hooks: { PreToolUse: [{ hooks: [callback] }] },
});
const hookAnswer = (output: object) =>
  hook(async () => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...output } }));
const errorClasses = (spans: readonly SpanView[]) =>
  toolSpans(spans).map((span) => labelsOf(span)["trustabl.tool.error_class"]);

describe("a claim with the Claude Agent SDK", () => {
  it("that is allowed runs its tool, without the claim", async () => {
    const desk = triageDesk();
    const { told, shown, spans } = await ask(desk, [[add(aligned)]]);
    expect(desk.effects).toEqual([comment]);
    expect(told).toEqual(["commented"]);
    expect(shown).toMatchObject({ mcp__triage__add_comment: { required: ["issue_id", "text", "claim"] } });
    expect(desk.decisions()).toEqual([
      ["before", "allow", false],
      ["call", "allow", false],
    ]);
    expect(new Set(desk.entries.map(({ callId }) => callId)).size).toBe(1);
    expect(labelsOf(toolSpans(spans)[0])).toMatchObject({
      "trustabl.tool.input_fp": canonicalFp(comment),
      "trustabl.tool.side_effect": "write",
    });
    expect(errorClasses(spans)).toEqual([undefined]);
    expectPass(spans, 1);
  });

  it("that is denied runs nothing, and the model may call again", async () => {
    const desk = triageDesk();
    const { asked, canUseTool } = person(agrees);
    const { told, spans } = await ask(desk, [[add(misaligned)], [add(comment)], [add(aligned)]], {
      canUseTool,
    });
    expect([desk.effects, asked]).toEqual([[comment], []]);
    expect(told).toEqual([byHook(DENIED), byHook(MISSING), "commented"]);
    expect(desk.decisions()).toEqual([
      ["before", "deny", false],
      ["before", "deny", false],
      ["before", "allow", false],
      ["call", "allow", false],
    ]);
    expect(errorClasses(spans)).toEqual(["auth", "schema", undefined]);
    expectPass(spans, 3);
  });

  it("that needs a review runs once a person has agreed, whatever else would let it through", async () => {
    const desk = triageDesk();
    const { asked, canUseTool } = person(agrees);
    const { told, spans } = await ask(desk, [[add(unsure)]], {
      canUseTool,
      permissionMode: "bypassPermissions",
      allowDangerouslySkipPermissions: true,
    });
    expect([desk.effects, asked]).toEqual([[comment], [unsure]]);
    expect(told).toEqual(["commented"]);
    expect(desk.decisions()).toEqual([
      ["before", "review", false],
      ["call", "allow", true],
    ]);
    expect(labelsOf(toolSpans(spans)[0])).toMatchObject({ "trustabl.tool.input_fp": canonicalFp(comment) });
    expectPass(spans, 1);
  });

  it("that a person refuses, or that nobody can be asked about, runs nothing", async () => {
    const desk = triageDesk();
    const refused = await ask(desk, [[add(unsure)]], { canUseTool: person(refuses).canUseTool });
    expect(refused.told).toEqual(["not now"]);
    expectPass(refused.spans, 1);
    const alone = await ask(desk, [[add(unsure)]]);
    expect(alone.told).toHaveLength(1);
    expect(alone.told).not.toContain("commented");
    expect(desk.effects).toEqual([]);
    expect(desk.decisions()).toEqual([
      ["before", "review", false],
      ["before", "review", false],
    ]);
  });

  it("that was approved is denied when the facts have changed meanwhile", async () => {
    const desk = triageDesk();
    const { canUseTool } = person((input) => {
      desk.closeRoute();
      return agrees(input);
    });
    const { told, spans } = await ask(desk, [[add(unsure)]], { canUseTool });
    expect(desk.effects).toEqual([]);
    expect(told).toEqual(["Not run: the claim does not match the route."]);
    expect(desk.decisions().at(-1)).toEqual(["call", "deny", false]);
    expect(errorClasses(spans)).toEqual(["auth"]);
    expectPass(spans, 1);
  });

  it("is asked about each time, although the person has said always", async () => {
    const desk = triageDesk();
    const { asked, canUseTool } = person((input) => ({
      ...agrees(input),
      updatedPermissions: [
        {
          type: "addRules",
          rules: [{ toolName: "mcp__triage__add_comment" }],
          behavior: "allow",
          destination: "session",
        },
      ],
    }));
    await ask(desk, [[add(unsure)], [add(unsure)]], { canUseTool, allowedTools: [] });
    expect(asked).toHaveLength(2);
    expect(desk.effects).toHaveLength(2);
  });

  it("is judged as the person has edited the call", async () => {
    const desk = triageDesk();
    const edited = { ...unsure, text: "Shorter." };
    const harmless = await ask(desk, [[add(unsure)]], {
      canUseTool: person(() => agrees(edited)).canUseTool,
    });
    expect(harmless.told).toEqual(["commented"]);
    const beyond = await ask(desk, [[add(unsure)]], {
      canUseTool: person(() => agrees({ ...unsure, issue_id: "42" })).canUseTool,
    });
    expect(beyond.told).toEqual([DENIED]);
    const without = await ask(desk, [[add(unsure)]], {
      canUseTool: person(() => agrees(comment)).canUseTool,
    });
    expect(without.told).toEqual([MISSING]);
    expect(desk.effects).toEqual([{ ...comment, text: "Shorter." }]);
  });

  it.each([
    ["the audit trail", { onDecision: () => Promise.reject(new Error("full")) }],
    [
      "existing authorization",
      {
        baseline: () => {
          throw new Error("down");
        },
      },
    ],
  ])("is denied when %s fails", async (_, options) => {
    const desk = triageDesk(options);
    const { told, spans } = await ask(desk, [[add(aligned)]]);
    expect(desk.effects).toEqual([]);
    expect(told).toEqual([byHook("Not run: the call was denied.")]);
    expect(errorClasses(spans)).toEqual(["auth"]);
  });

  it("waits for a person when the facts cannot be had", async () => {
    const desk = triageDesk({ resolveFacts: () => Promise.reject(new Error("down")) });
    const { asked, canUseTool } = person(refuses);
    await ask(desk, [[add(aligned)]], { canUseTool });
    expect([asked, desk.effects]).toEqual([[aligned], []]);
  });

  it("of each of two calls in one turn is decided on by itself", async () => {
    const desk = triageDesk();
    const other = { ...unsure, text: "Other." };
    const { asked, canUseTool } = person((input) => (input.text === "Other." ? refuses() : agrees(input)));
    const { told, spans } = await ask(desk, [[add(aligned), add(misaligned), add(unsure), add(other)]], {
      canUseTool,
    });
    expect(asked).toHaveLength(2);
    expect(desk.effects).toEqual([comment, comment]);
    expect(told).toEqual(["commented", byHook(DENIED), "commented", "not now"]);
    expect(errorClasses(spans)).toEqual([undefined, "auth", undefined, undefined]);
    expectPass(spans, 4);
  });

  it("of a delegated agent's call is decided on too", async () => {
    const desk = triageDesk();
    const input = {
      description: "comment",
      subagent_type: "general-purpose",
      run_in_background: false,
      prompt: scripted([[add(misaligned)], [add(aligned)], [add(unsure)]]),
    };
    const { asked, canUseTool } = person(refuses);
    const { spans } = await ask(desk, [[{ tool: "Agent", input }]], {
      canUseTool,
      allowedTools: ["mcp__triage", "Agent"],
    });
    expect([asked, desk.effects]).toEqual([[unsure], [comment]]);
    expect(desk.decisions().map(([moment, outcome]) => `${moment} ${outcome}`)).toEqual([
      "before deny",
      "before allow",
      "call allow",
      "before review",
    ]);
    expect(errorClasses(spans)).toEqual([undefined, "auth", undefined, undefined]);
    expectPass(spans, 4);
  });
});

describe("other controls", () => {
  it("keep what they say about a call that the claim allows", async () => {
    const desk = triageDesk();
    const denied = await ask(desk, [[add(aligned)]], hookAnswer({ permissionDecision: "deny" }));
    const refused = await ask(desk, [[add(aligned)]], {
      allowedTools: [],
      canUseTool: person(refuses).canUseTool,
    });
    expect([denied.told, refused.told]).toEqual([[expect.not.stringMatching("commented")], ["not now"]]);
    expect(desk.effects).toEqual([]);
  });

  it("cannot let through what the claim does not allow", async () => {
    const desk = triageDesk();
    const { told } = await ask(desk, [[add(misaligned)], [add(unsure)]], {
      ...hookAnswer({ permissionDecision: "allow" }),
    });
    expect(desk.effects).toEqual([]);
    expect(told[0]).toContain(DENIED);
  });

  it("may rewrite a call, which is judged as it runs", async () => {
    const desk = triageDesk();
    const redacting = await ask(
      desk,
      [[add(aligned)]],
      hookAnswer({ updatedInput: { ...aligned, text: "Redacted." } }),
    );
    expect(redacting.told).toEqual(["commented"]);
    const widening = await ask(
      desk,
      [[add(aligned)]],
      hookAnswer({ updatedInput: { ...aligned, issue_id: "42" } }),
    );
    expect(widening.told).toEqual([DENIED]);
    expect(desk.effects).toEqual([{ ...comment, text: "Redacted." }]);
  });

  it("decide alone on built-in tools, which carry no claim", async () => {
    const desk = triageDesk();
    const bash = { tool: "Bash", input: { command: "echo hello", description: "Greet" } };
    const { asked, canUseTool } = person(refuses);
    const allowed = await ask(desk, [[bash]], { allowedTools: ["Bash"] });
    const refused = await ask(desk, [[{ tool: "Write", input: { file_path: "/tmp/none", content: "" } }]], {
      canUseTool,
    });
    expect(allowed.told).toEqual(["hello"]);
    expect([refused.told, asked.length]).toEqual([["not now"], 1]);
    expect(desk.entries).toEqual([]);
  });

  it("are the tool's own where nobody gave the query the hooks", async () => {
    const desk = triageDesk();
    const guard = claimGuard(desk);
    const unhooked = {
      labels: guard.labels,
      tool: guard.tool.bind(guard),
      options: <Given extends object>(options: Given) => options,
    };
    const { told, spans } = await agent.ask(unhooked, desk.work, [
      [add(misaligned), add(unsure), add(aligned)],
    ]);
    expect(told).toEqual([DENIED, REVIEW, "commented"]);
    expect(desk.effects).toEqual([comment]);
    expect(errorClasses(spans)).toEqual(["auth", "auth", undefined]);
    expectPass(spans, 3);
  });
});
