import { describe, expect, it } from "vitest";
import { findings, RULE_IDS, type RuleId, rules } from "../../src/findings/index.ts";
import type { SpanView } from "../../src/verify/index.ts";
import { agent, binding, call, root, span, UNLABELLED } from "../verify/support/build.ts";

const typed = (type: string, more: Record<string, unknown> = {}) =>
  binding(`desk-${type}`, { "trustabl.policy.binding.type": type, ...more });
const bound = [typed("sandbox"), typed("content_safety"), typed("data_security")];
const desk = (attributes: Record<string, unknown> = {}) => root("root", { events: bound, attributes });
const labelled = (id: string, step: number, attributes: Record<string, unknown>, args: unknown = { q: id }) =>
  call(id, { step, args, attributes });
const decided = (decision: string) => ({ "trustabl.constraint.decision": decision });
const effect = (value: string) => ({ "trustabl.tool.side_effect": value });
const same = { q: "same" };

/** Ids of the spans that the rule names. */
const firedOn = (rule: RuleId, spans: readonly SpanView[], literal = false): string[] =>
  findings(spans, { only: [rule], literal }).findings.map((finding) => finding.span.name);
const outcomeOf = (rule: RuleId, spans: readonly SpanView[], literal = false) =>
  findings(spans, { only: [rule], literal }).rules[0]?.outcome;

describe("the rules", () => {
  it("are twelve, each with its own id, and in the order of the list of ids", () => {
    expect(rules.map(({ id }) => id)).toEqual(RULE_IDS);
    expect(new Set(RULE_IDS).size).toBe(12);
  });

  it("say that they do not apply, and what they need, where there is nothing that they look at", () => {
    const report = findings([span("work")]);
    expect(report.rules.map(({ outcome }) => outcome)).toEqual(RULE_IDS.map(() => "not-applicable"));
    for (const { message } of report.rules) expect(message).toMatch(/^Not applicable: needs /);
  });

  it("find nothing in a run that is as it should be, apart from what others would have to write", () => {
    const spans = [desk(), labelled("a", 0, effect("read")), labelled("b", 1, effect("write"))];
    const report = findings(spans);
    expect(report.findings).toEqual([]);
    expect(
      report.rules.filter(({ outcome }) => outcome === "not-applicable").map(({ rule }) => rule),
    ).toEqual([
      "irreversible_unguarded",
      "false_idempotent",
      "handoff_unbound",
      "contract_drift",
      "constraint_hit",
    ]);
  });
});

describe("tool_loop", () => {
  const loop = (
    steps: readonly number[],
    attributes: Record<string, unknown> = {},
    tools: readonly string[] = [],
  ) => [
    desk(),
    ...steps.map((step, index) =>
      call(`c${index}`, {
        step,
        args: same,
        tool: tools[index] ?? "search",
        name: `call ${index}`,
        attributes,
      }),
    ),
  ];

  it("fires on the call that makes three equal ones of five", () => {
    expect(firedOn("tool_loop", loop([0, 2, 4]))).toEqual(["call 2"]);
    expect(firedOn("tool_loop", loop([0, 1, 2, 3, 4]))).toEqual(["call 2"]);
    expect(firedOn("tool_loop", loop([0, 6, 9, 10]))).toEqual(["call 3"]);
  });

  it("goes by the steps, not by clocks, which differ between machines", () => {
    const late = [0, 2, 4].map((step) =>
      call(`c${step}`, { step, args: same, name: `step ${step}`, start: 900 - step }),
    );
    expect(firedOn("tool_loop", [desk(), ...late])).toEqual(["step 4"]);
  });

  it("does not fire when they are further apart, also where the calls between are not in the export", () => {
    expect(firedOn("tool_loop", loop([0, 2, 5]))).toEqual([]);
  });

  it("does not fire on a pure tool, nor on three tools with the same arguments; to the letter it does", () => {
    expect(firedOn("tool_loop", loop([0, 1, 2], effect("pure")))).toEqual([]);
    expect(firedOn("tool_loop", loop([0, 1, 2], effect("pure")), true)).toEqual(["call 2"]);
    const three = loop([0, 1, 2], {}, ["search", "list", "status"]);
    expect(firedOn("tool_loop", three)).toEqual([]);
    expect(firedOn("tool_loop", three, true)).toEqual(["call 2"]);
  });

  it("does not fire on calls whose arguments have no fingerprint: nobody knows that they are equal", () => {
    const ids = ["2512292042121000001", "2512292042121000002", "2512292042121000003"];
    const noFingerprint = (id: string) => ({
      "trustabl.tool.input_fp": undefined,
      "gen_ai.tool.call.arguments": `{"id":${id}}`,
    });
    const calls = ids.map((id, step) => call(`c${step}`, { step, attributes: noFingerprint(id) }));
    expect(firedOn("tool_loop", [desk(), ...calls])).toEqual([]);
    expect(firedOn("tool_loop", [desk(), ...calls], true)).toEqual([]);
  });

  it("counts a call that a framework, an MCP client and a server show as one", () => {
    const nested = [0, 1].flatMap((step) => [
      call(`outer${step}`, { step, args: same }),
      call(`inner${step}`, {
        step,
        parent: `outer${step}`,
        args: same,
        attributes: { "mcp.method.name": "tools/call", "gen_ai.tool.call.id": `call_outer${step}` },
      }),
    ]);
    expect(findings([desk(), ...nested]).examined.toolCalls).toBe(2);
    expect(firedOn("tool_loop", [desk(), ...nested])).toEqual([]);
  });

  it("keeps the calls of two runs apart", () => {
    const other = { "trustabl.run_id": "00000000000000bb" };
    const spans = [desk(), ...[0, 1].map((step) => labelled(`a${step}`, step, {}, same))];
    expect(firedOn("tool_loop", [...spans, call("b", { step: 2, args: same, attributes: other })])).toEqual(
      [],
    );
  });
});

describe("retry_storm", () => {
  it("fires on the fourth attempt, once for each call", () => {
    const attempts = [1, 2, 3, 4, 5].map((attempt) =>
      call(`a${attempt}`, { step: attempt * 9, attempt, args: same, name: `attempt ${attempt}` }),
    );
    const report = findings([desk(), ...attempts], { only: ["retry_storm"] });
    expect(report.findings.map((one) => [one.span.name, one.evidence.count])).toEqual([["attempt 4", 2]]);
    expect(firedOn("retry_storm", [desk(), ...attempts], true)).toEqual(["attempt 4", "attempt 5"]);
    expect(firedOn("retry_storm", [desk(), ...attempts.slice(0, 3)])).toEqual([]);
  });

  it("takes the labels of a call from a span further in, where the outermost has none", () => {
    const outer = call("outer", { args: same, attributes: UNLABELLED });
    const inner = call("inner", {
      parent: "outer",
      name: "inner",
      attempt: 4,
      attributes: { "mcp.method.name": "tools/call", "gen_ai.tool.call.id": "call_outer" },
    });
    expect(firedOn("retry_storm", [desk(), outer, inner])).toEqual(["inner"]);
  });

  it("needs no run id", () => {
    const lost = call("a", { attempt: 4, attributes: { "trustabl.run_id": undefined } });
    expect(firedOn("retry_storm", [lost])).toEqual(["execute_tool search"]);
  });
});

describe("false_idempotent", () => {
  const answers = (results: readonly unknown[], sideEffect: string) => [
    desk(),
    ...results.map((result, step) =>
      call(`a${step}`, { step, args: same, result, name: `answer ${step}`, attributes: effect(sideEffect) }),
    ),
  ];

  it("fires when a tool that is declared pure gives two answers", () => {
    expect(firedOn("false_idempotent", answers(["1 EUR", "1 EUR", "2 EUR"], "pure"))).toEqual(["answer 2"]);
    expect(firedOn("false_idempotent", answers(["1 EUR", "1 EUR"], "pure"))).toEqual([]);
    expect(firedOn("false_idempotent", answers(["1 EUR", "2 EUR"], "read"))).toEqual([]);
  });

  it("leaves failed calls aside, whose result is null", () => {
    expect(firedOn("false_idempotent", answers([null, "1 EUR"], "pure"))).toEqual([]);
  });

  it("never fires to the letter, which knows another word", () => {
    expect(firedOn("false_idempotent", answers(["1", "2"], "pure"), true)).toEqual([]);
    expect(firedOn("false_idempotent", answers(["1", "2"], "none"), true)).toEqual(["answer 1"]);
  });
});

describe("irreversible_unguarded", () => {
  const pay = call("pay", { step: 1, name: "pay", attributes: effect("irreversible") });

  it("fires where a decision is missing, once somebody writes decisions at all", () => {
    const guarded = labelled("a", 0, decided("allow"));
    expect(firedOn("irreversible_unguarded", [desk(), guarded, pay])).toEqual(["pay"]);
    const decidedPay = { ...pay, attributes: { ...pay.attributes, ...decided("allow") } };
    expect(firedOn("irreversible_unguarded", [desk(), guarded, decidedPay])).toEqual([]);
  });

  it("does not apply where nobody does; to the letter it fires", () => {
    expect(outcomeOf("irreversible_unguarded", [desk(), pay])).toBe("not-applicable");
    expect(firedOn("irreversible_unguarded", [desk(), pay], true)).toEqual(["pay"]);
  });

  it("takes a decision on another span of the same call", () => {
    const server = call("server", {
      parent: "pay",
      attributes: { ...decided("allow"), "mcp.method.name": "tools/call", "gen_ai.tool.call.id": "call_pay" },
    });
    expect(outcomeOf("irreversible_unguarded", [desk(), pay, server])).toBe("clear");
  });

  it("cannot tell where attributes were dropped", () => {
    const cut = { ...pay, droppedAttributes: 3 };
    const report = findings([desk(), labelled("a", 0, decided("allow")), cut], {
      only: ["irreversible_unguarded"],
    });
    expect(report.rules[0]).toMatchObject({ outcome: "unknown", counts: { found: 0, unknown: 1 } });
  });
});

describe("handoff_unbound", () => {
  const delegated = (events: SpanView["events"] = []) =>
    agent("expert", { parent: "call", name: "expert", events, attributes: { "trustabl.handoff_id": "h1" } });
  const spans = (child: SpanView) => [desk(), call("call"), child];

  it("fires on a delegated agent without a binding of its own", () => {
    expect(firedOn("handoff_unbound", spans(delegated()))).toEqual(["expert"]);
    expect(firedOn("handoff_unbound", spans(delegated([typed("sandbox")])))).toEqual([]);
    expect(firedOn("handoff_unbound", spans(delegated([typed("sandbox")])), true)).toEqual(["expert"]);
  });

  it("takes a binding on another span of the same delegation", () => {
    const turn = agent("turn", {
      parent: "expert",
      events: [typed("sandbox")],
      attributes: { "trustabl.handoff_id": "h1" },
    });
    expect(firedOn("handoff_unbound", [...spans(delegated()), turn])).toEqual([]);
  });
});

describe("policy_absent and dspm_unbound", () => {
  const missing = (rule: RuleId, events: SpanView["events"], literal = false) =>
    findings([root("root", { events }), call("a")], { only: [rule], literal }).findings.map(
      ({ evidence }) => evidence.missing,
    );

  it("name each type that is missing", () => {
    expect(missing("policy_absent", bound)).toEqual([]);
    expect(missing("policy_absent", [typed("sandbox")])).toEqual(["content_safety"]);
    expect(missing("policy_absent", [])).toEqual(["sandbox, content_safety"]);
    expect(missing("dspm_unbound", [typed("sandbox")])).toEqual(["data_security"]);
    expect(missing("dspm_unbound", bound)).toEqual([]);
  });

  it("ask the outermost span of a run only; to the letter every agent", () => {
    const spans = [desk(), agent("inner", { parent: "root", name: "inner" }), call("a", { parent: "inner" })];
    expect(firedOn("policy_absent", spans)).toEqual([]);
    expect(firedOn("policy_absent", spans, true)).toEqual(["inner"]);
  });

  it("cannot tell where events were dropped: bindings are written first, and dropped first", () => {
    const cut = { ...root("root"), droppedEvents: 1 };
    expect(outcomeOf("policy_absent", [cut, call("a")])).toBe("unknown");
  });
});

describe("policy_drift", () => {
  const other = { "trustabl.policy.binding.sha256": "cd".repeat(32) };
  const spans = (more: Record<string, unknown>) => [
    desk(),
    call("call"),
    agent("expert", {
      parent: "call",
      name: "expert",
      start: 150,
      events: [typed("sandbox", more)],
      attributes: { "trustabl.handoff_id": "h1" },
    }),
  ];

  it("fires when one policy has two hashes or versions in a run", () => {
    expect(firedOn("policy_drift", spans({}))).toEqual([]);
    expect(firedOn("policy_drift", spans(other))).toEqual(["expert"]);
    expect(firedOn("policy_drift", spans({ "trustabl.policy.binding.version": "4" }))).toEqual(["expert"]);
  });

  it("does not take two policies for one", () => {
    expect(firedOn("policy_drift", spans({ ...other, "trustabl.policy.binding.id": "another" }))).toEqual([]);
  });
});

describe("contract_drift", () => {
  const at = (id: string, step: number, hash: string, more: Record<string, unknown> = {}): SpanView => ({
    ...call(id, { step, name: id, attributes: more }),
    resource: { "service.name": "desk", "trustabl.contract_hash": hash },
  });

  it("fires when one contract has two hashes in a run", () => {
    expect(firedOn("contract_drift", [desk(), at("a", 0, "old"), at("b", 1, "new")])).toEqual(["b"]);
    expect(firedOn("contract_drift", [desk(), at("a", 0, "old"), at("b", 1, "old")])).toEqual([]);
  });

  it("keeps contracts apart by their ids", () => {
    const spans = [
      desk(),
      at("a", 0, "old", { "trustabl.contract.id": "a" }),
      at("b", 1, "new", { "trustabl.contract.id": "b" }),
    ];
    expect(firedOn("contract_drift", spans)).toEqual([]);
  });
});

describe("denied_then_answered", () => {
  const denied = { "trustabl.tool.error_class": "auth" };

  it("fires when an answer follows a denial and nothing allowed came between", () => {
    expect(
      firedOn("denied_then_answered", [desk(), labelled("a", 0, {}), labelled("b", 1, denied)]),
    ).toHaveLength(1);
    expect(
      firedOn("denied_then_answered", [
        desk(),
        labelled("a", 0, decided("allow")),
        labelled("b", 1, decided("deny")),
      ]),
    ).toHaveLength(1);
  });

  it("does not fire when a call was allowed later, or the run ended another way", () => {
    expect(firedOn("denied_then_answered", [desk(), labelled("a", 0, denied), labelled("b", 1, {})])).toEqual(
      [],
    );
    const stopped = desk({ "trustabl.exit_reason": "policy_stop" });
    expect(firedOn("denied_then_answered", [stopped, labelled("b", 1, denied)])).toEqual([]);
  });

  it("asks to the letter for an allowed call on the same class of data", () => {
    const data = (decision: string, kind: string) => ({
      ...decided(decision),
      "trustabl.constraint.data_class": kind,
    });
    const spans = [desk(), labelled("a", 0, data("deny", "pii")), labelled("b", 1, data("allow", "pci"))];
    expect(firedOn("denied_then_answered", spans)).toEqual([]);
    expect(firedOn("denied_then_answered", spans, true)).toHaveLength(1);
  });
});

describe("constraint_hit", () => {
  it("records what was denied or capped, and fails nothing", () => {
    const report = findings([desk(), labelled("a", 0, decided("cap")), labelled("b", 1, decided("allow"))], {
      only: ["constraint_hit"],
    });
    expect(report.findings).toMatchObject([{ shadow: true, severity: "medium" }]);
  });
});

describe("instrumentation_degraded", () => {
  const unlabelled = {
    "trustabl.run_id": undefined,
    "trustabl.step_index": undefined,
    "trustabl.tool.attempt": undefined,
    "trustabl.tool.input_fp": undefined,
    "trustabl.tool.output_fp": undefined,
  };

  it("fires on a run with calls that the other rules cannot see", () => {
    const lost = call("lost", { name: "lost", step: 1, attributes: unlabelled });
    expect(firedOn("instrumentation_degraded", [desk(), call("a"), lost])).toEqual(["lost"]);
    expect(firedOn("instrumentation_degraded", [desk(), call("a")])).toEqual([]);
  });

  it("leaves calls alone for which no function ran", () => {
    const refused = call("refused", {
      name: "refused",
      scope: "strands-agents",
      status: "error",
      attributes: unlabelled,
    });
    expect(firedOn("instrumentation_degraded", [desk(), call("a"), refused])).toEqual([]);
  });
});

describe("a rule whose labels are missing", () => {
  it("does not say that all is well", () => {
    const bare = call("a", { attributes: UNLABELLED });
    const report = findings([agent("root"), bare]);
    expect(new Set(report.rules.map(({ outcome }) => outcome))).toEqual(new Set(["not-applicable"]));
  });
});
