/**
 * Labels for the queries of a program.
 *
 * @module
 */
import { recogniseSpan, type SpanFacts } from "../../attributes/conventions.ts";
import type { ErrorClass } from "../../attributes/registry.ts";
import { prepareRunFingerprint } from "../../fingerprint/index.ts";
import { report } from "../../labels/diagnostics.ts";
import type { RecordedEvent, RecordedSpan } from "../../labels/recorded-span.ts";
import { isPolicySet } from "../../run/required-policies.ts";
import type { StartRunOptions } from "../../run/with-run.ts";
import { prepareTool, type ToolDefinition } from "../../tool/tool-definition.ts";
import { withHooks } from "./hooked-options.ts";
import { LabelledQuery } from "./labelled-query.ts";
import { LiveSpanFinder } from "./live-spans.ts";
import { observeMessages } from "./observed-messages.ts";
import { QueryRun } from "./query-run.ts";
import { type QueryParameters, textOf } from "./sdk-types.ts";
import { exportTo } from "./telemetry-env.ts";
import { type PreparedAgentTool, ToolCalls } from "./tool-calls.ts";

/** What is declared about a tool. Results are what the SDK's `PostToolUse` hook is told, failures its text of the error. */
export type AgentTool = Omit<
  ToolDefinition<(input: unknown) => unknown>,
  "name" | "callId" | "span" | "run" | "trustActiveSpan"
> & {
  /** Short secrets are among the arguments or results: no fingerprint of them is written. Default `false`. */
  readonly sensitive?: boolean | undefined;
  /** The class of a call that did not run, for what only the one who refused it knows. Asked once, with the call's id. */
  readonly refusalClass?: ((callId: string) => ErrorClass | undefined) | undefined;
};

/** Options of {@link QueryLabels}. The rest is for queries that are started outside a run that records. */
export interface QueryLabelsOptions
  extends Pick<StartRunOptions, "fingerprint" | "policies" | "onPolicyFailure"> {
  /** What is declared about tools, by the name that hooks know: `Bash`, `mcp__server__tool`. All others are labelled too. */
  readonly tools?: Readonly<Record<string, AgentTool>> | undefined;
}

/** What is needed of a relay: `startOtlpRelay` of the subpath `/otlp-relay` gives it. */
export interface LabelRelay {
  /** Where the command line is to export to. */
  readonly url: string;
  /** Is called when labels were decided. */
  settled(): void;
}

/** What is read of a span on its way. */
export interface ExportedSpan extends SpanFacts {
  /** 16 lower-case hexadecimal characters. Without it, the root span of a delegated query gets no handoff id. */
  readonly spanId?: string | undefined;
  /** The span's own attributes, by name. `session.id` says whose span it is; a span without it gets no labels. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** What is added to a span on its way. */
export interface RelayLabels {
  /** Labels by name. Those that the span has already stay as they are. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** The policies that were bound, one event for each; empty when there are none. */
  readonly events: readonly RecordedEvent[];
}

// biome-ignore lint/suspicious/noExplicitAny: the SDK's `query`, and what instrumentations make of it
type QueryFunction = (parameters: any) => any;

/** Sessions that are remembered, for the spans that still come. */
const MAX_SESSIONS = 1_000;

/**
 * Labels the queries of the Claude Agent SDK, from its hooks. Make one per program.
 *
 * Native spans live in the SDK's subprocess: they are exported through a relay, which asks {@link QueryLabels.labelsOf}.
 * OpenInference's spans live here: {@link QueryLabels.spanProcessor} finds them. Use one of the two, or both.
 *
 * @example
 * ```ts
 * import { QueryLabels } from "agent-reliability-otel-labels/claude-agent-sdk";
 *
 * declare const sdk: { query(parameters: { prompt: string; options?: object }): AsyncIterable<object> };
 * declare const relay: { url: string; settled(): void }; // startOtlpRelay({ endpoint, labelsOf: labels.labelsOf })
 *
 * const labels = new QueryLabels({ tools: { Bash: { sideEffect: "write" } } });
 * const query = labels.wrap(sdk.query, relay);
 * for await (const message of query({ prompt: "List the files" })) console.log(message);
 * ```
 */
export class QueryLabels {
  readonly #tools: ReadonlyMap<string, PreparedAgentTool>;
  readonly #undeclared = prepareTool({ name: "undeclared" });
  readonly #options: StartRunOptions;
  readonly #calls = new ToolCalls();
  readonly #sessions = new Map<string, QueryRun>();
  readonly #live = new LiveSpanFinder();
  #findsLiveSpans = false;

  /** @throws TypeError or RangeError on a wrong definition */
  constructor({ tools = {}, fingerprint, policies, onPolicyFailure }: QueryLabelsOptions = {}) {
    this.#tools = new Map(
      Object.entries(tools).map(([name, tool]) => [
        name,
        {
          ...prepareTool({ ...tool, name } as ToolDefinition<never>),
          sensitive: tool?.sensitive === true,
          refusalClass: tool?.refusalClass,
        },
      ]),
    );
    this.#options = { fingerprint: checkedOnce(fingerprint), policies: readOnce(policies), onPolicyFailure };
  }

  /** For the tracer provider that OpenInference uses, before the exporting processors. */
  get spanProcessor(): LiveSpanFinder {
    this.#findsLiveSpans = true;
    return this.#live;
  }

  /**
   * A `query` that is labelled. Everything else about it stays: its options' hooks decide as before, its messages and
   * methods are its own. With OpenInference give it the wrapped one: `manuallyInstrument({ ...sdk, query: labels.wrap(sdk.query) })`.
   *
   * The wrapped function throws a `RequiredPolicyError` when a required policy failed and the query would have been started
   * outside a run.
   *
   * @param relay for native spans; their exporter is set to it in the environment of the subprocess
   */
  wrap<Query extends QueryFunction>(query: Query, relay?: LabelRelay | undefined): Query {
    const wrapped = (parameters: QueryParameters) => this.#start(query, parameters, relay);
    return wrapped as Query;
  }

  #start(query: QueryFunction, parameters: QueryParameters, relay: LabelRelay | undefined): unknown {
    const agentSpan = this.#live.takeAgentSpan();
    // Also when nothing can be labelled: a query that needs a policy does not start without it.
    const run = new QueryRun(this.#options, relay !== undefined);
    if (relay === undefined && !this.#findsLiveSpans) return query(parameters);
    if (agentSpan !== undefined) run.attach(agentSpan);
    const labelled = new LabelledQuery({
      run,
      calls: this.#calls,
      toolOf: (name) => this.#tools.get(name) ?? { ...this.#undeclared, name },
      onSession: (sessionId) => this.#remember(sessionId, run),
      onSettled: () => relay?.settled(),
      awaits: relay !== undefined ? "relayed" : agentSpan !== undefined ? "live" : "unknown",
    });
    const hooked = withHooks(parameters?.options, (input) => labelled.hook(input));
    const options = relay === undefined ? hooked : { ...hooked, env: exportTo(relay.url, hooked.env) };
    return observeMessages(
      run.with(() => query({ ...parameters, options })),
      labelled,
    );
  }

  #remember(sessionId: string, run: QueryRun): void {
    // A session that is resumed belongs to the newer query: the older one's process, and its spans, are gone.
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, run);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
  }

  /** For a relay: what to add to a span of the command line, or `wait` while it is not known. */
  readonly labelsOf = (span: ExportedSpan, last: boolean): RelayLabels | undefined | "wait" => {
    const recognised = recogniseSpan(span);
    const sessionId = textOf(span.attributes["session.id"]);
    if (recognised?.convention.id !== "claude-code" || sessionId === undefined) return undefined;
    const run = this.#sessions.get(sessionId);
    if (recognised.role === "agent") {
      const turn = span.attributes["interaction.sequence"];
      const root = run?.rootOf(typeof turn === "number" ? turn : 1, textOf(span.spanId), last);
      return root === "wait" || root === undefined ? root : labelsOn(root);
    }
    const call = this.#calls.find(sessionId, recognised.callId ?? "");
    if (call === undefined) {
      if (run !== undefined) reportUnknownCall();
      return undefined;
    }
    if (!call.ended && !last) return "wait";
    call.taken = true;
    return labelsOn(call.span);
  };

  /** How much is remembered: for tests and gauges. */
  get size(): { readonly calls: number; readonly sessions: number } {
    return { calls: this.#calls.size, sessions: this.#sessions.size };
  }
}

// Every query has a random key of its own; a deployment's key is checked and copied now.
function checkedOnce(fingerprint: QueryLabelsOptions["fingerprint"]): QueryLabelsOptions["fingerprint"] {
  const key = prepareRunFingerprint(fingerprint);
  return fingerprint === "run" || key === undefined ? fingerprint : { key };
}

// Every query of the program binds them again.
function readOnce(policies: QueryLabelsOptions["policies"]): QueryLabelsOptions["policies"] {
  if (policies === undefined || policies === null) return policies;
  if (!isPolicySet(policies)) return [...policies];
  return { verified: [...policies.verified], failed: [...policies.failed] };
}

const labelsOn = ({ attributes, events }: RecordedSpan): RelayLabels => ({
  attributes: { ...attributes },
  events: [...events],
});

function reportUnknownCall(): void {
  report(
    "agent unknown call",
    "",
    () => "a tool span passed the relay whose call no hook told of, so it was not labelled",
  );
}
