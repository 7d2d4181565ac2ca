import { diag } from "@opentelemetry/api";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { QueryOptions } from "../../../src/adapters/claude-agent-sdk/sdk-types.ts";
import { QueryLabels, type QueryLabelsOptions } from "../../../src/adapters/claude-agent-sdk.ts";
import { canonicalFp } from "../../../src/index.ts";
import { hearDiagnostics } from "../../support/diagnostics.ts";
import { callHooks, drain, type FakeQuery, fakeQuery, interaction, toolEvent, toolSpan } from "./fake-sdk.ts";

const relay = () => ({ url: "http://127.0.0.1:4318", settled: vi.fn() });
type Parameters = { prompt?: unknown; options?: QueryOptions };

/** Labels, a query that was read to its end, and what a relay is told of one of its spans. */
async function labelled(fake: FakeQuery, options: QueryLabelsOptions = {}) {
  const labels = new QueryLabels(options);
  await drain(labels.wrap(({ options }: Parameters) => fakeQuery(fake, options), relay())({ prompt: "x" }));
  const attributesOf = (id: string, session = fake.sessionId) => {
    const found = labels.labelsOf(toolSpan(session, id), false);
    return found === "wait" ? found : found?.attributes;
  };
  return { labels, attributesOf };
}

/** The options that a query gets. */
function optionsOf(labels: QueryLabels, given?: QueryOptions): QueryOptions {
  let seen: QueryOptions | undefined;
  const query = ({ options }: Parameters) => {
    seen = options;
    return fakeQuery({ sessionId: "s", calls: [] }, options);
  };
  labels.wrap(query, relay())(given === undefined ? {} : { options: given });
  return seen ?? {};
}

afterEach(() => diag.disable());

describe("The labels of a native tool span", () => {
  it("are those of its own call, among 1,000 at the same time in 50 sessions", async () => {
    const labels = new QueryLabels();
    const sessions = Array.from({ length: 50 }, (_, index) => `session-${index}`);
    // All sessions use the same call ids, and calls end in an order of their own.
    const callsOf = (session: string) =>
      Array.from({ length: 20 }, (_, index) => ({
        id: `toolu_${index}`,
        input: { session, q: index % 7 },
        result: [session, index],
        done: new Promise<void>((done) => setTimeout(done, (index * 7) % 5)),
      }));
    await Promise.all(
      sessions.map((sessionId) =>
        drain(
          labels.wrap(
            ({ options }: Parameters) => fakeQuery({ sessionId, calls: callsOf(sessionId) }, options),
            relay(),
          )({}),
        ),
      ),
    );
    const runs = new Set<unknown>();
    for (const session of sessions) {
      for (const [index, { id, input, result }] of callsOf(session).entries()) {
        const found = labels.labelsOf(toolSpan(session, id), false);
        const attributes = typeof found === "object" ? found.attributes : {};
        runs.add(attributes["trustabl.run_id"]);
        expect(attributes).toMatchObject({
          "trustabl.step_index": index,
          "trustabl.tool.attempt": Math.floor(index / 7) + 1,
          "trustabl.tool.input_fp": canonicalFp(input),
          "trustabl.tool.output_fp": canonicalFp(result),
        });
      }
    }
    expect(runs.size).toBe(50);
  });

  it("are waited for until the call has ended, and given as they are when there is no more time", () => {
    const labels = new QueryLabels();
    const options = optionsOf(labels);
    const pre = toolEvent("PreToolUse", "s", "t", "search", { tool_input: { q: 1 } });
    void callHooks(options, pre);
    expect(labels.labelsOf(toolSpan("s", "t"), false)).toBe("wait");
    const last = labels.labelsOf(toolSpan("s", "t"), true);
    expect(last).toHaveProperty(["attributes", "trustabl.tool.input_fp"], canonicalFp({ q: 1 }));
    expect(last).not.toHaveProperty(["attributes", "trustabl.tool.output_fp"]);
  });

  it("are those of the input that ran, and the attempt counts that", async () => {
    const calls = [1, 2].map((n) => ({
      id: `t${n}`,
      input: { q: 1, secret: n },
      ranWith: { q: 1 },
      result: "x",
    }));
    const { attributesOf } = await labelled({ sessionId: "s", calls });
    for (const [index, { id }] of calls.entries()) {
      expect(attributesOf(id)).toMatchObject({
        "trustabl.step_index": index,
        "trustabl.tool.attempt": index + 1,
        "trustabl.tool.input_fp": canonicalFp({ q: 1 }),
      });
    }
  });

  describe("with fingerprints that are keyed or off", () => {
    const calls = [1, 2].map((n) => ({
      id: `t${n}`,
      input: { q: 1, secret: n },
      ranWith: { q: 1 },
      result: "x",
    }));
    // They run at the same time, so that the third one is counted before the first two have told what they ran with.
    const same = [...calls, { id: "t3", input: { q: 1 }, result: "x" }];

    it("are keyed with the query's own key, of the input that ran too", async () => {
      const query = async () => {
        const { attributesOf } = await labelled({ sessionId: "s", calls: same }, { fingerprint: "run" });
        return same.map(({ id }) => attributesOf(id) as Record<string, unknown>);
      };
      const [first, second] = [await query(), await query()];
      for (const labels of [first, second]) {
        expect(labels.map((one) => one["trustabl.tool.attempt"])).toEqual([2, 3, 1]);
        expect(new Set(labels.map((one) => one["trustabl.tool.input_fp"])).size).toBe(1);
      }
      const fingerprints = [first, second].map(([one]) => one?.["trustabl.tool.input_fp"]);
      expect(new Set([...fingerprints, canonicalFp({ q: 1 })]).size).toBe(3);
    });

    it("are counted all the same where none is written", async () => {
      const tools = { search: { fingerprint: { args: "off" } } } as const;
      const { attributesOf } = await labelled({ sessionId: "s", calls: same }, { tools });
      for (const [index, { id }] of same.entries()) {
        expect(attributesOf(id)).toMatchObject({
          "trustabl.tool.attempt": [2, 3, 1][index],
          "trustabl.tool.output_fp": canonicalFp("x"),
        });
        expect(attributesOf(id)).not.toHaveProperty(["trustabl.tool.input_fp"]);
      }
    });

    it("take a copy of a deployment's key", async () => {
      const key = new Uint8Array(32).fill(9);
      const labels = new QueryLabels({ fingerprint: { key } });
      const read = async (sessionId: string) => {
        await drain(
          labels.wrap(({ options }: Parameters) => fakeQuery({ sessionId, calls }, options), relay())({}),
        );
        const found = labels.labelsOf(toolSpan(sessionId, "t1"), false);
        return typeof found === "object" ? found.attributes["trustabl.tool.input_fp"] : undefined;
      };
      const before = await read("before");
      key.fill(0);
      expect(await read("after")).toBe(before);
      expect(before).toMatch(/^[0-9a-f]{16}$/);
      expect(before).not.toBe(canonicalFp({ q: 1 }));
    });
  });

  it("follow what is declared about the tool", async () => {
    const { attributesOf } = await labelled(
      {
        sessionId: "s",
        calls: [
          { id: "t1", input: 1, result: [] },
          { id: "t2", input: 2, error: "HTTP 503" },
          { id: "t3", name: "other", input: 3, result: [] },
        ],
      },
      {
        tools: {
          search: {
            sideEffect: "read",
            isEmpty: (result) => (result as unknown[]).length === 0,
            errorClass: (error) => (error === "HTTP 503" ? "5xx" : undefined),
          },
        },
      },
    );
    expect(attributesOf("t1")).toMatchObject({
      "trustabl.tool.side_effect": "read",
      "trustabl.tool.error_class": "empty",
    });
    expect(attributesOf("t2")).toMatchObject({
      "trustabl.tool.error_class": "5xx",
      "trustabl.tool.output_fp": canonicalFp(null),
    });
    expect(attributesOf("t3")).not.toHaveProperty(["trustabl.tool.side_effect"]);
  });

  it("say that a refused call gave nothing", async () => {
    const { attributesOf } = await labelled({
      sessionId: "s",
      calls: [{ id: "t", input: { q: 1 }, end: "refused" }],
    });
    expect(attributesOf("t")).toMatchObject({
      "trustabl.tool.input_fp": canonicalFp({ q: 1 }),
      "trustabl.tool.output_fp": canonicalFp(null),
    });
  });

  it("are settled when the query ends and nothing told how a call did", async () => {
    const { attributesOf } = await labelled({ sessionId: "s", calls: [{ id: "t", input: 1, end: "lost" }] });
    expect(attributesOf("t")).toMatchObject({ "trustabl.tool.output_fp": canonicalFp(null) });
  });

  it("count a call once, whatever the order of its hooks and however many callbacks tell of it", async () => {
    const labels = new QueryLabels();
    const user = async () => ({});
    const options = optionsOf(labels, {
      hooks: { PreToolUse: [{ hooks: [user, user] }], PostToolUse: [{ hooks: [user] }] },
    });
    const pre = toolEvent("PreToolUse", "s", "t1", "search", { tool_input: 1 });
    const post = toolEvent("PostToolUse", "s", "t1", "search", { tool_input: 1, tool_response: 2 });
    await callHooks(options, post);
    await callHooks(options, pre);
    await callHooks(options, post);
    await callHooks(options, toolEvent("PreToolUse", "s", "t2", "search", { tool_input: 1 }));
    const first = labels.labelsOf(toolSpan("s", "t1"), false);
    expect(first).toMatchObject({ attributes: { "trustabl.step_index": 0, "trustabl.tool.attempt": 1 } });
    const second = labels.labelsOf(toolSpan("s", "t2"), true);
    expect(second).toMatchObject({ attributes: { "trustabl.step_index": 1, "trustabl.tool.attempt": 2 } });
  });

  it("stay those of the first end where two queries tell of one session", async () => {
    const labels = new QueryLabels();
    const first = optionsOf(labels);
    const left = labels.wrap(
      ({ options }: Parameters) => fakeQuery({ sessionId: "s", calls: [] }, options),
      relay(),
    );
    await callHooks(first, toolEvent("PreToolUse", "s", "t", "search", { tool_input: 1 }));
    const more = { tool_input: 1, tool_response: 2 };
    await callHooks(optionsOf(labels), toolEvent("PostToolUse", "s", "t", "search", more));
    await drain(left({}));
    await callHooks(
      first,
      toolEvent("PostToolUseFailure", "s", "t", "search", { tool_input: 1, error: "late" }),
    );
    const found = labels.labelsOf(toolSpan("s", "t"), false);
    expect(found).toHaveProperty(["attributes", "trustabl.tool.output_fp"], canonicalFp(2));
  });

  it("do not land on spans of another session, another call, or another kind", async () => {
    const { labels, attributesOf } = await labelled({ sessionId: "s", calls: [{ id: "t", input: 1 }] });
    const messages = hearDiagnostics();
    expect(attributesOf("t", "other")).toBeUndefined();
    expect(messages).toEqual([]);
    expect(attributesOf("unknown")).toBeUndefined();
    expect(messages).toEqual([expect.stringContaining("whose call no hook told of")]);
    const execution = { ...toolSpan("s", "t"), name: "claude_code.tool.execution" };
    const attributes = { ...execution.attributes, "span.type": "tool.execution" };
    expect(labels.labelsOf({ ...execution, attributes }, false)).toBeUndefined();
    expect(labels.labelsOf({ ...toolSpan("s", "t"), attributes: {} }, false)).toBeUndefined();
    expect(
      labels.labelsOf({ name: "execute_tool x", attributes: { "gen_ai.tool.call.id": "t" } }, true),
    ).toBeUndefined();
  });

  it("take bounded memory, and say so when labels are dropped", async () => {
    const messages = hearDiagnostics();
    const calls = Array.from({ length: 12_000 }, (_, index) => ({
      id: `t${index}`,
      input: index,
      result: index,
    }));
    const { labels, attributesOf } = await labelled({ sessionId: "s", calls });
    expect(labels.size.calls).toBe(10_000);
    expect(messages).toEqual([expect.stringContaining("no span came for them")]);
    expect(attributesOf("t0")).toBeUndefined();
    expect(attributesOf("t11999")).toMatchObject({ "trustabl.step_index": 11_999 });
  });
});

describe("Labels that were given to a relay", () => {
  it("make room for others without a word", async () => {
    const messages = hearDiagnostics();
    const labels = new QueryLabels();
    const query = labels.wrap(({ options, prompt }: Parameters) => {
      const calls = Array.from({ length: 6_000 }, (_, index) => ({ id: `${prompt}${index}`, input: index }));
      return fakeQuery({ sessionId: "s", calls }, options);
    }, relay());
    await drain(query({ prompt: "a" }));
    for (let index = 0; index < 6_000; index += 1) labels.labelsOf(toolSpan("s", `a${index}`), false);
    await drain(query({ prompt: "b" }));
    expect(labels.size.calls).toBe(10_000);
    expect(messages).toEqual([]);
  });
});

describe("The labels of a native agent span", () => {
  it.each([
    ["a final answer", { subtype: "success" }, "final_answer"],
    ["a cap on turns", { subtype: "error_max_turns", terminal_reason: "max_turns" }, "max_steps"],
    ["a failure", { subtype: "error_during_execution" }, "error"],
  ])("say how the run ended: %s", async (_case, result, reason) => {
    const { labels, attributesOf } = await labelled({
      sessionId: "s",
      calls: [{ id: "t", input: 1 }],
      result,
    });
    const root = labels.labelsOf(interaction("s"), false);
    const run = (attributesOf("t") as Record<string, unknown>)["trustabl.run_id"];
    expect(root).toEqual({
      attributes: { "trustabl.run_id": run, "trustabl.exit_reason": reason },
      events: [],
    });
  });

  it("wait for the result of their own turn", async () => {
    const labels = new QueryLabels();
    async function* turns() {
      yield { type: "result", session_id: "s", subtype: "error_max_turns" };
      yield { type: "result", session_id: "s", subtype: "success" };
    }
    const messages = labels.wrap(turns, relay())()[Symbol.asyncIterator]();
    await messages.next();
    expect(labels.labelsOf(interaction("s", 2), false)).toBe("wait");
    const reason = (turn: number) => labels.labelsOf(interaction("s", turn), false);
    expect(reason(1)).toHaveProperty(["attributes", "trustabl.exit_reason"], "max_steps");
    await messages.next();
    expect(reason(2)).toHaveProperty(["attributes", "trustabl.exit_reason"], "final_answer");
    await messages.next();
    expect(reason(3)).toHaveProperty(["attributes", "trustabl.exit_reason"], "error");
  });

  it.each([0, -1, 1.5, 1e300, Number.NaN, "1"])("survive the turn %s", async (turn) => {
    const { labels } = await labelled({ sessionId: "s", calls: [] });
    const span = interaction("s");
    const attributes = { ...span.attributes, "interaction.sequence": turn };
    expect(() => labels.labelsOf({ ...span, attributes }, true)).not.toThrow();
  });

  it("say error when the query failed or was left before it had a result", async () => {
    const labels = new QueryLabels();
    const failure = new Error("gone");
    async function* failing() {
      yield { type: "system", session_id: "s1" };
      throw failure;
    }
    await expect(drain(labels.wrap(failing, relay())())).rejects.toBe(failure);
    expect(labels.labelsOf(interaction("s1"), false)).toHaveProperty(
      ["attributes", "trustabl.exit_reason"],
      "error",
    );
    const left = labels.wrap(
      ({ options }: Parameters) => fakeQuery({ sessionId: "s2", calls: [] }, options),
      relay(),
    );
    for await (const _message of left({})) break;
    expect(labels.labelsOf(interaction("s2"), false)).toHaveProperty(
      ["attributes", "trustabl.exit_reason"],
      "error",
    );
  });
});

describe("A labelled query", () => {
  it("is called as it was where nothing can be labelled", () => {
    const query = vi.fn(() => "query");
    const parameters = { prompt: "x", options: {} };
    expect(new QueryLabels().wrap(query)(...([parameters] as never as []))).toBe("query");
    expect(query.mock.calls[0]?.at(0 as never)).toBe(parameters);
  });

  it("gives every message as it came, in its order", async () => {
    const sent = [
      { type: "system" },
      null,
      1,
      { type: "user", message: null },
      { type: "user", message: { content: [null, {}] } },
    ];
    async function* messages() {
      yield* sent;
    }
    expect(await drain(new QueryLabels().wrap(messages, relay())())).toEqual(sent);
  });

  it("keeps the query's own methods and private state", async () => {
    class Query {
      #interrupted = false;
      interrupt() {
        this.#interrupted = true;
        return this.#interrupted;
      }
      async next() {
        return { done: true, value: undefined };
      }
      [Symbol.asyncIterator]() {
        return this;
      }
    }
    const query = new QueryLabels().wrap(() => new Query(), relay())();
    expect(query).toBeInstanceOf(Query);
    expect(query[Symbol.asyncIterator]()).toBe(query);
    expect(query.interrupt()).toBe(true);
    expect(await drain(query)).toEqual([]);
  });

  it("asks the relay to look again when labels were decided", async () => {
    const own = relay();
    const fake = { sessionId: "s", calls: [{ id: "t", input: 1, result: 2 }] };
    await drain(new QueryLabels().wrap(({ options }: Parameters) => fakeQuery(fake, options), own)({}));
    expect(own.settled).toHaveBeenCalled();
  });

  it("leaves the decisions of hooks alone, and decides nothing itself", async () => {
    const decision = { hookSpecificOutput: { permissionDecision: "deny" } };
    const failure = new Error("hook");
    const options = optionsOf(new QueryLabels(), {
      hooks: { PreToolUse: [{ hooks: [async () => decision] }] },
    });
    const pre = toolEvent("PreToolUse", "s", "t", "search", { tool_input: 1 });
    const answers = await callHooks(options, pre);
    expect(answers[0]).toBe(decision);
    expect(answers[1]).toEqual({});
    const failing = optionsOf(new QueryLabels(), {
      hooks: { PreToolUse: [{ hooks: [() => Promise.reject(failure)] }] },
    });
    await expect(callHooks(failing, pre)).rejects.toBe(failure);
  });

  it("changes nothing of the given options, and keeps what else a matcher has", () => {
    const hooks = {
      PreToolUse: [{ matcher: "Bash", timeout: 3, hooks: [async () => ({})] }],
      Stop: [{ hooks: [] }],
    };
    const given = Object.freeze({
      hooks: Object.freeze(hooks),
      env: Object.freeze({ PATH: "/bin" }),
      model: "m",
    });
    const options = optionsOf(new QueryLabels(), given);
    expect(given.hooks.PreToolUse).toHaveLength(1);
    expect(options).toMatchObject({
      model: "m",
      hooks: { PreToolUse: [{ matcher: "Bash", timeout: 3 }, {}] },
    });
    expect(options.hooks?.Stop).toBe(hooks.Stop);
  });

  it("leaves hooks that are none to the SDK", () => {
    const broken = { PreToolUse: [null, { hooks: 1 }, { hooks: [1] }], PostToolUse: 1 } as never;
    expect(optionsOf(new QueryLabels(), { hooks: broken }).hooks?.PreToolUse?.slice(0, 3)).toEqual([
      null,
      { hooks: 1 },
      { hooks: [1] },
    ]);
  });

  it.each([
    ["nothing", undefined],
    ["no session", { hook_event_name: "PreToolUse", tool_use_id: "t", tool_name: "x" }],
    ["no id", { hook_event_name: "PreToolUse", session_id: "s", tool_name: "x" }],
    ["no tool", { hook_event_name: "PostToolUse", session_id: "s", tool_use_id: "t" }],
    [
      "fields of other types",
      { hook_event_name: "PreToolUse", session_id: 1, tool_use_id: {}, tool_name: [] },
    ],
    ["a field that throws", Object.create(null, { hook_event_name: { get: () => expect.fail() } })],
  ])("answers hooks that tell %s, and labels nothing", async (_case, input) => {
    const labels = new QueryLabels();
    const options = optionsOf(labels, { hooks: { PreToolUse: [{ hooks: [async () => "mine"] }] } });
    const callbacks = options.hooks?.PreToolUse?.flatMap(({ hooks }) => hooks) ?? [];
    expect(await Promise.all(callbacks.map((callback) => callback(input, "t", {})))).toEqual(["mine", {}]);
    expect(labels.size.calls).toBe(0);
  });

  it("exports traces to the relay, and keeps the rest of the environment", () => {
    const env = { PATH: "/bin", OTEL_METRICS_EXPORTER: "otlp", OTEL_TRACES_EXPORTER: "console" };
    expect(optionsOf(new QueryLabels(), { env }).env).toMatchObject({
      PATH: "/bin",
      OTEL_METRICS_EXPORTER: "otlp",
      OTEL_TRACES_EXPORTER: "otlp",
      CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: "1",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:4318/v1/traces",
    });
    expect(optionsOf(new QueryLabels()).env).toMatchObject({ PATH: process.env.PATH });
  });

  it("refuses a wrong definition at once", () => {
    expect(() => new QueryLabels({ tools: { Bash: { sideEffect: "none" as never } } })).toThrow(RangeError);
    expect(() => new QueryLabels({ tools: { Bash: { isEmpty: 1 as never } } })).toThrow(TypeError);
  });
});
