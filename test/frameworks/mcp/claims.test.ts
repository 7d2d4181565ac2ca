/** Mediated tools of MCP servers, on both SDKs. The client's answers stand for a person's, which no server can tell apart. */
import { inputRequired } from "@modelcontextprotocol/server";
import { SpanKind } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { labelServer, mediatedHandler } from "../../../src/adapters/mcp.ts";
import type { MediationOptions } from "../../../src/claims/index.ts";
import { canonicalFp } from "../../../src/index.ts";
import { commentClaim, onlyReading, triageFacts, triageMediation } from "../triage-claims.ts";
import type { AnyServer } from "./sdks.ts";
import { expectNoOtherLabels, expectPass, inRun, inSpan, labelsOf, takeSpans } from "./tracing.ts";
import { type Answer, type Connection, WAYS, type Way } from "./triage-servers.ts";

beforeEach(() => void takeSpans());
const open: Connection[] = [];
afterEach(async () => {
  for (const connection of open.splice(0)) await connection.close();
});

const comment = (issueId: string, claim?: unknown) => ({
  issue_id: issueId,
  text: "seen",
  ...(claim === undefined ? {} : { claim }),
});
const aligned = comment("7", commentClaim("7"));
/** A call that needs a review. */
const unsure = comment("7", commentClaim("7", { uncertainty: "high" }));
const yes: Answer = () => ({ action: "accept", content: { approve: true } });
const ran = [{ issue_id: "7", text: "seen" }];

interface Given {
  readonly answer?: Answer;
  readonly options?: Partial<MediationOptions>;
  readonly prepare?: (server: AnyServer) => AnyServer;
  readonly asks?: boolean;
}

async function triage(
  way: Way,
  { answer = yes, options = {}, prepare = (server) => server, asks = true }: Given = {},
) {
  const step = triageMediation(options);
  const effects: unknown[] = [];
  const asked: string[] = [];
  const connection = await way.connect(
    (server) => {
      const handler = mediatedHandler(
        step.mediated,
        "add_comment",
        async (args) => {
          effects.push(args);
          return { content: [{ type: "text", text: `commented on ${args.issue_id}` }] };
        },
        asks ? way.reviewOf(server) : {},
      );
      const { description } = step.mediated.shown.add_comment;
      const inputSchema = way.schemaOf(step.mediated.shown.add_comment);
      prepare(server).registerTool("add_comment", { description, inputSchema }, handler);
    },
    (message) => {
      asked.push(message);
      return answer(message);
    },
  );
  open.push(connection);
  const call = (args: object) => connection.call("add_comment", args);
  const decided = () =>
    step.entries.map(({ moment, outcome, approved }) =>
      [moment, outcome, ...(approved ? ["approved"] : [])].join(" "),
    );
  return { ...step, effects, asked, connection, call, decided };
}

const told = (text: string, isError = false) => ({ text, isError });
const NOT_IN_LINE = told("Not run: the claim does not match the arguments.", true);
const OUTSIDE = told("Not run: the claim is outside the authorized intent.", true);
const NEEDS_REVIEW = told("Not run: the call needs a review.", true);
const REFUSED = told("Not run: the call was refused.", true);
const DONE = told("commented on 7");

describe.each(WAYS)("a mediated tool of an MCP server: $name", (way) => {
  it("shows the contract with the claim", async () => {
    const { connection, mediated } = await triage(way);
    const [shown] = await connection.list();
    const { $schema: _, ...schema } = (shown?.inputSchema ?? {}) as Record<string, unknown>;
    expect(schema).toEqual(mediated.shown.add_comment.jsonSchema("mcp"));
  });

  it("runs an aligned call once, without the claim", async () => {
    const { call, effects, asked, decided } = await triage(way);
    expect(await call(aligned)).toEqual(DONE);
    expect(effects).toEqual(ran);
    expect(asked).toEqual([]);
    expect(decided()).toEqual(["before allow", "call allow"]);
  });

  it("denies a call beyond its claim, and one without a claim", async () => {
    const { call, effects, decided } = await triage(way);
    expect(await call(comment("8", commentClaim("7")))).toEqual(NOT_IN_LINE);
    expect(await call(comment("7"))).toMatchObject({
      text: expect.stringMatching(/^Not run: the claim is missing or malformed/),
      isError: true,
    });
    expect(effects).toEqual([]);
    expect(decided()).toEqual(["before deny", "call deny", "before deny", "call deny"]);
  });

  it("asks the client with the call and without its claim, and runs it once approved", async () => {
    const { call, effects, asked, decided } = await triage(way);
    expect(await call(unsure)).toEqual(DONE);
    expect(effects).toEqual(ran);
    expect(asked).toEqual([
      'Comment on one issue of the tracker.\nadd_comment {"issue_id":"7","text":"seen"}',
    ]);
    expect(decided().at(-1)).toBe("call allow approved");
  });

  it.each<[string, unknown]>([
    ["declined", { action: "decline" }],
    ["cancelled", { action: "cancel" }],
    ["answered with no", { action: "accept", content: { approve: false } }],
  ])("does not run a call that was %s", async (_, response) => {
    const { call, effects, asked } = await triage(way, { answer: () => response });
    expect(await call(unsure)).toEqual(REFUSED);
    expect(asked).toHaveLength(1);
    expect(effects).toEqual([]);
  });

  it("denies a call that was approved when the facts have changed meanwhile", async () => {
    let world: ReturnType<typeof triageMediation>["world"] | undefined;
    const set = await triage(way, {
      answer: () => {
        if (world !== undefined) world.facts = onlyReading;
        return yes("");
      },
    });
    world = set.world;
    expect(await set.call(unsure)).toEqual(OUTSIDE);
    expect(set.effects).toEqual([]);
    expect(set.decided().at(-1)).toBe("call deny");
  });

  it("holds a refusal, also when no review would be needed any more", async () => {
    let world: ReturnType<typeof triageMediation>["world"] | undefined;
    const set = await triage(way, {
      answer: () => {
        if (world !== undefined) world.facts = triageFacts;
        return { action: "decline" };
      },
    });
    world = set.world;
    world.facts = { ...triageFacts, intent: undefined };
    expect(await set.call(aligned)).toEqual(REFUSED);
    expect(set.effects).toEqual([]);
  });

  it("asks nobody where it may not: every review refuses", async () => {
    const { call, effects, asked } = await triage(way, { asks: false });
    expect(await call(unsure)).toEqual(NEEDS_REVIEW);
    expect(asked).toEqual([]);
    expect(effects).toEqual([]);
  });

  it("decides each of two calls at the same time by itself", async () => {
    const { call, effects, asked } = await triage(way);
    const denied = comment("8", commentClaim("7"));
    expect(await Promise.all([call(aligned), call(denied), call(unsure)])).toEqual([DONE, NOT_IN_LINE, DONE]);
    expect(effects).toEqual([...ran, ...ran]);
    expect(asked).toHaveLength(1);
  });

  it("asks again for a second call with the same arguments", async () => {
    let answers = 0;
    const { call, effects } = await triage(way, {
      answer: () => (answers++ === 0 ? yes("") : { action: "decline" }),
    });
    expect([await call(unsure), await call(unsure)]).toEqual([DONE, REFUSED]);
    expect(effects).toEqual(ran);
  });

  const failing = () => {
    throw new Error("down");
  };

  it.each<[string, Partial<MediationOptions>]>([
    ["the session", { session: failing }],
    ["existing authorization", { baseline: failing }],
    ["the audit trail", { onDecision: failing }],
  ])("lets no call run where something fails: %s", async (_, options) => {
    const { call, effects } = await triage(way, { options });
    expect(await call(aligned)).toMatchObject({ text: expect.stringMatching(/^Not run: /), isError: true });
    expect(effects).toEqual([]);
  });

  it("asks where the facts cannot be had", async () => {
    const { call, effects, asked } = await triage(way, {
      options: { resolveFacts: failing },
      answer: () => ({ action: "decline" }),
    });
    expect(await call(aligned)).toEqual(REFUSED);
    expect(asked).toHaveLength(1);
    expect(effects).toEqual([]);
  });

  it.each(["put", "has", "take"] as const)(
    "refuses where the store of approvals does not answer: %s",
    async (method) => {
      const keys = new Set<string>();
      const store = {
        put: (key: string) => void keys.add(key),
        has: (key: string) => keys.has(key),
        take: (key: string) => keys.delete(key),
        [method]: failing,
      };
      const { call, effects } = await triage(way, { options: { approvals: store } });
      const refused = await call(unsure);
      // Nothing here looks whether an approval is there: it takes it.
      expect(refused.isError).toBe(method !== "has");
      expect(effects).toEqual(method === "has" ? ran : []);
    },
  );

  it("holds the contract after the step", async () => {
    const { call, effects } = await triage(way);
    expect(await call({ ...aligned, approved: true, confirmed: true })).toEqual(
      told("Refused, nothing was run. arguments: expected no other fields than issue_id, text", true),
    );
    expect(effects).toEqual([]);
  });
});

describe("what a client sends back, whatever the SDK lets it", () => {
  const accepted = { review: { action: "accept", content: { approve: true } } };
  const question = { resultType: "input_required", requestState: expect.stringMatching(/^[0-9a-f]{32}$/) };
  let session = "one";

  /** The handler of SDK 2, called as the SDK calls it for a client that sends this. */
  function handled() {
    const { mediated } = triageMediation({ session: () => session });
    const effects: unknown[] = [];
    const handler = mediatedHandler(
      mediated,
      "add_comment",
      async (args) => {
        effects.push(args);
        return { content: [{ type: "text", text: "done" }] };
      },
      { inputRequired },
    );
    const send = (args: object, requestState?: unknown, inputResponses: unknown = accepted) =>
      handler(args, { mcpReq: { inputResponses, requestState: () => requestState } }) as Promise<object>;
    const ask = async () => ((await send(unsure)) as unknown as { requestState: string }).requestState;
    return { send, ask, effects };
  }

  it("counts as an answer to the question that was asked, once", async () => {
    const { send, ask, effects } = handled();
    const state = await ask();
    expect(await send(unsure, state)).toEqual({ content: [{ type: "text", text: "done" }] });
    expect(await send(unsure, state)).toMatchObject(question);
    expect(effects).toEqual(ran);
  });

  it("counts once, also when it is sent many times at once", async () => {
    const { send, ask, effects } = handled();
    const state = await ask();
    await Promise.all(Array.from({ length: 20 }, () => send(unsure, state)));
    expect(effects).toEqual(ran);
  });

  it.each([undefined, "", "0".repeat(32), "__proto__", 7, {}])(
    "is none where nobody asked: %j",
    async (state) => {
      const { send, effects } = handled();
      expect(await send(unsure, state)).toMatchObject(question);
      expect(effects).toEqual([]);
    },
  );

  it("is none for other arguments, and none for another session", async () => {
    const { send, ask, effects } = handled();
    const other = comment("9", commentClaim("9", { uncertainty: "high" }));
    expect(await send(other, await ask())).toMatchObject(question);
    const state = await ask();
    session = "two";
    expect(await send(unsure, state)).toMatchObject(question);
    session = "one";
    expect(effects).toEqual([]);
  });

  it.each([
    null,
    {},
    { other: accepted.review },
    { review: { action: "accept" } },
    { review: { action: "accept", content: { approve: "true" } } },
    { review: true },
    Object.create(accepted),
  ])("is no approval where it is not one: %j", async (responses) => {
    const { send, ask, effects } = handled();
    expect(await send(unsure, await ask(), responses)).toMatchObject({ isError: true });
    expect(effects).toEqual([]);
  });
});

describe.each(WAYS.filter(({ name }) => name !== "SDK 2"))("the labels of a mediated tool: $name", (way) => {
  /** A server whose own spans stand around its handlers, as server-side instrumentations make them. */
  const traced = (server: AnyServer): AnyServer => {
    const register = server.registerTool.bind(server);
    server.registerTool = (name: string, config: object, handler: (...parameters: unknown[]) => unknown) =>
      register(name, config, (...parameters: unknown[]) =>
        inSpan(
          `tools/call ${name}`,
          { "mcp.method.name": "tools/call", "gen_ai.tool.name": name },
          async () => handler(...parameters),
          SpanKind.SERVER,
        ),
      );
    return labelServer(server);
  };

  const labelsAfter = async (args: object) => {
    const { call } = await triage(way, { prepare: traced });
    await inRun(() => call(args));
    const spans = takeSpans();
    const own = spans.filter(({ name }) => name === "tools/call add_comment");
    expectNoOtherLabels(spans, own);
    expectPass(spans);
    return own.map(labelsOf);
  };

  it("are of the arguments without the claim, and counted once", async () => {
    const [labels, ...more] = await labelsAfter(aligned);
    expect(more).toEqual([]);
    expect(labels).toMatchObject({
      "trustabl.tool.input_fp": canonicalFp(ran[0]),
      "trustabl.tool.side_effect": "write",
      "trustabl.tool.attempt": 1,
      "trustabl.step_index": 0,
    });
    expect(labels).not.toHaveProperty(["trustabl.tool.error_class"]);
  });

  it("are none of a question's: a call that is asked about has its end when it has run", async () => {
    const labels = await labelsAfter(unsure);
    expect(labels.at(-1)).toMatchObject({ "trustabl.tool.input_fp": canonicalFp(ran[0]) });
    const outputs = labels.flatMap((label) => label["trustabl.tool.output_fp"] ?? []);
    expect(outputs).toEqual([canonicalFp({ content: [{ type: "text", text: "commented on 7" }] })]);
  });

  it("say how a call was denied", async () => {
    expect(await labelsAfter(comment("8", commentClaim("7")))).toMatchObject([
      {
        "trustabl.tool.error_class": "auth",
        "trustabl.tool.input_fp": canonicalFp({ issue_id: "8", text: "seen" }),
      },
    ]);
    expect(await labelsAfter(comment("7"))).toMatchObject([{ "trustabl.tool.error_class": "schema" }]);
  });
});
