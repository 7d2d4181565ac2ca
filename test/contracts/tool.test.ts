import { tool as aiTool, generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { ContractViolationError, defineTools, tool } from "../../src/contracts/index.ts";
import { guardedTool } from "../../src/contracts/tool/guarded-tool.ts";
import { canonicalFp, TrustablError, withRun } from "../../src/index.ts";
import { hearDiagnostics, ownMessages } from "../support/diagnostics.ts";
import { sdk2 } from "../support/sdks-here.ts";
import { inSpan, labelsOf, toolSpanAttributes, useTracing } from "../support/tracing.ts";

const tracing = useTracing(sdk2);
let heard: string[];
beforeEach(() => {
  heard = hearDiagnostics();
});

const tools = defineTools({
  open_issue: {
    description: "Opens an issue.",
    sideEffect: "write",
    input: {
      type: "object",
      additionalProperties: false,
      required: ["severity"],
      properties: { severity: { enum: ["p1", "p2"] }, count: { type: "integer", default: 1 } },
    },
  },
  rerun_job: {
    description: "Runs a job again.",
    confirm: true,
    input: {
      type: "object",
      additionalProperties: false,
      required: ["job_id"],
      properties: { job_id: { type: "string", maxLength: 12 } },
    },
  },
  check_pin: {
    description: "Checks a PIN.",
    sensitive: true,
    input: {
      type: "object",
      additionalProperties: false,
      required: ["pin"],
      properties: { pin: { type: "string", maxLength: 4 } },
    },
  },
});

/** Calls a tool as a framework does, in a tool span that is active, and gives what it threw as a value. */
async function callInRun(name: string, call: () => unknown): Promise<unknown> {
  return inSpan(tracing.tracer, "invoke_agent helper", {}, (root) =>
    withRun(root, () =>
      inSpan(tracing.tracer, `execute_tool ${name}`, toolSpanAttributes(name), async () => {
        try {
          return await call();
        } catch (error) {
          return error;
        }
      }),
    ),
  );
}
const labels = () => labelsOf(tracing.finished().find((span) => span.name.startsWith("execute_tool")));
/** What a model sends is of no type. */
const sent = (args: unknown) => args as never;

describe("a guarded tool", () => {
  it("runs a call that its contract allows, and is labelled as a wrapped tool is", async () => {
    const openIssue = tool(tools.open_issue, ({ severity }) => `opened as ${severity}`);
    expect(await callInRun("open_issue", () => openIssue({ severity: "p1" }))).toBe("opened as p1");
    expect(labels()).toEqual({
      "trustabl.run_id": expect.stringMatching(/^[0-9a-f]{16}$/),
      "trustabl.step_index": 0,
      "trustabl.tool.attempt": 1,
      "trustabl.tool.input_fp": canonicalFp({ severity: "p1" }),
      "trustabl.tool.output_fp": canonicalFp("opened as p1"),
      "trustabl.tool.side_effect": "write",
    });
  });

  it("leaves its labels to somebody else where it is told to", async () => {
    const openIssue = tool(tools.open_issue, ({ severity }) => severity, { labelled: false });
    await callInRun("open_issue", () => openIssue(sent({ severity: "p4" })));
    expect(await callInRun("open_issue", () => openIssue({ severity: "p1" }))).toBe("p1");
    expect(labels()).toEqual({});
  });

  it("knows its types", async () => {
    const openIssue = tool(tools.open_issue, async ({ severity, count }, context?: { user: string }) => ({
      severity,
      count,
      user: context?.user,
    }));
    expectTypeOf(openIssue).parameter(0).toEqualTypeOf<{ severity: "p1" | "p2"; count?: number }>();
    expectTypeOf(openIssue).parameter(1).toEqualTypeOf<{ user: string } | undefined>();
    expectTypeOf(await openIssue({ severity: "p1" }, { user: "ann" }).catch(() => undefined)).toEqualTypeOf<
      { severity: "p1" | "p2"; count: number | undefined; user: string | undefined } | undefined
    >();
  });

  it("hands on what else the framework calls it with, and its `this`", async () => {
    const execute = vi.fn(function (this: unknown, _args: unknown, ..._rest: unknown[]) {
      return this;
    });
    const self = { me: true };
    const context = { toolCallId: "call_1" };
    expect(
      await Reflect.apply(tool(tools.open_issue, execute as never), self, [{ severity: "p1" }, context, 3]),
    ).toBe(self);
    expect(execute).toHaveBeenCalledWith({ severity: "p1" }, context, 3);
  });

  it("gives the function a copy without nulls, and the defaults where they are asked for", async () => {
    const args = { severity: "p1", count: null };
    const seen: unknown[] = [];
    const execute = (one: unknown) => seen.push(one);
    await tool(tools.open_issue, execute)(sent(args));
    await tool(tools.open_issue, execute, { applyDefaults: true })(sent(args));
    expect(seen).toEqual([{ severity: "p1" }, { severity: "p1", count: 1 }]);
    expect(args).toEqual({ severity: "p1", count: null });
  });

  it("takes the model's JSON text, with the fingerprint of what it says", async () => {
    const openIssue = tool(tools.open_issue, ({ severity }) => severity);
    expect(await callInRun("open_issue", () => openIssue(sent('{"severity":"p2"}')))).toBe("p2");
    expect(labels()["trustabl.tool.input_fp"]).toBe(canonicalFp({ severity: "p2" }));
  });

  it("gives on what the function throws, with its class", async () => {
    const failure = Object.assign(new Error("busy"), { status: 503 });
    const openIssue = tool(tools.open_issue, () => {
      throw failure;
    });
    expect(await callInRun("open_issue", () => openIssue({ severity: "p1" }))).toBe(failure);
    expect(labels()["trustabl.tool.error_class"]).toBe("5xx");
  });

  it("stays an async generator function", async () => {
    const stream = tool(tools.open_issue, async function* ({ severity }) {
      yield "opening";
      yield `opened as ${severity}`;
    });
    const parts: string[] = [];
    await callInRun("open_issue", async () => {
      for await (const part of stream({ severity: "p1" })) parts.push(part);
    });
    expect(parts).toEqual(["opening", "opened as p1"]);
    expect(labels()["trustabl.tool.output_fp"]).toBe(canonicalFp("opened as p1"));
    const refused = await callInRun("open_issue", async () => {
      for await (const _ of stream(sent({ severity: "p9" }))) expect.fail("it ran");
    });
    expect(refused).toBeInstanceOf(ContractViolationError);
  });

  it("says so where a stream would get lost in a promise", async () => {
    await tool(tools.open_issue, () => (async function* () {})())({ severity: "p1" });
    expect(ownMessages(heard).join()).toContain("write it as an async generator function");
  });

  it("writes no fingerprint where secrets are short", async () => {
    const checkPin = tool(tools.check_pin, ({ pin }) => pin === "0000");
    expect(await callInRun("check_pin", () => checkPin({ pin: "1234" }))).toBe(false);
    expect(labels()).toEqual({
      "trustabl.run_id": expect.any(String),
      "trustabl.step_index": 0,
      "trustabl.tool.attempt": 1,
    });
    expect(ownMessages(heard)).toEqual([]);
  });

  it("is refused when it is made without a contract, a function, or with wrong options", () => {
    expect(() => tool({ description: "x" } as never, () => 1)).toThrow(TypeError);
    expect(() => tool(tools.open_issue, undefined as never)).toThrow(TypeError);
    expect(() => tool(tools.open_issue, () => 1, { confirmed: true as never })).toThrow(TypeError);
    expect(() => tool(tools.open_issue, () => 1, { isEmpty: 5 as never })).toThrow(TypeError);
  });
});

describe("a refused call", () => {
  it("reaches no function, ends with the message for the model, and is labelled schema", async () => {
    const execute = vi.fn();
    const error = await callInRun("open_issue", () =>
      tool(tools.open_issue, execute)(sent({ severity: "p4" })),
    );
    expect(execute).not.toHaveBeenCalled();
    expect(error).toBeInstanceOf(ContractViolationError);
    expect(error).toMatchObject({
      name: "ContractViolationError",
      code: "arguments_refused",
      tool: "open_issue",
      message: "Refused, nothing was run. severity: expected one of p1, p2",
      problems: [{ path: "/severity", keyword: "enum", expected: "one of p1, p2" }],
      issues: [{ message: "expected one of p1, p2", path: ["severity"] }],
    });
    expect(TrustablError.isInstance(error)).toBe(true);
    expect(labels()).toMatchObject({
      "trustabl.tool.error_class": "schema",
      "trustabl.tool.input_fp": canonicalFp({ severity: "p4" }),
      "trustabl.tool.side_effect": "write",
    });
  });

  it("is labelled schema whatever the tool says about errors of its own", async () => {
    const openIssue = tool(tools.open_issue, () => 1, { errorClass: () => "5xx" });
    await callInRun("open_issue", () => openIssue(sent({})));
    expect(labels()["trustabl.tool.error_class"]).toBe("schema");
  });

  it("gives back what the application wants, with the same label", async () => {
    const openIssue = tool(tools.open_issue, () => "opened", {
      onRefusal: ({ message }) => ({ isError: true, message }),
    });
    expect(await callInRun("open_issue", () => openIssue(sent({})))).toEqual({
      isError: true,
      message: "Refused, nothing was run. severity: required, expected one of p1, p2",
    });
    expect(labels()["trustabl.tool.error_class"]).toBe("schema");
  });
});

describe("a call that has to be confirmed", () => {
  const args = { job_id: "42" };
  const execute = vi.fn((_args: unknown) => "started");
  beforeEach(() => execute.mockClear());

  it("is refused where nobody can confirm it, and is labelled schema", async () => {
    const error = await callInRun("rerun_job", () => tool(tools.rerun_job, execute)(args));
    expect(error).toMatchObject({
      code: "not_confirmed",
      message: expect.stringContaining("outside the model"),
    });
    expect(execute).not.toHaveBeenCalled();
    expect(labels()["trustabl.tool.error_class"]).toBe("schema");
  });

  it("runs when the application confirms it, which sees the arguments and the context", async () => {
    const confirmed = vi.fn(
      async (_args: { job_id: string }, context?: { user: string }) => context?.user === "ann",
    );
    const rerunJob = tool(
      tools.rerun_job,
      (one: { job_id: string }, _context?: { user: string }) => execute(one),
      { confirmed },
    );
    expect(await rerunJob(args, { user: "ann" })).toBe("started");
    await expect(rerunJob(args, { user: "bob" })).rejects.toThrow("outside the model");
    expect(confirmed.mock.calls).toEqual([
      [args, { user: "ann" }],
      [args, { user: "bob" }],
    ]);
    expect(execute).toHaveBeenCalledTimes(1);
  });

  it("is not confirmed by anything but true, nor by a throw", async () => {
    const answers: (() => unknown)[] = [
      () => "true",
      () => 1,
      () => undefined,
      async () => ({}),
      () => {
        throw new Error("hunter2");
      },
      () => Promise.reject(new Error("hunter2")),
    ];
    for (const confirmed of answers) {
      const rerunJob = tool(tools.rerun_job, execute, { confirmed: confirmed as never });
      await expect(rerunJob(args)).rejects.toMatchObject({ code: "not_confirmed" });
    }
    expect(execute).not.toHaveBeenCalled();
    expect(ownMessages(heard).join()).toContain("the confirmed function of the tool");
    expect(heard.join()).not.toContain("hunter2");
  });

  it("is asked for only where the arguments are allowed", async () => {
    const confirmed = vi.fn(() => true);
    const rerunJob = tool(tools.rerun_job, execute, { confirmed });
    await expect(rerunJob(sent({ job_id: 5 }))).rejects.toMatchObject({ code: "arguments_refused" });
    await expect(rerunJob(sent({ ...args, confirm: true }))).rejects.toMatchObject({
      code: "arguments_refused",
    });
    expect(confirmed).not.toHaveBeenCalled();
  });

  it("runs with what was confirmed, whatever is changed meanwhile", async () => {
    const mine = { job_id: "42" };
    const rerunJob = tool(tools.rerun_job, execute, {
      confirmed: async (one) => {
        one.job_id = "666";
        mine.job_id = "667";
        return true;
      },
    });
    await rerunJob(mine);
    expect(execute).toHaveBeenCalledWith({ job_id: "42" });
  });
});

describe("a layer around the contract", () => {
  const claimless = (args: unknown) => {
    const { claim: _, ...rest } = args as Record<string, unknown>;
    return rest;
  };

  it("comes before everything, and what it takes out is validated, fingerprinted and run by nobody", async () => {
    const execute = vi.fn(() => "opened");
    const admit = vi.fn();
    const guarded = guardedTool(tools.open_issue, execute, {}, { argumentsOf: claimless, admit });
    const args = { severity: "p1", claim: "mine" };
    await callInRun("open_issue", () => guarded(args, { toolCallId: "call_1" }));
    expect(admit).toHaveBeenCalledWith({
      name: "open_issue",
      callId: "call_1",
      parameters: [args, { toolCallId: "call_1" }],
    });
    expect(execute).toHaveBeenCalledWith({ severity: "p1" }, { toolCallId: "call_1" });
    expect(labels()["trustabl.tool.input_fp"]).toBe(canonicalFp({ severity: "p1" }));
  });

  it("stops the call with what it throws, and its class", async () => {
    const denied = new TrustablError("denied", "Not run.");
    const execute = vi.fn();
    const guarded = guardedTool(
      tools.open_issue,
      execute,
      {},
      {
        argumentsOf: claimless,
        admit: () => Promise.reject(denied),
        errorClass: (error) => (error === denied ? "auth" : undefined),
      },
    );
    expect(await callInRun("open_issue", () => guarded({ severity: "p9" }))).toBe(denied);
    expect(execute).not.toHaveBeenCalled();
    expect(labels()["trustabl.tool.error_class"]).toBe("auth");
  });
});

describe("the AI SDK, with contracts", () => {
  it("shows the model the contract, runs what it allows, and tells the model what was refused", async () => {
    const inputs = ['{"severity":"p4"}', '{"severity":"p1"}'];
    const prompts: unknown[] = [];
    const shown: unknown[] = [];
    const model = new MockLanguageModelV3({
      doGenerate: async ({ prompt, tools: offered }) => {
        prompts.push(prompt);
        shown.push(offered);
        const input = inputs.shift();
        return {
          content:
            input === undefined
              ? [{ type: "text", text: "done" }]
              : [{ type: "tool-call", toolCallId: `call_${inputs.length}`, toolName: "open_issue", input }],
          finishReason: { unified: input === undefined ? "stop" : "tool-calls", raw: undefined },
          usage: {
            inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: 1, text: 1, reasoning: 0 },
          },
          warnings: [],
        };
      },
    });
    const execute = vi.fn(({ severity }: { severity: string }) => `opened as ${severity}`);
    await generateText({
      model,
      prompt: "Open an issue.",
      stopWhen: stepCountIs(5),
      tools: {
        open_issue: aiTool({
          description: tools.open_issue.description,
          inputSchema: tools.open_issue,
          execute: tool(tools.open_issue, execute),
        }),
      },
    });
    expect(JSON.stringify(shown[0])).toContain('"enum":["p1","p2"]');
    expect(execute.mock.calls.map(([args]) => args)).toEqual([{ severity: "p1" }]);
    expect(JSON.stringify(prompts[1])).toContain("expected one of p1, p2");
    expect(JSON.stringify(prompts[2])).toContain("opened as p1");
  });
});
