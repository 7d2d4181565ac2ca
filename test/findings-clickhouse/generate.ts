/** Traces of many runs, from a seed: every rule fired and not fired, nested, delegated, resumed, damaged, partial. */
import type { SpanEventView, SpanView } from "../../src/verify/index.ts";

type Attributes = Record<string, unknown>;

const EPOCH = 1_764_500_000_000;

/** A generator of numbers that gives the same ones for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SIDE_EFFECTS = ["pure", "read", "write", "irreversible", "none", "strange", undefined];
const POLICY_TYPES = ["sandbox", "content_safety", "data_security", "tool_grants", "nonsense"];
const ERROR_CLASSES = ["timeout", "4xx", "auth", "empty", "not a class"];
const DECISIONS = ["allow", "deny", "cap", "approve", "a sentence with spaces"];
const TOOLS = ["search", "read_file", "send_mail", "pay"];
const NULL_FP = "74234e98afe7498f";

/** Spans of so many runs, about twenty for each, in no order that means anything. */
export function generateRuns(runs: number, seed: number): SpanView[] {
  const world = new World(seed);
  for (let run = 0; run < runs; run += 1) world.addRun(run);
  return world.shuffled();
}

class World {
  readonly spans: SpanView[] = [];
  readonly #next: () => number;
  #ids = 0;

  constructor(seed: number) {
    this.#next = random(seed);
  }

  shuffled(): SpanView[] {
    // Near each other, as an exporter sends them: within windows of a few hundred.
    const keyed = this.spans.map((span, index) => ({ span, key: index + this.#next() * 300 }));
    return keyed.sort((a, b) => a.key - b.key).map(({ span }) => span);
  }

  addRun(index: number): void {
    const runId = index.toString(16).padStart(16, "0");
    const traceId = `aa${index.toString(16).padStart(30, "0")}`;
    const resource = this.#resource();
    const start = EPOCH + index * 40;
    const constrained = this.#chance(0.4);
    const noRunIds = this.#chance(0.03);
    const label = noRunIds ? {} : { "trustabl.run_id": runId };
    const app = this.#chance(0.3)
      ? this.#span({ traceId, name: "POST /chat", start, resource, attributes: {} })
      : undefined;
    const rootParts = {
      traceId,
      parent: app?.spanId,
      name: this.#pick(["invoke_agent desk", "desk run"]) as string,
      start: start + 1,
      resource,
      attributes: {
        ...label,
        "gen_ai.operation.name": this.#chance(0.8) ? "invoke_agent" : undefined,
        "gen_ai.agent.name": "desk",
        "gen_ai.agent.version": this.#chance(0.2) ? "1.2" : undefined,
        "trustabl.exit_reason": this.#pick([
          "final_answer",
          "final_answer",
          "max_steps",
          "error",
          "whatever",
          undefined,
        ]),
      },
      events: this.#bindings(),
    };
    const root = this.#make(rootParts);
    // A partial export has no root.
    if (!this.#chance(0.05)) this.#put(root);
    const between = this.#chance(0.3)
      ? this.#span({ traceId, parent: root.spanId, name: "step", start: start + 2, resource, attributes: {} })
      : root;
    const calls = Math.floor(this.#next() * 28);
    const attempts = new Map<string, number>();
    for (let step = 0; step < calls; step += 1) {
      this.#addCall({
        traceId,
        runId: noRunIds ? undefined : runId,
        parent: between,
        step,
        attempts,
        constrained,
        resource,
        start: start + 3 + step * 2,
      });
    }
    if (this.#chance(0.25)) this.#addDelegation(traceId, runId, between, resource, start + 2);
    if (this.#chance(0.05)) this.#addResumed(runId, index, resource, start, calls, attempts);
  }

  #addResumed(
    runId: string,
    index: number,
    resource: Attributes,
    start: number,
    calls: number,
    attempts: Map<string, number>,
  ): void {
    const traceId = `bb${index.toString(16).padStart(30, "0")}`;
    const root = this.#span({
      traceId,
      name: "invoke_agent desk",
      start: start + 500,
      resource: this.#resource(),
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "trustabl.run_id": runId,
        "trustabl.exit_reason": "final_answer",
      },
      events: this.#bindings(),
    });
    for (let step = calls; step < calls + 3; step += 1)
      this.#addCall({
        traceId,
        runId,
        parent: root,
        step,
        attempts,
        constrained: true,
        resource,
        start: start + 501 + step * 2,
      });
  }

  #addDelegation(
    traceId: string,
    runId: string,
    parent: SpanView,
    resource: Attributes,
    start: number,
  ): void {
    const tool = this.#span({
      traceId,
      parent: parent.spanId,
      name: "execute_tool ask_expert",
      start,
      resource,
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "ask_expert",
        "trustabl.run_id": runId,
      },
    });
    const handoff = this.#chance(0.9) ? { "trustabl.handoff_id": `h-${traceId.slice(-8)}` } : {};
    const ownRun = this.#chance(0.3)
      ? { "trustabl.run_id": `sub-${runId}`, "trustabl.exit_reason": "final_answer" }
      : {};
    const agent = this.#span({
      traceId,
      parent: tool.spanId,
      name: "invoke_agent expert",
      start: start + 1,
      resource,
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.version": this.#chance(0.5) ? "3" : "",
        ...handoff,
        ...ownRun,
      },
      events: this.#chance(0.5) ? this.#bindings() : [],
    });
    if (this.#chance(0.3)) {
      this.#span({
        traceId,
        parent: agent.spanId,
        name: "turn",
        start: start + 2,
        resource,
        attributes: handoff,
        events: this.#chance(0.5) ? this.#bindings() : [],
      });
    }
    const attempts = new Map<string, number>();
    for (let step = 0; step < 3; step += 1)
      this.#addCall({
        traceId,
        runId: (ownRun["trustabl.run_id"] as string | undefined) ?? runId,
        parent: agent,
        step: step + 40,
        attempts,
        constrained: false,
        resource,
        start: start + 3 + step,
      });
  }

  #addCall(call: {
    readonly traceId: string;
    readonly runId: string | undefined;
    readonly parent: SpanView;
    readonly step: number;
    readonly attempts: Map<string, number>;
    readonly constrained: boolean;
    readonly resource: Attributes;
    readonly start: number;
  }): void {
    const { traceId, parent, resource, start } = call;
    const tool = this.#pick(TOOLS) as string;
    const labels = this.#callLabels(call, tool);
    const failed = this.#chance(0.1);
    const framework = this.#pick(["gen_ai", "gen_ai", "ai-sdk", "openinference"]) as string;
    const layers = this.#chance(0.15);
    // In most layers the outermost span is labelled, in some an inner one, in some both.
    const outerLabelled = !layers || this.#chance(0.7);
    const outer = this.#make({
      traceId,
      parent: parent.spanId,
      start,
      resource,
      status: failed ? "error" : "unset",
      events:
        failed && this.#chance(0.5) ? [{ name: "exception", attributes: { "exception.type": "Error" } }] : [],
      ...this.#named(framework, tool, `call-${this.#ids}`),
    });
    const outermost = outerLabelled ? { ...outer, attributes: { ...outer.attributes, ...labels } } : outer;
    this.#put(outermost);
    // An exporter that sends twice, once before the labels were there.
    if (this.#chance(0.02)) this.#put(this.#chance(0.5) ? outer : outermost);
    if (!layers) return;
    const client = this.#span({
      traceId,
      parent: outer.spanId,
      name: `tools/call ${tool}`,
      start: start + 0.2,
      resource,
      attributes: {
        "mcp.method.name": "tools/call",
        "gen_ai.tool.name": this.#chance(0.8) ? `server__${tool}` : undefined,
        ...(outerLabelled && !this.#chance(0.3) ? {} : labels),
        "trustabl.constraint.decision": this.#chance(0.2) ? "allow" : labels["trustabl.constraint.decision"],
      },
    });
    // A tool that is another one, below: a call of its own.
    if (this.#chance(0.4)) {
      this.#span({
        traceId,
        parent: client.spanId,
        start: start + 0.4,
        resource,
        ...this.#named("gen_ai", "inner_helper", `inner-${this.#ids}`),
      });
    }
  }

  #named(
    framework: string,
    tool: string,
    callId: string,
  ): { readonly name: string; readonly scope: string; readonly attributes: Attributes } {
    if (framework === "ai-sdk")
      return {
        name: "ai.toolCall",
        scope: "ai",
        attributes: { "ai.operationId": "ai.toolCall", "ai.toolCall.name": tool, "ai.toolCall.id": callId },
      };
    if (framework === "openinference")
      return {
        name: tool,
        scope: "@arizeai/openinference",
        attributes: { "openinference.span.kind": "TOOL", "tool.name": tool, "input.value": "{}" },
      };
    return {
      name: `execute_tool ${tool}`,
      scope: "gen_ai",
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool,
        "gen_ai.tool.call.id": callId,
      },
    };
  }

  #callLabels(
    {
      runId,
      step,
      attempts,
      constrained,
    }: {
      readonly runId: string | undefined;
      readonly step: number;
      readonly attempts: Map<string, number>;
      readonly constrained: boolean;
    },
    tool: string,
  ): Attributes {
    if (this.#chance(0.06)) return {};
    const input = this.#chance(0.55) ? "1" : String(Math.floor(this.#next() * 6) + 2);
    const inputFp = input.repeat(16);
    const key = `${tool} ${inputFp}`;
    const attempt = (attempts.get(key) ?? 0) + 1;
    attempts.set(key, attempt);
    return {
      "trustabl.run_id": this.#chance(0.05) ? undefined : runId,
      "trustabl.step_index": this.#damaged(step),
      "trustabl.tool.attempt": this.#damaged(attempt),
      "trustabl.tool.input_fp": this.#chance(0.03)
        ? "not a fingerprint"
        : this.#chance(0.03)
          ? undefined
          : inputFp,
      "trustabl.tool.output_fp": this.#chance(0.1)
        ? NULL_FP
        : this.#chance(0.7)
          ? "a".repeat(16)
          : "b".repeat(16),
      "trustabl.tool.side_effect": this.#pick(SIDE_EFFECTS),
      "trustabl.tool.error_class": this.#chance(0.2) ? this.#pick(ERROR_CLASSES) : undefined,
      "trustabl.constraint.decision": constrained && this.#chance(0.8) ? this.#pick(DECISIONS) : undefined,
      "trustabl.constraint.kind": constrained && this.#chance(0.5) ? "cost" : undefined,
      "trustabl.constraint.data_class":
        constrained && this.#chance(0.5) ? this.#pick(["pii", "pci"]) : undefined,
      "trustabl.constraint.reason_code": constrained && this.#chance(0.5) ? "CEILING" : undefined,
      "trustabl.contract.sha256": this.#chance(0.02) ? "e".repeat(64) : undefined,
      "trustabl.policy.bundle_id": this.#chance(0.05) ? "bundle" : undefined,
      "trustabl.policy.bundle_sha256": this.#chance(0.05)
        ? this.#pick(["c".repeat(64), "d".repeat(64)])
        : undefined,
    };
  }

  // A label that has not its form. Not a number as a text: in the exporter's table every value is a text.
  #damaged(value: number): unknown {
    if (this.#chance(0.02)) return "abc";
    if (this.#chance(0.02)) return -1;
    return this.#chance(0.02) ? undefined : value;
  }

  #bindings(): SpanEventView[] {
    return POLICY_TYPES.filter(() => this.#chance(0.7)).map((type) => ({
      name: this.#chance(0.95) ? "trustabl.policy.binding" : "another event",
      attributes: {
        "trustabl.policy.binding.id": `desk-${type}`,
        "trustabl.policy.binding.type": type,
        "trustabl.policy.binding.sha256": this.#chance(0.02)
          ? "short"
          : (this.#chance(0.93) ? "1" : "2").repeat(64),
        "trustabl.policy.binding.version": this.#chance(0.95) ? "3" : "4",
        "trustabl.policy.binding.required": true,
        "trustabl.policy.binding.source": "entrypoint",
      },
    }));
  }

  #resource(): Attributes {
    return {
      "service.name": this.#pick(["desk", "shop"]),
      "trustabl.contract_hash": this.#chance(0.6)
        ? this.#chance(0.9)
          ? "f".repeat(64)
          : "0".repeat(64)
        : undefined,
    };
  }

  #span(parts: SpanParts): SpanView {
    const span = this.#make(parts);
    this.#put(span);
    return span;
  }

  #put(span: SpanView): void {
    this.spans.push(span);
  }

  #make({
    traceId,
    parent,
    name,
    scope = "app",
    start,
    resource,
    status = "unset",
    attributes,
    events = [],
  }: SpanParts): SpanView {
    this.#ids += 1;
    return {
      traceId,
      spanId:
        (this.#ids * 2_654_435_761).toString(16).slice(-8).padStart(8, "0") +
        this.#ids.toString(16).padStart(8, "0"),
      parentSpanId: parent,
      name,
      scope,
      resource: present(resource),
      start: BigInt(Math.round(start * 1_000)) * 1_000n,
      end: BigInt(Math.round((start + 5) * 1_000)) * 1_000n,
      status,
      attributes: present(attributes),
      events,
      droppedAttributes: 0,
      droppedEvents: 0,
    };
  }

  #chance(probability: number): boolean {
    return this.#next() < probability;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#next() * items.length)] as Item;
  }
}

interface SpanParts {
  readonly traceId: string;
  readonly parent?: string | undefined;
  readonly name: string;
  readonly scope?: string;
  /** Milliseconds. */
  readonly start: number;
  readonly resource: Attributes;
  readonly status?: SpanView["status"];
  readonly attributes: Attributes;
  readonly events?: readonly SpanEventView[];
}

const present = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
