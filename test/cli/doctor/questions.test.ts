import { describe, expect, it } from "vitest";
import type { Facts, PackageCopy, RunningFacts } from "../../../src/cli/doctor/facts.ts";
import { judge } from "../../../src/cli/doctor/questions/index.ts";

const LABELS = "agent-reliability-otel-labels";
const application: PackageCopy = {
  version: "1.9.1",
  path: "node_modules/@opentelemetry/api",
  usedBy: [".", LABELS],
};
const other = (version: string, ...usedBy: string[]): PackageCopy => ({
  version,
  path: `other/${version}`,
  usedBy,
});
const labels: PackageCopy = { version: "1.0.0", path: `node_modules/${LABELS}`, usedBy: ["."] };
const SDK_2 = { "@opentelemetry/sdk-trace-base": "2.12.1", "@opentelemetry/sdk-trace": "2.12.1" };
const healthy: RunningFacts = {
  apiVersion: "1.9.1",
  hasProvider: true,
  records: true,
  contextManager: "works",
  limits: { valueLength: 64, attributes: 64, events: 16, attributesOfEvent: 8 },
};

/** What is wrong with these facts: the id and the level of each fault. */
function faults(facts: {
  copies?: PackageCopy[];
  labels?: PackageCopy[];
  /** Beside {@link SDK_2}. */
  packages?: Record<string, string | undefined>;
  env?: Record<string, string>;
  running?: Partial<RunningFacts>;
}) {
  const packages = Object.fromEntries(
    Object.entries({ ...SDK_2, ...facts.packages }).map(([name, version]) => [
      name,
      version === undefined ? undefined : { version, path: name },
    ]),
  );
  const all: Facts = {
    installed: { apiCopies: facts.copies ?? [application], labelsCopies: facts.labels ?? [labels], packages },
    env: facts.env ?? {},
    running: facts.running === undefined ? undefined : { ...healthy, ...facts.running },
  };
  return judge(all).flatMap(({ id, faults }) => faults.map(({ level }) => `${id} ${level}`));
}

describe("the doctor's questions", () => {
  it("find nothing wrong with a healthy installation", () => {
    expect(faults({})).toEqual([]);
    expect(faults({ running: {} })).toEqual([]);
  });

  it("say what they could not look at", () => {
    const outcomes = judge({
      installed: { apiCopies: [application], labelsCopies: [labels], packages: {} },
      env: {},
      running: undefined,
    });
    expect(outcomes.filter(({ outcome }) => outcome === "not-looked-at").map(({ id }) => id)).toEqual([
      "registered-api-copy",
      "provider",
      "context-manager",
      "running-limits",
    ]);
  });

  it("find that the API is missing", () => {
    expect(faults({ copies: [] })).toEqual(["api-copies error"]);
  });

  it("find copies of different minor versions, and of different patch versions as a warning", () => {
    expect(faults({ copies: [application, other("1.10.0", "x")] })).toEqual(["api-copies error"]);
    expect(faults({ copies: [application, other("1.8.0", "x")] })).toEqual(["api-copies error"]);
    expect(faults({ copies: [application, other("2.0.0", "x")] })).toEqual(["api-copies error"]);
    expect(faults({ copies: [application, other("1.9.0", "x")] })).toEqual(["api-copies warning"]);
    expect(faults({ copies: [application, other("1.9.1", "x")] })).toEqual(["api-copies warning"]);
  });

  it("find that the labels use another copy than the application", () => {
    const app = { ...application, usedBy: ["."] };
    expect(faults({ copies: [app, other("1.10.0", LABELS)] })).toContain("labels-api-copy error");
    expect(faults({ copies: [app, other("1.4.1", LABELS)] })).toContain("labels-api-copy warning");
  });

  it("find each copy of the API that some copy of the labels has for itself", () => {
    const copies = [
      { ...application, usedBy: [".", LABELS] },
      other("1.10.0", LABELS),
      other("1.8.0", LABELS),
    ];
    expect(faults({ copies }).filter((fault) => fault.startsWith("labels-api-copy"))).toEqual([
      "labels-api-copy error",
      "labels-api-copy warning",
    ]);
  });

  it("find a second copy of the labels, as a warning", () => {
    expect(faults({ labels: [labels, other("0.9.0", "tools")] })).toEqual(["labels-copies warning"]);
  });

  it("find that the labels are not there, as a warning: they may be for somebody else to write", () => {
    expect(faults({ labels: [] })).toEqual(["labels-copies warning"]);
  });

  it("find a copy that is newer than the one that registered", () => {
    const copies = [application, other("1.10.0", "x")];
    expect(faults({ copies, running: { apiVersion: "1.9.1" } })).toContain("registered-api-copy error");
    expect(faults({ copies, running: { apiVersion: "1.10.0" } })).not.toContain("registered-api-copy error");
  });

  it.each<[string, Record<string, string>]>([
    ["the SDK is disabled", { OTEL_SDK_DISABLED: "TRUE" }],
    ["nothing is sampled", { OTEL_TRACES_SAMPLER: "always_off" }],
    ["nothing is sampled below a root", { OTEL_TRACES_SAMPLER: "parentbased_always_off" }],
  ])("find that %s", (_name, env) => {
    expect(faults({ env })).toEqual(["tracing-enabled error"]);
  });

  it("find that nothing is exported, as a warning", () => {
    expect(faults({ env: { OTEL_TRACES_EXPORTER: "none" } })).toEqual(["tracing-enabled warning"]);
  });

  it("find what switches OpenAI Agents' tracing off, where it is installed", () => {
    const packages = { "@openai/agents-core": "0.11.5" };
    expect(faults({ packages, env: { NODE_ENV: "test" } })).toEqual(["tracing-enabled error"]);
    expect(faults({ packages, env: { OPENAI_AGENTS_DISABLE_TRACING: "1" } })).toEqual([
      "tracing-enabled error",
    ]);
    expect(faults({ packages, env: { NODE_ENV: "production" } })).toEqual([]);
    expect(faults({ env: { NODE_ENV: "test", OPENAI_AGENTS_DISABLE_TRACING: "1" } })).toEqual([]);
  });

  it.each([
    ["OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", "63", "64"],
    ["OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT", "12", "64"],
    ["OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "31", "32"],
    ["OTEL_ATTRIBUTE_COUNT_LIMIT", "5", "32"],
    ["OTEL_SPAN_EVENT_COUNT_LIMIT", "7", "8"],
    ["OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT", "5", "6"],
    ["OTEL_SPAN_ATTRIBUTE_PER_EVENT_COUNT_LIMIT", "5", "6"],
  ])("find that %s is too low", (name, low, enough) => {
    expect(faults({ env: { [name]: low } })).toEqual(["environment-limits error"]);
    expect(faults({ env: { [name]: enough } })).toEqual([]);
  });

  it("let the more special limit count, and ignore what is no number", () => {
    const env = { OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: "128", OTEL_ATTRIBUTE_COUNT_LIMIT: "5" };
    expect(faults({ env })).toEqual([]);
    expect(faults({ env: { OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: "few" } })).toEqual([]);
    expect(faults({ env: { OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: "" } })).toEqual([]);
  });

  describe("about limits in the environment", () => {
    const env = { OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: "20", OTEL_SPAN_EVENT_COUNT_LIMIT: "2" };
    const sdk3 = { "@opentelemetry/sdk-trace": "3.1.1", "@opentelemetry/sdk-trace-base": undefined };
    const limits = { valueLength: 64, attributes: 64, events: 16, attributesOfEvent: 8 };

    it("find nothing where only the SDK 3 is there, which does not read them", () => {
      expect(faults({ env, packages: sdk3 })).toEqual([]);
    });

    it("find them as warnings where one SDK reads them and another does not", () => {
      const warnings = ["environment-limits warning", "environment-limits warning"];
      expect(faults({ env, packages: { ...sdk3, "@opentelemetry/sdk-node": "0.301.0" } })).toEqual(warnings);
      expect(faults({ env, packages: { "@opentelemetry/sdk-trace": "3.1.1" } })).toEqual(warnings);
    });

    it("find them where the SDK is not known", () => {
      const none = { "@opentelemetry/sdk-trace": undefined, "@opentelemetry/sdk-trace-base": undefined };
      expect(
        faults({ env, packages: none }).filter((fault) => fault === "environment-limits error"),
      ).toHaveLength(2);
    });

    it("believe a span of the running provider rather than the environment", () => {
      expect(faults({ env, running: { limits } })).toEqual([]);
      expect(faults({ env, running: { limits: { ...limits, events: 2 } } })).toEqual([
        "environment-limits error",
        "running-limits error",
      ]);
    });
  });

  it("find that there is no SDK, unless a provider runs", () => {
    const packages = { "@opentelemetry/sdk-trace": undefined, "@opentelemetry/sdk-trace-base": undefined };
    expect(faults({ packages })).toEqual(["sdk warning"]);
    expect(faults({ packages, running: {} })).toEqual([]);
    expect(faults({ packages, copies: [] })).toEqual(["api-copies error"]);
    expect(faults({ packages: { ...packages, "@opentelemetry/sdk-node": "0.223.0" } })).toEqual([]);
  });

  it("find what the running provider lacks", () => {
    expect(faults({ running: { hasProvider: false, records: false } })).toEqual(["provider error"]);
    expect(faults({ running: { records: false } })).toEqual(["provider error"]);
    expect(faults({ running: { contextManager: "missing" } })).toEqual(["context-manager error"]);
    expect(faults({ running: { contextManager: "broken" } })).toEqual(["context-manager error"]);
    const limits = { valueLength: 10, attributes: 64, events: 2, attributesOfEvent: 8 };
    expect(faults({ running: { limits } })).toEqual(["running-limits error", "running-limits error"]);
    expect(faults({ running: { limits: undefined } })).toEqual([]);
  });

  it("find that the AI SDK 7 makes no spans by itself", () => {
    expect(faults({ packages: { ai: "7.0.2" } })).toEqual(["ai-sdk-spans error"]);
    expect(faults({ packages: { ai: "10.0.0" } })).toEqual(["ai-sdk-spans error"]);
    expect(faults({ packages: { ai: "7.0.2", "@ai-sdk/otel": "1.0.0" } })).toEqual([]);
    expect(faults({ packages: { ai: "6.0.1" } })).toEqual([]);
  });
});
