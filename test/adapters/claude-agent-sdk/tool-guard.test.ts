import { context, diag } from "@opentelemetry/api";
import { afterEach, describe, expect, it } from "vitest";
import type { HookCallback } from "../../../src/adapters/claude-agent-sdk/sdk-types.ts";
import {
  type GuardableOptions,
  QueryLabels,
  type QueryLabelsOptions,
  ToolGuard,
  type ToolGuardOptions,
} from "../../../src/adapters/claude-agent-sdk.ts";
import { defineTools } from "../../../src/contracts/index.ts";
import { canonicalFp } from "../../../src/index.ts";
import { Run } from "../../../src/run/run.ts";
import { contextWithRun } from "../../../src/run/run-context.ts";
import { badCalls } from "../../frameworks/bad-calls.ts";
import { triageTools } from "../../frameworks/contracts.ts";
import {
  aligned,
  comment,
  misaligned,
  type TriageDesk,
  triageDesk,
  unsure,
} from "../../frameworks/triage-desk.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { useContextManager } from "../../support/tracing.ts";
import { callHooks, drain, fakeQuery, toolEvent, toolSpan } from "./fake-sdk.ts";

useContextManager();
afterEach(() => diag.disable());

type Options = ToolGuardOptions<typeof triageTools>;
const guardOf = (more: Partial<Options> = {}) =>
  new ToolGuard({ server: "triage", contracts: triageTools, show: (schema) => schema, ...more });
const NAME = "mcp__triage__add_comment";
const extra = (callId: string) => ({ _meta: { "claudecode/toolUseId": callId } });
const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
const said = (text: string) => ({ isError: true, content: [{ type: "text", text }] });
const REVIEW = "Not run: the call needs a review.";
const FAILED = "Not run: the call was denied.";

/** A query's controls and its tool, called as the SDK calls them. */
function controls(desk: TriageDesk, given: GuardableOptions = {}) {
  const guard = guardOf({ mediated: desk.mediated });
  const options = guard.options<GuardableOptions>(given);
  const add = guard.tool("add_comment", async (args) => text(await desk.work(args)));
  return {
    guard,
    options,
    hook: async (callId: string | undefined, input: unknown, name = NAME) => {
      const event = { ...toolEvent("PreToolUse", "s", "", name, { tool_input: input }), tool_use_id: callId };
      const [answer] = (await callHooks(options as never, event)) as [{ hookSpecificOutput?: object }];
      return answer.hookSpecificOutput ?? answer;
    },
    ask: (callId: string, input: unknown, name = NAME) =>
      options.canUseTool?.(name, input, { toolUseID: callId }) as Promise<unknown>,
    run: (callId: string, args: unknown) => add.handler(args, extra(callId)),
  };
}
const agrees = { canUseTool: async () => ({ behavior: "allow" }) };
const decision = (permissionDecision: string, permissionDecisionReason: string) => ({
  hookEventName: "PreToolUse",
  permissionDecision,
  permissionDecisionReason,
});

describe("a guard of in-process tools", () => {
  it("shows the contract's schema, and holds every call to it", async () => {
    const reached: unknown[] = [];
    const guard = guardOf();
    for (const { tool: name, args, told } of badCalls) {
      const tool = guard.tool(name, (good) => text(String(reached.push(good))), { confirmed: () => true });
      expect(tool).toMatchObject({ name, inputSchema: triageTools[name].jsonSchema("anthropic") });
      expect(await tool.handler(args, extra("t"))).toEqual(said(`Refused, nothing was run. ${told}`));
    }
    expect(reached).toEqual([]);
  });

  it("gives on what the function returns and throws", async () => {
    const failure = new Error("busy");
    const guard = guardOf();
    const good = guard.tool("read_log", async ({ job_id }) => text(job_id));
    const bad = guard.tool("read_log", () => {
      throw failure;
    });
    expect(await good.handler({ job_id: "7" }, extra("t"))).toEqual(text("7"));
    await expect(bad.handler({ job_id: "7" }, extra("t"))).rejects.toBe(failure);
  });

  it("counts nothing, since hooks do", async () => {
    const heard = hearDiagnostics();
    const run = new Run();
    const scope = { run, recording: true, traceId: undefined };
    const tool = guardOf().tool("read_log", () => text("x"));
    await context.with(contextWithRun(context.active(), scope), () =>
      tool.handler({ job_id: "7" }, extra("t")),
    );
    expect(run.nextStep()).toBe(0);
    expect(ownMessages(heard)).toEqual([]);
  });

  it("leaves options alone where no call carries a claim", () => {
    const options = { canUseTool: async () => null, hooks: {} };
    expect(guardOf().options(options)).toBe(options);
  });

  it.each([
    [{ server: "" }, TypeError],
    [{ contracts: undefined }, TypeError],
    [{ show: undefined }, TypeError],
  ])("refuses wrong options: %j", (wrong, error) => {
    expect(() => guardOf(wrong as never)).toThrow(error);
  });

  it("refuses a tool that has no contract", () => {
    expect(() => guardOf().tool("toString" as never, () => text(""))).toThrow(RangeError);
    expect(() => guardOf({ mediated: triageDesk().mediated }).tool("other" as never, () => text(""))).toThrow(
      RangeError,
    );
  });
});

describe("the hook of a guard", () => {
  it("blocks when it fails, and comes besides the application's hooks", () => {
    const own: HookCallback = async () => ({});
    const { options } = controls(triageDesk(), {
      hooks: { PreToolUse: [{ hooks: [own] }], Stop: [{ hooks: [own] }] },
    });
    expect(options.hooks).toMatchObject({
      PreToolUse: [{ onFailure: "block" }, { hooks: [own] }],
      Stop: [{ hooks: [own] }],
    });
    expect(options.hooks?.PreToolUse?.[0]).not.toHaveProperty("matcher");
  });

  it("answers nothing for a call that may run, so that no other control is loosened", async () => {
    const { hook, run } = controls(triageDesk());
    expect(await hook("t", aligned)).toEqual({});
    expect(await run("t", aligned)).toEqual(text("commented"));
  });

  it("denies and asks, with a coarse reason", async () => {
    const { hook } = controls(triageDesk());
    expect(await hook("t", misaligned)).toEqual(
      decision("deny", "Not run: the claim does not match the arguments."),
    );
    expect(await hook("u", unsure)).toEqual(decision("ask", REVIEW));
  });

  it.each(["Bash", "mcp__other__add_comment", "mcp__triage__other", "toString"])(
    "has nothing to say about %s",
    async (name) => {
      const desk = triageDesk();
      const { hook } = controls(desk);
      expect(await hook("t", misaligned, name)).toEqual({});
      expect(desk.entries).toEqual([]);
    },
  );

  it("denies when the step fails, and when it gets nonsense", async () => {
    const failing = triageDesk({ onDecision: () => Promise.reject(new Error("full")) });
    expect(await controls(failing).hook("t", aligned)).toEqual(decision("deny", FAILED));
    const { hook } = controls(triageDesk());
    for (const input of [undefined, null, 1, "{", [], { claim: { __proto__: null } }]) {
      expect(await hook("t", input)).toMatchObject({ permissionDecision: "deny" });
    }
  });
});

describe("an approval with a guard", () => {
  it("is for one call, once", async () => {
    const desk = triageDesk();
    const { hook, ask, run } = controls(desk, agrees);
    await hook("t", unsure);
    expect(await ask("t", unsure)).toEqual({ behavior: "allow" });
    expect(await run("other", unsure)).toEqual(said(REVIEW));
    expect(await run("t", { ...unsure, text: "Other." })).toEqual(said(REVIEW));
    expect(await run("t", unsure)).toEqual(text("commented"));
    expect(await run("t", unsure)).toEqual(said(REVIEW));
    expect(desk.effects).toEqual([comment]);
  });

  it("is not one where nobody was asked for a review", async () => {
    const { hook, ask, run } = controls(triageDesk(), agrees);
    // No hook, a hook that allowed when the id came again, and an answer that came twice.
    await ask("t", unsure);
    expect(await run("t", unsure)).toEqual(said(REVIEW));
    await hook("other", unsure);
    await hook("t", unsure);
    await hook("t", aligned);
    await ask("t", unsure);
    expect(await run("t", unsure)).toEqual(said(REVIEW));
    await ask("other", unsure);
    await run("other", unsure);
    await ask("other", unsure);
    expect(await run("other", unsure)).toEqual(said(REVIEW));
  });

  it("of one tool is none of another's", async () => {
    const { hook, ask, run } = controls(triageDesk(), agrees);
    await hook("t", unsure);
    await ask("t", unsure, "mcp__triage__open_issue");
    expect(await run("t", unsure)).toEqual(said(REVIEW));
  });

  it.each([null, undefined, { behavior: "deny", message: "no" }, {}, "allow"])(
    "is not %j",
    async (answer) => {
      const { hook, ask, run } = controls(triageDesk(), { canUseTool: async () => answer });
      await hook("t", unsure);
      expect(await ask("t", unsure)).toBe(answer);
      expect(await run("t", unsure)).toEqual(said(REVIEW));
    },
  );

  it("that cannot be kept denies the call", async () => {
    const approvals = { put: () => Promise.reject(new Error("down")), has: () => false, take: () => false };
    const { hook, ask } = controls(triageDesk({ approvals }), agrees);
    await hook("t", unsure);
    expect(await ask("t", unsure)).toEqual({ behavior: "deny", message: FAILED });
  });
});

describe("the labels of a guard", () => {
  const labelled = async (
    guard: { readonly labels: QueryLabelsOptions["tools"] },
    call: object,
    before?: GuardableOptions,
  ) => {
    const labels = new QueryLabels({ tools: guard.labels });
    const relay = { url: "http://127.0.0.1:1", settled: () => {} };
    const query = labels.wrap(
      ({ options }: { options?: object }) =>
        fakeQuery({ sessionId: "s", calls: [{ id: "t", input: {}, ...call }] }, options),
      relay,
    );
    await drain(query(before === undefined ? {} : { options: before }));
    const found = labels.labelsOf(toolSpan("s", "t", "x"), true);
    return typeof found === "object" ? found.attributes : {};
  };

  it("say what the contract says, and write no fingerprint of secrets", async () => {
    const { description, input } = triageTools.add_comment;
    const contracts = defineTools({
      add_comment: { description, input, sideEffect: "write", sensitive: true },
    });
    const guard = new ToolGuard({ server: "triage", contracts, show: (schema) => schema });
    const attributes = await labelled(guard, { name: NAME, input: comment, result: "x" });
    expect(attributes).toMatchObject({ "trustabl.tool.side_effect": "write" });
    expect(Object.keys(attributes).filter((name) => name.endsWith("_fp"))).toEqual([]);
  });

  it.each([
    [misaligned, "auth"],
    [comment, "schema"],
    [aligned, undefined],
  ])("tell the class of a call that the hook denied, without the claim", async (input, errorClass) => {
    const guard = guardOf({ mediated: triageDesk().mediated });
    const attributes = await labelled(guard, { name: NAME, input, end: "refused" }, guard.options({}));
    expect(attributes["trustabl.tool.error_class"]).toBe(errorClass);
    const { claim: _, ...args } = input as Record<string, unknown>;
    expect(attributes["trustabl.tool.input_fp"]).toBe(canonicalFp(args));
  });
});
