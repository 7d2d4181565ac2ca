/** What is left of each label under an SDK's limits, and what is said of the rest. Run for SDK 1.30, 2.x and 3.x. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Binding, bindAuthority, canonicalFp, markHandoff, markToolSpan, Run } from "../../src/index.ts";
import { hearDiagnostics, ownMessages } from "./diagnostics.ts";
import { binding } from "./label-suite.ts";
import { type FinishedSpan, labelsOf, type TestSdk, type TestTracing } from "./tracing.ts";

/** As the SDKs call them. */
export interface Limits {
  readonly attributeCountLimit?: number;
  readonly attributeValueLengthLimit?: number;
  readonly eventCountLimit?: number;
  readonly attributePerEventCountLimit?: number;
}

/** What is needed of an SDK. */
export interface LimitedSdk extends TestSdk {
  /** With these limits; without any, with those of the environment. */
  open(options?: { processors?: unknown[]; limits?: Limits }): TestTracing;
  /** True where limits of attributes hold for those of events too. */
  readonly limitsEvents: boolean;
  /** True where a provider that is given no limits reads them from the environment. */
  readonly readsEnvironment: boolean;
}

const COUNT = "the span has as many attributes as its limit allows (OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT)";
const RUN_ID = "0123456789abcdef";
const call = { args: { a: 1 }, result: { b: 2 }, attempt: 2, stepIndex: 3, runId: RUN_ID, name: "search" };

export function describeLimits(sdk: LimitedSdk): void {
  describe(`labels under the limits of ${sdk.name}`, () => {
    let tracing: TestTracing | undefined;
    let heard: string[];
    beforeEach(() => {
      heard = hearDiagnostics();
    });
    afterEach(async () => {
      await tracing?.close();
      for (const name of Object.keys(process.env)) {
        if (name.startsWith("OTEL_SPAN_") || name.startsWith("OTEL_ATTRIBUTE_")) delete process.env[name];
      }
    });

    const written = (
      limits: Limits | undefined,
      filled: number,
      write: (span: never) => void,
    ): FinishedSpan => {
      tracing = sdk.open(limits === undefined ? {} : { limits });
      const span = tracing.tracer.startSpan("execute_tool search");
      for (let index = 0; index < filled; index += 1) span.setAttribute(`framework.${index}`, index);
      write(span as never);
      span.end();
      return tracing.finished()[0] as FinishedSpan;
    };
    const said = () => ownMessages(heard).map((message) => message.slice(message.indexOf(": ") + 2));

    it("every label fits beside 120 attributes of the framework, under the limit of 128, and nothing is said", () => {
      const span = written(undefined, 120, (span) =>
        markToolSpan(span, { ...call, sideEffect: "read", errorClass: "4xx" }),
      );
      expect(Object.keys(labelsOf(span))).toHaveLength(7);
      expect(said()).toEqual([]);
    });

    it("labels that come to a full span are dropped, and each is named once", () => {
      const span = written({ attributeCountLimit: 128 }, 128, (span) => {
        markToolSpan(span, call);
        markToolSpan(span, call);
      });
      expect(labelsOf(span)).toEqual({});
      expect(said()).toEqual(
        [
          "trustabl.run_id",
          "trustabl.step_index",
          "trustabl.tool.attempt",
          "trustabl.tool.input_fp",
          "gen_ai.tool.name",
          "trustabl.tool.output_fp",
        ].map((name) => `${name} was left out: ${COUNT}`),
      );
      expect(said().join()).not.toMatch(new RegExp(`${RUN_ID}|${canonicalFp(call.args)}`));
    });

    it("those that came before the span was full stay, and can be written anew", () => {
      const span = written({ attributeCountLimit: 128 }, 126, (span) => {
        new Run(RUN_ID).markStart(span);
        markToolSpan(span, { ...call, runId: "fedcba9876543210" });
      });
      expect(labelsOf(span)).toEqual({ "trustabl.run_id": "fedcba9876543210", "trustabl.step_index": 3 });
      expect(said()).toHaveLength(4);
    });

    it("a length of 16 is enough for run ids, fingerprints and most words, and nothing is said", () => {
      const span = written({ attributeValueLengthLimit: 16 }, 0, (span) =>
        markToolSpan(span, { ...call, sideEffect: "irreversible" }),
      );
      expect(labelsOf(span)).toMatchObject({
        "trustabl.run_id": RUN_ID,
        "trustabl.tool.input_fp": canonicalFp(call.args),
        "trustabl.tool.side_effect": "irreversible",
      });
      expect(said()).toEqual([]);
    });

    it("ids that are longer are cut, and it is said how far, without the id", () => {
      const handoffId = "handoff-to-the-booking-agent";
      const span = written({ attributeValueLengthLimit: 16 }, 0, (span) => markHandoff(span, handoffId));
      expect(labelsOf(span)).toEqual({ "trustabl.handoff_id": handoffId.slice(0, 16) });
      expect(said()).toEqual([
        "trustabl.handoff_id was cut to 16 of 28 characters: the span's limit is shorter (OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT)",
      ]);
    });

    it("fingerprints are cut below 16", () => {
      const span = written({ attributeValueLengthLimit: 8 }, 0, (span) => markToolSpan(span, call));
      expect(labelsOf(span)["trustabl.tool.input_fp"]).toHaveLength(8);
      expect(said().filter((message) => message.includes("_fp was cut to 8 of 16"))).toHaveLength(2);
    });

    const policies = (count: number): Binding[] =>
      Array.from({ length: count }, (_, index) => ({ ...binding, id: `policy-${index}` }));
    const boundIn = (span: FinishedSpan) =>
      span.events.flatMap(({ name, attributes }) =>
        name === "trustabl.policy.binding" ? [attributes?.["trustabl.policy.binding.id"]] : [],
      );
    const withEvents = (count: number, write: (span: never) => void) => (span: never) => {
      for (let index = 0; index < count; index += 1) {
        (span as { addEvent(name: string): void }).addEvent(`token ${index}`);
      }
      write(span);
    };

    it("policies that come to 128 events push the framework's out, and are all there", () => {
      const bind = (span: never) => bindAuthority(span, policies(3));
      const span = written({ eventCountLimit: 128 }, 0, withEvents(128, bind));
      expect(span.events).toHaveLength(128);
      expect(boundIn(span)).toEqual(["policy-0", "policy-1", "policy-2"]);
      expect(said()).toEqual([]);
    });

    it("policies that were bound first are pushed out by 128 events, which only verify can see", () => {
      const span = written({ eventCountLimit: 128 }, 0, (span) => {
        bindAuthority(span, policies(1));
        withEvents(128, () => {})(span);
      });
      expect(boundIn(span)).toEqual([]);
      expect((span as { droppedEventsCount?: number }).droppedEventsCount).toBe(1);
    });

    it("policies that push one another out are counted", () => {
      const span = written({ eventCountLimit: 2 }, 0, (span) => bindAuthority(span, policies(3)));
      expect(boundIn(span)).toEqual(["policy-1", "policy-2"]);
      expect(said()).toEqual([
        "trustabl.policy.binding was left out: the span's limit of events leaves no room (OTEL_SPAN_EVENT_COUNT_LIMIT): 2 of 3 are left",
      ]);
    });

    it("no events at all means no policies, and it is said", () => {
      const span = written({ eventCountLimit: 0 }, 0, (span) => bindAuthority(span, policies(1)));
      expect(span.events).toEqual([]);
      expect(said()[0]).toContain("trustabl.policy.binding was left out: the span's limit of events");
    });

    it("a policy's event that has room for fewer attributes lacks the last ones, and each is named", () => {
      const span = written({ attributePerEventCountLimit: 4 }, 0, (span) => bindAuthority(span, policies(1)));
      const lost = sdk.limitsEvents
        ? ["trustabl.policy.binding.required", "trustabl.policy.binding.source"]
        : [];
      expect(Object.keys(span.events[0]?.attributes ?? {})).toHaveLength(6 - lost.length);
      expect(said().map((message) => message.split(" ")[0])).toEqual(lost);
    });

    it(`a length of 16 ${sdk.limitsEvents ? "cuts" : "leaves alone"} a policy's hash and version`, () => {
      const version = "2026.11.30-release.4";
      const span = written({ attributeValueLengthLimit: 16 }, 0, (span) =>
        bindAuthority(span, [{ ...binding, version }]),
      );
      const { attributes } = span.events[0] ?? {};
      const length = (value: string) => (sdk.limitsEvents ? 16 : value.length);
      expect(attributes?.["trustabl.policy.binding.sha256"]).toHaveLength(length(binding.sha256));
      expect(attributes?.["trustabl.policy.binding.version"]).toHaveLength(length(version));
      expect(said().map((message) => message.replace(/:.*/, ""))).toEqual(
        sdk.limitsEvents
          ? [
              "trustabl.policy.binding.sha256 was cut to 16 of 64 characters",
              "trustabl.policy.binding.version was cut to 16 of 20 characters",
            ]
          : [],
      );
      expect(said().join()).not.toContain("release");
    });

    it.each([
      ["OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "2", "trustabl.tool.attempt was left out"],
      ["OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", "10", "trustabl.run_id was cut to 10 of 16 characters"],
    ])(`%s ${sdk.readsEnvironment ? "does the same" : "does nothing"}`, (variable, value, message) => {
      process.env[variable] = value;
      written(undefined, 0, (span) => markToolSpan(span, call));
      expect(said().filter((one) => one.startsWith(message))).toHaveLength(sdk.readsEnvironment ? 1 : 0);
    });
  });
}
