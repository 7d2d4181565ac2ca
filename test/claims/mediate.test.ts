import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type AuditEntry,
  digestOf,
  type Facts,
  MediationError,
  type MediationOptions,
  mediate,
  type ToolInvocationExplanation,
} from "../../src/claims/index.ts";
import { ContractViolationError, defineTools } from "../../src/contracts/index.ts";
import { canonicalFp, withRun } from "../../src/index.ts";
import { verify } from "../../src/verify/index.ts";
import { sdk2 } from "../support/sdks-here.ts";
import { inSpan, labelsOf, toolSpanAttributes, useTracing } from "../support/tracing.ts";

const tracing = useTracing(sdk2);

const tools = defineTools({
  read_mail: {
    description: "Read one mail of this mailbox.",
    input: {
      type: "object",
      additionalProperties: false,
      required: ["id"],
      properties: { id: { type: "string", maxLength: 40 } },
    },
    sideEffect: "read",
    risk: "low",
    claim: "none",
  },
  send_mail: {
    description: "Send one mail.",
    input: {
      type: "object",
      additionalProperties: false,
      required: ["to", "text"],
      properties: {
        to: { type: "string", maxLength: 100 },
        text: { type: "string", maxLength: 1_000 },
        priority: { enum: ["low", "high"] },
      },
    },
    sideEffect: "irreversible",
    risk: "medium",
    effect: { operation: "send", resourceType: "mail", maxItems: 1, destination: "/to" },
  },
});

const facts = {
  intent: {
    digest: digestOf("reply to Ann"),
    classes: ["send"],
    operations: ["send"],
    resourceTypes: ["mail"],
    resourceIds: "any",
    maxItems: 1,
    destinations: ["ann@example.com"],
  },
  policy: { digest: digestOf("the policy") },
  route: { tools: ["read_mail", "send_mail"] },
  context: { used: [] },
} satisfies Facts;

const aligned = (to = "ann@example.com"): ToolInvocationExplanation => ({
  schema_version: "ebte-0.1",
  intent_class: "send",
  selected_tool: "send_mail",
  expected_effect: {
    operation: "send",
    resource_type: "mail",
    resource_ids: [],
    max_items: 1,
    destination: to,
  },
  risk_tier: "medium",
  uncertainty: "low",
  untrusted_context: [],
  evidence_refs: [{ type: "policy", digest: facts.policy.digest }],
});

function setUp(options: Partial<MediationOptions> = {}) {
  const entries: AuditEntry[] = [];
  const sent: unknown[] = [];
  const mediated = mediate(tools, {
    vocabulary: { intentClasses: ["read", "send"] },
    resolveFacts: () => facts,
    onDecision: (entry) => void entries.push(entry),
    ...options,
  });
  const sendMail = mediated.tool("send_mail", async (args, _context?: unknown) => {
    sent.push(args);
    return `sent to ${args.to}`;
  });
  return { mediated, sendMail, sent, entries };
}

const inRun = <Result>(name: string, call: () => Result): Promise<Awaited<Result>> =>
  inSpan(tracing.tracer, "invoke_agent helper", { "gen_ai.operation.name": "invoke_agent" }, (root) =>
    withRun(root, () => inSpan(tracing.tracer, `execute_tool ${name}`, toolSpanAttributes(name, "c1"), call)),
  );
const toolLabels = () => labelsOf(tracing.finished().find((span) => span.name.startsWith("execute_tool")));

const mail = { to: "ann@example.com", text: "Hello" };

describe("a mediated tool", () => {
  it("runs an aligned call without the claim, and fingerprints the arguments without it", async () => {
    const { sendMail, sent } = setUp();
    const result = await inRun("send_mail", () =>
      sendMail({ ...mail, claim: aligned() }, { toolCallId: "c1" }),
    );
    expect(result).toBe("sent to ann@example.com");
    expect(sent).toEqual([mail]);
    expect(toolLabels()).toMatchObject({
      "trustabl.tool.input_fp": canonicalFp(mail),
      "trustabl.tool.side_effect": "irreversible",
      "trustabl.tool.output_fp": canonicalFp(result),
    });
    expect(toolLabels()).not.toHaveProperty(["trustabl.tool.error_class"]);
    expect(verify(tracing.finished() as never).verdict).toBe("pass");
  });

  it.each<[string, object, string, string, string]>([
    ["whose claim is missing", mail, "schema", "claim", "the claim is missing or malformed"],
    [
      "whose claim is malformed",
      { ...mail, claim: { ...aligned(), risk_tier: "none" } },
      "schema",
      "claim",
      "missing or malformed",
    ],
    [
      "to somebody else than claimed",
      { ...mail, to: "eve@example.com", claim: aligned() },
      "auth",
      "arguments",
      "does not match the arguments",
    ],
    [
      "to somebody whom nobody has authorized",
      { ...mail, to: "eve@example.com", claim: aligned("eve@example.com") },
      "auth",
      "intent",
      "outside the authorized intent",
    ],
  ])("does not run a call %s, tells the model, and labels it", async (_, args, errorClass, reason, told) => {
    const { sendMail, sent } = setUp();
    const error = await inRun("send_mail", () => sendMail(args as never).catch((thrown: unknown) => thrown));
    expect(error).toBeInstanceOf(MediationError);
    expect(error).toMatchObject({ code: "claim_denied", reason, message: expect.stringContaining(told) });
    expect(sent).toEqual([]);
    expect(toolLabels()["trustabl.tool.error_class"]).toBe(errorClass);
    expect(verify(tracing.finished() as never).verdict).toBe("pass");
  });

  it("holds the contract after the step: an aligned call with a wrong argument does not run", async () => {
    const { sendMail, sent } = setUp();
    const wrong = { ...mail, priority: "urgent", claim: aligned() };
    await expect(sendMail(wrong as never)).rejects.toThrow(ContractViolationError);
    expect(sent).toEqual([]);
  });

  it("takes arguments as JSON text, and none in which a name stands twice", async () => {
    const { sendMail, sent } = setUp();
    const text = JSON.stringify({ ...mail, claim: aligned() });
    expect(await sendMail(text as never)).toBe("sent to ann@example.com");
    const twice = text.replace('"to":', '"to":"eve@example.com","to":');
    await expect(sendMail(twice as never)).rejects.toThrow(MediationError);
    expect(sent).toHaveLength(1);
  });

  it("decides on what runs, also when the given object changes meanwhile", async () => {
    const args = { ...mail, claim: aligned() };
    const { sendMail, sent } = setUp({
      resolveFacts: async () => {
        args.to = "eve@example.com";
        return facts;
      },
    });
    await sendMail(args);
    expect(sent).toEqual([mail]);
  });

  it("waits for a person where a review is asked for, and runs once approved, once", async () => {
    const risky = { ...mail, claim: { ...aligned(), uncertainty: "high" as const } };
    const { mediated, sendMail, sent, entries } = setUp();
    const context = { toolCallId: "c1" };
    await expect(sendMail(risky, context)).rejects.toMatchObject({ code: "review_required" });
    await mediated.step.approve({ tool: "send_mail", callId: "c1", arguments: risky });
    expect(await sendMail(risky, context)).toBe("sent to ann@example.com");
    await expect(sendMail(risky, context)).rejects.toMatchObject({ code: "review_required" });
    expect(sent).toEqual([mail]);
    expect(entries.map(({ outcome, approved }) => [outcome, approved])).toEqual([
      ["review", false],
      ["allow", true],
      ["review", false],
    ]);
  });

  it("is denied each time that it comes again, with an entry and a label of its own", async () => {
    const { sendMail, sent, entries } = setUp();
    const misaligned = { ...mail, to: "eve@example.com", claim: aligned() };
    await inSpan(tracing.tracer, "invoke_agent helper", {}, (root) =>
      withRun(root, async () => {
        for (const id of ["c1", "c2", "c3"]) {
          await inSpan(
            tracing.tracer,
            "execute_tool send_mail",
            toolSpanAttributes("send_mail", id),
            async () => {
              await expect(sendMail(misaligned, { toolCallId: id })).rejects.toMatchObject({
                code: "claim_denied",
                reason: "arguments",
              });
            },
          );
        }
      }),
    );
    expect(sent).toEqual([]);
    expect(entries.map(({ moment, outcome }) => [moment, outcome])).toEqual(
      new Array(3).fill(["call", "deny"]),
    );
    const calls = tracing.finished().filter(({ name }) => name === "execute_tool send_mail");
    expect(calls.map((span) => labelsOf(span)["trustabl.tool.error_class"])).toEqual([
      "auth",
      "auth",
      "auth",
    ]);
  });

  it("needs no claim where the contract says so", async () => {
    const { mediated } = setUp();
    const readMail = mediated.tool("read_mail", ({ id }) => `mail ${id}`);
    expect(await readMail({ id: "7" } as never)).toBe("mail 7");
  });

  it("is denied in an approval's stead when the call came by another way: retry, handoff, sub-agent", async () => {
    const { sendMail, sent } = setUp();
    // Every way ends in this function: there is no other.
    const ways = [sendMail, sendMail.bind(undefined), async (args: never) => await sendMail(args)];
    for (const way of ways) await expect(way(mail as never)).rejects.toThrow(MediationError);
    expect(sent).toEqual([]);
  });

  it("ends the run with policy_stop where a denial stops it", async () => {
    const { sendMail } = setUp({ stopRunOnDeny: true });
    await inRun("send_mail", () => sendMail(mail as never)).catch(() => {});
    const root = tracing.finished().find((span) => span.name === "invoke_agent helper");
    expect(labelsOf(root)["trustabl.exit_reason"]).toBe("policy_stop");
  });

  it("has an audit trail without a word of the call", async () => {
    const { sendMail, entries } = setUp();
    const secret = "SECRET-TEXT";
    await sendMail({ ...mail, text: secret, claim: { ...aligned(), summary: secret } });
    await sendMail({ ...mail, text: secret, to: secret, claim: aligned(secret) }).catch(() => {});
    expect(entries).toHaveLength(2);
    expect(JSON.stringify(entries)).not.toContain(secret);
    expect(JSON.stringify(entries)).not.toContain("ann@example.com");
  });
});

describe("what the model is shown", () => {
  it("is the contract with the argument claim, required", () => {
    const { shown } = setUp().mediated;
    const schema = shown.send_mail.jsonSchema("anthropic") as {
      properties: Record<string, { required?: string[] }>;
      required: string[];
    };
    expect(Object.keys(schema.properties)).toEqual(["to", "text", "priority", "claim"]);
    expect(schema.required).toContain("claim");
    expect(schema.properties.claim?.required).toContain("expected_effect");
  });

  it("is the contract as it is where no claim is needed", () => {
    const { shown } = setUp().mediated;
    expect(shown.read_mail.jsonSchema()).toEqual(tools.read_mail.jsonSchema());
  });

  it("lets every call through to the step, which alone refuses", () => {
    const { shown } = setUp().mediated;
    expect(shown.send_mail["~standard"].validate({ claim: 1 })).toEqual({ value: { claim: 1 } });
  });

  it("has the types of the arguments and of the claim", () => {
    const { mediated, sendMail } = setUp();
    expectTypeOf(sendMail).parameter(0).toHaveProperty("claim");
    expectTypeOf(sendMail).parameter(0).toHaveProperty("to");
    mediated.tool("read_mail", (args) => {
      expectTypeOf(args).toEqualTypeOf<{ id: string }>();
    });
  });

  it("cannot be made of a contract that has an argument of that name", () => {
    const own = defineTools({
      file_claim: {
        description: "File an insurance claim.",
        input: {
          type: "object",
          additionalProperties: false,
          properties: { claim: { type: "string", maxLength: 10 } },
        },
      },
    });
    expect(() =>
      mediate(own, { vocabulary: { intentClasses: ["create"] }, resolveFacts: () => facts }),
    ).toThrow(TypeError);
  });

  it("belongs to a name of the registry", () => {
    const { mediated } = setUp();
    expect(() => mediated.tool("toString" as never, () => "")).toThrow(RangeError);
    expect(() => mediated.tool("send_mail", undefined as never)).toThrow(TypeError);
  });
});
