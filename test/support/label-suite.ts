/** The rules that hold for every label function, on one SDK's real spans. Run for SDK 1.30, 2.x and 3.x. */
import { trace } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type Binding,
  bindAuthority,
  canonicalFp,
  type MaybeSpan,
  markHandoff,
  markRunEnd,
  markToolSpan,
  Run,
} from "../../src/index.ts";
import { hearDiagnostics, ownMessages } from "./diagnostics.ts";
import { labelsOf, type TestSdk, type TestTracing } from "./tracing.ts";

export const binding: Binding = {
  id: "sandbox-policy",
  type: "sandbox",
  sha256: "a".repeat(64),
  version: "3",
  required: true,
  source: "entrypoint",
};

/** Every function that writes on a span, with right values. */
const writers: readonly (readonly [string, (span: MaybeSpan) => void])[] = [
  ["markToolSpan", (span) => markToolSpan(span, { args: { a: 1 }, result: 1, attempt: 1 })],
  ["markRunEnd", (span) => markRunEnd(span, "final_answer")],
  ["markHandoff", (span) => markHandoff(span, "handoff-1")],
  ["bindAuthority", (span) => bindAuthority(span, [binding])],
  ["Run.markStart", (span) => new Run().markStart(span)],
];

/** The same with a wrong value each. */
const wrongCalls: readonly (readonly [string, (span: MaybeSpan) => void])[] = [
  ["an unknown side effect", (span) => markToolSpan(span, { ...call, sideEffect: "deadly" as "read" })],
  ["an unknown error class", (span) => markToolSpan(span, { ...call, errorClass: "weird" as "4xx" })],
  ["attempt 0", (span) => markToolSpan(span, { ...call, attempt: 0 })],
  ["attempt 1.5", (span) => markToolSpan(span, { ...call, attempt: 1.5 })],
  ["attempt NaN", (span) => markToolSpan(span, { ...call, attempt: Number.NaN })],
  ["an attempt beyond 2^53", (span) => markToolSpan(span, { ...call, attempt: 2 ** 64 })],
  ["a step below 0", (span) => markToolSpan(span, { ...call, stepIndex: -1 })],
  ["a step that is text", (span) => markToolSpan(span, { ...call, stepIndex: "2" as unknown as number })],
  ["an empty run id", (span) => markToolSpan(span, { ...call, runId: "" })],
  ["a run id with a control character", (span) => markToolSpan(span, { ...call, runId: "a\nb" })],
  ["a run id of 129 characters", (span) => new Run("x".repeat(129)).markStart(span)],
  ["a run id that is a number", (span) => new Run(42 as unknown as string).markStart(span)],
  ["a run id with half a character", (span) => new Run("\ud800").markStart(span)],
  ["an unknown exit reason", (span) => markRunEnd(span, "done" as "error")],
  ["no exit reason", (span) => markRunEnd(span, undefined as unknown as "error")],
  ["a handoff id that is too long", (span) => markHandoff(span, "h".repeat(1_000_000))],
  ["a hash in upper case", (span) => bindAuthority(span, [{ ...binding, sha256: "A".repeat(64) }])],
  ["a hash that is too short", (span) => bindAuthority(span, [{ ...binding, sha256: "a" }])],
  [
    "a binding without a version",
    (span) => bindAuthority(span, [{ ...binding, version: undefined as unknown as string }]),
  ],
  [
    "required as text",
    (span) => bindAuthority(span, [{ ...binding, required: "yes" as unknown as boolean }]),
  ],
  [
    "an unknown policy type",
    (span) => bindAuthority(span, [binding, { ...binding, type: "wish" as "custom" }]),
  ],
  ["an unknown policy source", (span) => bindAuthority(span, [{ ...binding, source: "air" as "sidecar" }])],
  ["a binding that is nothing", (span) => bindAuthority(span, [undefined as unknown as Binding])],
];
const call = { args: {}, result: {}, attempt: 1 };

export function describeLabels(sdk: TestSdk): void {
  describe(`labels on spans of ${sdk.name}`, () => {
    let tracing: TestTracing;
    let heard: string[];
    beforeEach(() => {
      tracing = sdk.open();
      heard = hearDiagnostics();
    });
    afterEach(() => tracing.close());

    const finish = (write: (span: MaybeSpan) => void) => {
      const span = tracing.tracer.startSpan("execute_tool search", {
        attributes: { "gen_ai.operation.name": "execute_tool" },
      });
      write(span);
      span.end();
      const [finished] = tracing.finished();
      if (finished === undefined) throw new Error("no span was exported");
      return finished;
    };

    it("writes every tool label with its value", () => {
      const span = finish((live) =>
        markToolSpan(live, {
          args: { from: "SFO", to: "JFK", date: "2026-10-01" },
          result: [],
          attempt: 2,
          sideEffect: "read",
          errorClass: "empty",
          stepIndex: 4,
          runId: "0123456789abcdef",
          name: "search",
        }),
      );
      expect(span.attributes).toEqual({
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "search",
        "trustabl.run_id": "0123456789abcdef",
        "trustabl.step_index": 4,
        "trustabl.tool.attempt": 2,
        "trustabl.tool.input_fp": "c1baebf63d8d7587",
        "trustabl.tool.output_fp": "4f53cda18c2baa0c",
        "trustabl.tool.side_effect": "read",
        "trustabl.tool.error_class": "empty",
      });
    });

    it("leaves out what is not given, null and undefined alike", () => {
      const span = finish((live) =>
        markToolSpan(live, {
          args: undefined,
          result: null,
          attempt: null,
          sideEffect: null,
          errorClass: undefined,
          stepIndex: null,
          runId: null,
          name: null,
        }),
      );
      expect(labelsOf(span)).toEqual({
        "trustabl.tool.input_fp": canonicalFp(null),
        "trustabl.tool.output_fp": canonicalFp(null),
      });
    });

    it("leaves out the fingerprint of an option that is not there at all", () => {
      expect(labelsOf(finish((live) => markToolSpan(live, { attempt: 1 })))).toEqual({
        "trustabl.tool.attempt": 1,
      });
      expect(() => markToolSpan(tracing.tracer.startSpan("x"), undefined as never)).not.toThrow();
    });

    it("never overwrites the tool's name that the framework wrote", () => {
      const span = finish((live) => {
        (live as { setAttribute(key: string, value: string): void }).setAttribute(
          "gen_ai.tool.name",
          "framework",
        );
        markToolSpan(live, { ...call, name: "ours" });
      });
      expect(span.attributes["gen_ai.tool.name"]).toBe("framework");
    });

    it("marks a run's start and end and a handoff", () => {
      const span = finish((live) => {
        new Run("my-run").markStart(live);
        markHandoff(live, "delegation 7");
        markRunEnd(live, "max_steps");
      });
      expect(labelsOf(span)).toEqual({
        "trustabl.run_id": "my-run",
        "trustabl.handoff_id": "delegation 7",
        "trustabl.exit_reason": "max_steps",
      });
    });

    it("writes one event per policy, in order, also from an iterable that can be read once", () => {
      function* bindings() {
        yield binding;
        yield { ...binding, id: "content", type: "content_safety" as const, required: false };
      }
      const { events } = finish((live) => bindAuthority(live, bindings()));
      expect(events.map((event) => [event.name, event.attributes])).toEqual([
        [
          "trustabl.policy.binding",
          {
            "trustabl.policy.binding.id": "sandbox-policy",
            "trustabl.policy.binding.type": "sandbox",
            "trustabl.policy.binding.sha256": "a".repeat(64),
            "trustabl.policy.binding.version": "3",
            "trustabl.policy.binding.required": true,
            "trustabl.policy.binding.source": "entrypoint",
          },
        ],
        [
          "trustabl.policy.binding",
          expect.objectContaining({
            "trustabl.policy.binding.id": "content",
            "trustabl.policy.binding.required": false,
          }),
        ],
      ]);
    });

    it("writes no event for an empty list", () => {
      expect(finish((live) => bindAuthority(live, [])).events).toEqual([]);
      expect(() => bindAuthority(tracing.tracer.startSpan("x"), undefined)).not.toThrow();
    });

    it("reads a binding's fields once, so that none can change after it was checked", () => {
      let reads = 0;
      const shifty = {
        ...binding,
        get id() {
          reads += 1;
          return reads === 1 ? "honest" : "forged\u0000";
        },
      };
      const { events } = finish((live) => bindAuthority(live, [shifty]));
      expect(events[0]?.attributes?.["trustabl.policy.binding.id"]).toBe("honest");
    });

    it("reads each option once", () => {
      const reads: string[] = [];
      const options = new Proxy(
        {
          ...call,
          sideEffect: "read" as const,
          runId: "r",
          stepIndex: 0,
          name: "n",
          errorClass: "4xx" as const,
        },
        {
          get: (target, property) => {
            reads.push(String(property));
            return Reflect.get(target, property);
          },
        },
      );
      finish((live) => markToolSpan(live, options));
      expect(reads.toSorted()).toEqual([...new Set(reads)].toSorted());
    });

    describe.each(wrongCalls)("given %s", (_name, write) => {
      it("throws a RangeError before anything is written", () => {
        const span = finish((live) => expect(() => write(live)).toThrow(RangeError));
        expect(labelsOf(span)).toEqual({});
        expect(span.events).toEqual([]);
      });

      it("returns quietly where there is no usable span", () => {
        const ended = tracing.tracer.startSpan("ended");
        ended.end();
        for (const span of [undefined, null, ended, trace.wrapSpanContext(ended.spanContext())]) {
          expect(() => write(span)).not.toThrow();
        }
      });
    });

    it("never shows the wrong value in its error", () => {
      const secret = "4111-1111-1111-1111\n";
      finish((live) => {
        for (const write of [
          () => markToolSpan(live, { ...call, runId: secret }),
          () => markHandoff(live, secret),
          () => markRunEnd(live, secret as "error"),
          () => bindAuthority(live, [{ ...binding, id: secret }]),
        ]) {
          expect(write).toThrow(expect.objectContaining({ message: expect.not.stringContaining("4111") }));
        }
      });
    });

    describe.each(writers)("%s", (_name, write) => {
      it("writes nothing on a span that has ended", () => {
        const span = tracing.tracer.startSpan("ended");
        span.end();
        write(span);
        expect(labelsOf(tracing.finished()[0])).toEqual({});
        expect(tracing.finished()[0]?.events).toEqual([]);
        // An SDK warns of each write on a span that has ended: none was tried.
        expect(heard).toEqual([]);
      });

      it("writes nothing where isRecording is missing, throws or says something else", () => {
        const touched: string[] = [];
        const base = { setAttribute: () => touched.push("attribute"), addEvent: () => touched.push("event") };
        const throwing = () => {
          throw new Error("not now");
        };
        for (const span of [
          { ...base },
          { ...base, isRecording: throwing },
          { ...base, isRecording: () => 1 },
        ]) {
          expect(() => write(span as unknown as MaybeSpan)).not.toThrow();
        }
        expect(touched).toEqual([]);
      });

      it("survives a span whose methods throw, and says so once per label", () => {
        const throwing = () => {
          throw new Error("the exporter is on fire");
        };
        const span = { isRecording: () => true, setAttribute: throwing, addEvent: throwing };
        expect(() => write(span)).not.toThrow();
        const first = ownMessages(heard).length;
        expect(first).toBeGreaterThan(0);
        write(span);
        expect(ownMessages(heard)).toHaveLength(first);
        expect(heard.join()).not.toContain("on fire");
      });

      it("works on a recording span of the API alone, which shows no attributes", () => {
        const written: Record<string, unknown> = {};
        write({
          isRecording: () => true,
          setAttribute: (key, value) => {
            written[key] = value;
          },
          addEvent: (name, attributes) => {
            written[name] = attributes;
          },
        });
        expect(Object.keys(written).length).toBeGreaterThan(0);
        expect(Object.keys(written).every((key) => key.startsWith("trustabl."))).toBe(true);
      });
    });

    it("loses one label when its write throws, and keeps the rest", () => {
      const span = finish((live) => {
        const guarded = new Proxy(live as object, {
          get(target, property) {
            const value: unknown = Reflect.get(target, property);
            if (typeof value !== "function") return value;
            return (...parameters: unknown[]) => {
              if (property === "setAttribute" && parameters[0] === "trustabl.tool.attempt")
                throw new Error("no");
              return Reflect.apply(value, target, parameters);
            };
          },
        });
        markToolSpan(guarded as MaybeSpan, { ...call, stepIndex: 1, sideEffect: "write" });
      });
      expect(labelsOf(span)).toEqual({
        "trustabl.step_index": 1,
        "trustabl.tool.side_effect": "write",
        "trustabl.tool.input_fp": canonicalFp({}),
        "trustabl.tool.output_fp": canonicalFp({}),
      });
      expect(ownMessages(heard)).toEqual([expect.stringContaining("trustabl.tool.attempt")]);
    });

    it("leaves the tool's name alone where the attributes cannot be read", () => {
      const containers: unknown[] = [
        new Map([["gen_ai.tool.name", "framework"]]),
        new (class Attributes {})(),
        [],
        "text",
        undefined,
        Object.defineProperty({}, "gen_ai.tool.name", {
          get: () => expect.fail("must not reach the caller"),
        }),
      ];
      for (const attributes of containers) {
        const names: string[] = [];
        const span = {
          isRecording: () => true,
          setAttribute: (name: string) => names.push(name),
          addEvent: () => {},
        };
        markToolSpan(Object.assign(span, { attributes }), { ...call, name: "ours" });
        expect(names).not.toContain("gen_ai.tool.name");
      }
    });

    it("loses a fingerprint that cannot be made, keeps the rest and says why without the value", () => {
      const cycle: Record<string, unknown> = { password: "hunter2" };
      cycle.self = cycle;
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      const span = finish((live) => markToolSpan(live, { args: cycle, result: proxy, attempt: 3 }));
      expect(labelsOf(span)).toEqual({ "trustabl.tool.attempt": 3 });
      expect(ownMessages(heard)).toEqual([
        expect.stringContaining("trustabl.tool.input_fp was left out"),
        expect.stringContaining("trustabl.tool.output_fp was left out"),
      ]);
      expect(heard.join()).not.toMatch(/hunter2|password|self/);
    });

    it("survives an option whose getter throws", () => {
      const options = {
        attempt: 1,
        result: 1,
        get args(): unknown {
          throw new Error("lazy loading failed");
        },
      };
      expect(Object.keys(labelsOf(finish((live) => markToolSpan(live, options))))).toEqual([
        "trustabl.tool.attempt",
        "trustabl.tool.output_fp",
      ]);
    });

    it("never sets the span's status", () => {
      const span = finish((live) => markToolSpan(live, { ...call, errorClass: "5xx" }));
      expect(span.status).toEqual({ code: 0 });
    });
  });
}
