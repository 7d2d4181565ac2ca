/**
 * From correct exports of real frameworks, one thing at a time is broken. Exactly the checks that should see it turn red,
 * and no other: a check that cries on its neighbour's fault is as bad as one that sleeps.
 */
import { describe, expect, it } from "vitest";
import { CAPTURED_CONTENT } from "../../src/attributes/captured-content.ts";
import { recogniseSpan } from "../../src/attributes/conventions.ts";
import { type CheckId, readOtlp, verify } from "../../src/verify/index.ts";
import { checksWith } from "./support/build.ts";
import { labelExport } from "./support/label-export.ts";
import {
  attributesOf,
  fixture,
  type OtlpEvent,
  type OtlpExport,
  type OtlpSpan,
  removeAttribute,
  setAttribute,
  spansOf,
} from "./support/otlp.ts";

interface Cast {
  readonly otlp: OtlpExport;
  readonly spans: readonly OtlpSpan[];
  /** Tool spans by step. */
  readonly calls: readonly OtlpSpan[];
  readonly root: OtlpSpan;
  readonly delegated: OtlpSpan;
  /** A span that is neither a tool span nor an agent's. */
  readonly other: OtlpSpan;
}

interface Mutation {
  readonly what: string;
  readonly change: (cast: Cast) => void;
  readonly fails: readonly CheckId[];
  /** Checks that can no longer tell. */
  readonly unknown?: readonly CheckId[];
}

const LABELS = /^trustabl\./;
const CALL_LABELS = /^trustabl\.(tool\.|step_index)/;
const POLICY: OtlpEvent = {
  name: "trustabl.policy.binding",
  timeUnixNano: "1",
  attributes: [
    ["id", "egress"],
    ["type", "sandbox"],
    ["sha256", "ab".repeat(32)],
    ["version", "3"],
    ["source", "entrypoint"],
  ].map(([key, value]) => ({ key: `trustabl.policy.binding.${key}`, value: { stringValue: value } })),
};
POLICY.attributes?.push({ key: "trustabl.policy.binding.required", value: { boolValue: true } });

const BASES: Readonly<Record<string, () => OtlpExport>> = {
  "AI SDK 6, recorded with labels": () => fixture("ai-sdk-6-labelled"),
  "AI SDK 7": () => {
    const otlp = fixture("ai-sdk-7-nested");
    // The recorded calls of the two agents have the same arguments; here they are to be told apart.
    const inner = spansOf(otlp).find(({ span }) => span.name === "execute_tool sub")?.span as OtlpSpan;
    setAttribute(inner, "gen_ai.tool.call.arguments", '{"q":"another"}');
    return labelExport(otlp);
  },
  "OpenAI Agents with OpenInference": () => labelExport(fixture("openai-agents-as-tool")),
};

function castOf(otlp: OtlpExport): Cast {
  const all = spansOf(otlp).map(({ span, scope }) => ({
    span,
    role: recogniseSpan({ name: span.name, scope, attributes: attributesOf(span) })?.role,
  }));
  const has = (span: OtlpSpan, name: string): boolean => attributesOf(span)[name] !== undefined;
  const first = (test: (one: (typeof all)[number]) => boolean): OtlpSpan => {
    const found = all.find(test);
    if (found === undefined) throw new Error("the export lacks a span that the mutations need");
    return found.span;
  };
  const root = first(({ span, role }) => role !== "tool" && has(span, "trustabl.run_id"));
  root.events = [...(root.events ?? []).filter(({ name }) => name !== POLICY.name), structuredClone(POLICY)];
  const calls = all.filter(({ role }) => role === "tool").map(({ span }) => span);
  calls.sort(
    (a, b) => Number(attributesOf(a)["trustabl.step_index"]) - Number(attributesOf(b)["trustabl.step_index"]),
  );
  // Far enough apart that an order can be told, outer calls around inner ones.
  for (const [index, span] of calls.entries()) {
    span.startTimeUnixNano = String(1_800_000_000_000_000_000n + BigInt(index) * 1_000_000_000n);
    span.endTimeUnixNano = String(BigInt(span.startTimeUnixNano) + 500_000_000n);
  }
  return {
    otlp,
    spans: all.map(({ span }) => span),
    calls,
    root,
    delegated: first(({ span }) => has(span, "trustabl.handoff_id")),
    other: first(({ span, role }) => role === undefined && span !== root),
  };
}

const move = (from: OtlpSpan, to: OtlpSpan, names: RegExp): void => {
  for (const attribute of (from.attributes ?? []).filter(({ key }) => names.test(key))) {
    to.attributes = [...(to.attributes ?? []).filter(({ key }) => key !== attribute.key), attribute];
  }
  removeAttribute(from, names);
};

const last = (cast: Cast): OtlpSpan => cast.calls.at(-1) as OtlpSpan;
const lastButOne = (cast: Cast): OtlpSpan => cast.calls.at(-2) as OtlpSpan;
const policy = (cast: Cast): OtlpEvent => cast.root.events?.at(-1) as OtlpEvent;
const OTHER_FP = "0123456789abcdef";

const MUTATIONS: Readonly<Record<CheckId, readonly Mutation[]>> = {
  "tool-span-labelled": [
    {
      what: "the last call loses its labels",
      change: (cast) => removeAttribute(last(cast), LABELS),
      fails: ["tool-span-labelled"],
    },
    {
      what: "a call in the middle loses its labels: the others' steps have a gap",
      change: (cast) => removeAttribute(lastButOne(cast), LABELS),
      fails: ["tool-span-labelled"],
      unknown: ["step-order"],
    },
    {
      what: "a call loses its fingerprint",
      change: (cast) => removeAttribute(last(cast), "trustabl.tool.input_fp"),
      fails: ["tool-span-labelled"],
    },
    {
      what: "a call loses its attempt",
      change: (cast) => removeAttribute(last(cast), "trustabl.tool.attempt"),
      fails: ["tool-span-labelled"],
      unknown: ["attempt-count"],
    },
  ],
  "label-on-tool-span-only": [
    {
      what: "the labels of a call move to the span around it",
      change: (cast) => move(last(cast), cast.other, LABELS),
      fails: ["tool-span-labelled", "label-on-tool-span-only"],
    },
    {
      what: "a step index is written on the agent's span",
      change: (cast) => setAttribute(cast.root, "trustabl.tool.side_effect", "read"),
      fails: ["label-on-tool-span-only"],
    },
    {
      what: "labels of a call are copied to a model's span",
      change: (cast) => setAttribute(cast.other, "trustabl.tool.output_fp", OTHER_FP),
      fails: ["label-on-tool-span-only"],
      unknown: [],
    },
  ],
  "failed-tool-labelled": [
    {
      what: "a call fails and has no labels",
      change: (cast) => {
        last(cast).status = { code: 2 };
        removeAttribute(last(cast), LABELS);
      },
      fails: ["tool-span-labelled", "failed-tool-labelled"],
    },
    {
      what: "a call leaves an exception and no labels",
      change: (cast) => {
        last(cast).events = [{ name: "exception" }];
        removeAttribute(last(cast), LABELS);
      },
      fails: ["tool-span-labelled", "failed-tool-labelled"],
    },
    {
      what: "a call has an error type and no labels of its own",
      change: (cast) => {
        setAttribute(last(cast), "error.type", "tool_error");
        removeAttribute(last(cast), CALL_LABELS);
      },
      fails: ["tool-span-labelled", "failed-tool-labelled"],
    },
  ],
  "label-values-valid": [
    {
      what: "a side effect that is no word of the list",
      change: (cast) => setAttribute(last(cast), "trustabl.tool.side_effect", "none"),
      fails: ["label-values-valid"],
    },
    {
      what: "a fingerprint that was cut",
      change: (cast) => setAttribute(last(cast), "trustabl.tool.output_fp", "0123456789"),
      fails: ["label-values-valid"],
    },
    {
      what: "a name that nobody knows",
      change: (cast) => setAttribute(last(cast), "trustabl.tool.retries", 1),
      fails: ["label-values-valid"],
    },
    {
      what: "an error class of another type",
      change: (cast) => setAttribute(last(cast), "trustabl.tool.error_class", 504),
      fails: ["label-values-valid"],
    },
  ],
  "run-end-marked": [
    {
      what: "the root loses its exit reason",
      change: (cast) => removeAttribute(cast.root, "trustabl.exit_reason"),
      fails: ["run-end-marked"],
    },
    {
      what: "the exit reason moves to another span",
      change: (cast) => move(cast.root, cast.delegated, /exit_reason/),
      fails: ["run-end-marked"],
    },
    {
      what: "an exit reason that is no word of the list",
      change: (cast) => setAttribute(cast.root, "trustabl.exit_reason", "done"),
      fails: ["label-values-valid", "run-end-marked"],
    },
  ],
  "run-identity": [
    {
      what: "a call carries another run's id: that run has no root, this one a gap",
      change: (cast) => setAttribute(last(cast), "trustabl.run_id", OTHER_FP),
      fails: ["run-identity"],
      unknown: ["run-end-marked", "step-order"],
    },
    {
      what: "the last call loses its run id",
      change: (cast) => removeAttribute(last(cast), "trustabl.run_id"),
      fails: ["run-identity"],
    },
    {
      what: "the root loses its run id",
      change: (cast) => removeAttribute(cast.root, "trustabl.run_id"),
      fails: ["run-identity"],
      unknown: ["run-end-marked"],
    },
    {
      what: "the run id moves from the root to a span beside the agent",
      change: (cast) => {
        const aside = structuredClone(cast.other);
        aside.spanId = "00000000000000f0";
        delete aside.parentSpanId;
        aside.traceId = "f".repeat(32);
        cast.otlp.resourceSpans[0]?.scopeSpans[0]?.spans.push(aside);
        move(cast.root, aside, /run_id|exit_reason/);
        setAttribute(cast.root, "trustabl.run_id", OTHER_FP);
        setAttribute(cast.root, "trustabl.exit_reason", "final_answer");
      },
      fails: ["run-identity"],
    },
  ],
  "step-order": [
    {
      what: "the last call loses its step index",
      change: (cast) => removeAttribute(last(cast), "trustabl.step_index"),
      fails: ["step-order"],
    },
    {
      what: "two calls carry one step index",
      change: (cast) => setAttribute(last(cast), "trustabl.step_index", cast.calls.length - 2),
      fails: ["step-order"],
    },
    {
      what: "two calls change places",
      change: (cast) => {
        setAttribute(lastButOne(cast), "trustabl.step_index", cast.calls.length - 1);
        setAttribute(last(cast), "trustabl.step_index", cast.calls.length - 2);
      },
      fails: ["step-order"],
    },
  ],
  "attempt-count": [
    {
      what: "a first attempt is called the second",
      change: (cast) => setAttribute(last(cast), "trustabl.tool.attempt", 2),
      fails: ["attempt-count"],
    },
    {
      what: "a repeated call is counted as a first one",
      change: (cast) => repeatLastCall(cast, 1),
      fails: ["attempt-count"],
    },
    {
      what: "a repeated call skips a number",
      change: (cast) => repeatLastCall(cast, 3),
      fails: ["attempt-count"],
    },
  ],
  "no-content": [
    {
      what: "a handoff id is a piece of the results",
      change: (cast) => {
        setAttribute(last(cast), contentName(last(cast)), '{"note":"the guest is Ada Lovelace"}');
        setAttribute(cast.delegated, "trustabl.handoff_id", "the guest is Ada Lovelace");
        removeAttribute(last(cast), "trustabl.tool.output_fp");
      },
      fails: ["no-content"],
    },
    {
      what: "arguments stand beside their fingerprint",
      change: (cast) => setAttribute(last(cast), "trustabl.tool.args", '{"guest":"Ada Lovelace"}'),
      fails: ["label-values-valid", "no-content"],
    },
    {
      what: "a policy's version says what was said",
      change: (cast) => {
        setAttribute(last(cast), contentName(last(cast)), '"Sleeps until the morning"');
        removeAttribute(last(cast), "trustabl.tool.output_fp");
        setAttribute(policy(cast) as never, "trustabl.policy.binding.version", "Sleeps until the morning");
      },
      fails: ["no-content"],
    },
  ],
  "fingerprint-true": [
    {
      what: "a fingerprint of other arguments",
      change: (cast) => setAttribute(last(cast), "trustabl.tool.input_fp", OTHER_FP),
      fails: ["fingerprint-true"],
    },
    {
      what: "the fingerprints of two calls change places",
      change: (cast) => {
        const [a, b] = [lastButOne(cast), last(cast)].map(
          (span) => attributesOf(span)["trustabl.tool.input_fp"],
        );
        setAttribute(lastButOne(cast), "trustabl.tool.input_fp", b as string);
        setAttribute(last(cast), "trustabl.tool.input_fp", a as string);
      },
      fails: ["fingerprint-true"],
    },
    {
      what: "the framework captured other arguments than were fingerprinted",
      change: (cast) =>
        setAttribute(last(cast), contentName(last(cast), "arguments"), '{"q":"something else"}'),
      fails: ["fingerprint-true"],
    },
  ],
  "policy-binding-valid": [
    {
      what: "a binding loses its hash",
      change: (cast) => removeAttribute(policy(cast) as never, "trustabl.policy.binding.sha256"),
      fails: ["policy-binding-valid"],
    },
    {
      what: "a binding has the first half of a hash",
      change: (cast) =>
        setAttribute(policy(cast) as never, "trustabl.policy.binding.sha256", "ab".repeat(16)),
      fails: ["policy-binding-valid"],
    },
    {
      what: "one policy is bound twice",
      change: (cast) => cast.root.events?.push(structuredClone(POLICY)),
      fails: ["policy-binding-valid"],
    },
    {
      what: "the bindings move to a tool span",
      change: (cast) => {
        last(cast).events = [policy(cast)];
        cast.root.events?.pop();
      },
      fails: ["policy-binding-valid"],
    },
  ],
  "handoff-marked": [
    {
      what: "a delegated agent loses its id",
      change: (cast) => removeAttribute(cast.delegated, "trustabl.handoff_id"),
      fails: ["handoff-marked"],
    },
    {
      what: "the id moves to the root",
      change: (cast) => move(cast.delegated, cast.root, /handoff_id/),
      fails: ["handoff-marked"],
    },
    {
      what: "two delegations share an id",
      change: (cast) => {
        const again = structuredClone(cast.delegated);
        again.spanId = "00000000000000f1";
        cast.otlp.resourceSpans[0]?.scopeSpans[0]?.spans.push(again);
      },
      fails: ["handoff-marked"],
    },
  ],
};

/** Where the instrumentation of this span puts captured content. */
function contentName(span: OtlpSpan, side: "arguments" | "result" = "result"): string {
  const convention = recogniseSpan({ name: span.name, attributes: attributesOf(span) })?.convention;
  return (convention && CAPTURED_CONTENT[convention.id][side][0]) as string;
}

/** The last call once more, one step later. */
function repeatLastCall(cast: Cast, attempt: number): void {
  const again = structuredClone(last(cast));
  again.spanId = "00000000000000f2";
  again.startTimeUnixNano = String(BigInt(again.startTimeUnixNano ?? 0) + 1_000_000_000n);
  again.endTimeUnixNano = String(BigInt(again.startTimeUnixNano) + 1_000n);
  setAttribute(again, "trustabl.step_index", cast.calls.length);
  setAttribute(again, "trustabl.tool.attempt", attempt);
  const name = ["ai.toolCall.id", "gen_ai.tool.call.id"].find(
    (key) => attributesOf(again)[key] !== undefined,
  );
  if (name !== undefined) setAttribute(again, name, "call_again");
  for (const { scopeSpans } of cast.otlp.resourceSpans) {
    for (const { spans } of scopeSpans) if (spans.includes(last(cast))) spans.push(again);
  }
}

describe.each(Object.entries(BASES))("%s", (_name, base) => {
  it("passes every check before anything is broken", () => {
    const report = verify(readOtlp(castOf(base()).otlp).spans);
    expect(report.verdict).toBe("pass");
    expect(checksWith(report, "fail")).toEqual([]);
    expect(checksWith(report, "unknown")).toEqual([]);
  });

  describe.each(Object.entries(MUTATIONS))("%s", (_check, mutations) => {
    it.each(mutations.map((mutation) => [mutation.what, mutation] as const))(
      "%s",
      (_what, { change, fails, unknown }) => {
        const cast = castOf(base());
        change(cast);
        const report = verify(readOtlp(cast.otlp).spans);
        expect(checksWith(report, "fail")).toEqual(fails);
        expect(checksWith(report, "unknown")).toEqual(unknown ?? []);
        const warningsOnly = fails.every((id) => id === "handoff-marked");
        expect(report.verdict).toBe(warningsOnly ? "pass" : "fail");
      },
    );
  });
});

it("breaks each check in at least three ways", () => {
  for (const mutations of Object.values(MUTATIONS)) expect(mutations.length).toBeGreaterThanOrEqual(3);
});
