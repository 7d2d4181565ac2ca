/**
 * The faults that a labelled tool has to survive, as data: what each breaks, and which labels it may cost.
 *
 * @module
 */
import type { SpanAttributeName } from "../../attributes/registry.ts";
import { failLabelWrites } from "./fail-label-writes.ts";
import { InjectedFault } from "./injected-fault.ts";
import type { TestSpan } from "./test-span.ts";

/** One way to break labelling. */
export interface Fault {
  /** Breaks the call's span, and the run's. */
  readonly breakSpan?: (span: TestSpan) => void;
  /** Changes what the tool is called with. */
  readonly changeParameters?: (parameters: readonly unknown[]) => unknown[];
  /** The run's id. */
  readonly runId?: string;
  /** The span ends as soon as the tool's function has returned, which may be before its promise settles. */
  readonly endsEarly?: boolean;
  /** OpenTelemetry's diagnostic logger throws. */
  readonly loggerThrows?: boolean;
  /** Labels that the fault may cost. Every other label has to be there. */
  readonly costs: "all" | readonly SpanAttributeName[];
}

const throwFault = (): never => {
  throw new InjectedFault();
};

/** Replaces a member of the span by a getter or a method that throws. */
const breakMember = (span: TestSpan, name: "attributes" | "isRecording" | "spanContext") =>
  Object.defineProperty(
    span,
    name,
    name === "attributes"
      ? { configurable: true, get: throwFault }
      : { configurable: true, value: throwFault },
  );

// As one more member of the arguments, so that the tool works as always; arguments that have no members are replaced.
const withArgument =
  (make: () => object) =>
  (parameters: readonly unknown[]): unknown[] => {
    const [first, ...rest] = parameters;
    const plain = typeof first === "object" && first !== null && !Array.isArray(first);
    return [plain ? withMember(first, make()) : make(), ...rest];
  };

function withMember(target: object, hostile: object): object {
  const copy: object = Object.create(
    Object.getPrototypeOf(target) as object | null,
    Object.getOwnPropertyDescriptors(target),
  );
  return Object.defineProperty(copy, "injectedByTestHarness", {
    configurable: true,
    enumerable: true,
    writable: true,
    value: hostile,
  });
}

function cycle(): object {
  const value: Record<string, unknown> = {};
  value.self = value;
  return value;
}

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

// Not the error of the other faults: a tool that reads all of its arguments gets this one, and may throw it on.
const throwingGetter = (): object =>
  Object.defineProperty({}, "value", {
    enumerable: true,
    configurable: true,
    get: () => {
      throw new Error("This member was put in by the test harness and cannot be read.");
    },
  });

function withCallId(parameters: readonly unknown[]): unknown[] {
  const [first, second, ...rest] = parameters;
  return [first, { ...(second as object | undefined), toolCallId: "x".repeat(100_000) }, ...rest];
}

// The result too, since a tool may give back what it got.
const ARGUMENT_COSTS = ["trustabl.tool.input_fp", "trustabl.tool.output_fp"] as const;

/** Every fault, by name. */
export const TOOL_FAULTS = {
  set_attribute_throws: { breakSpan: (span) => failLabelWrites(span, () => {}), costs: "all" },
  one_write_throws: { breakSpan: failInputFingerprint, costs: ["trustabl.tool.input_fp"] },
  is_recording_throws: { breakSpan: (span) => breakMember(span, "isRecording"), costs: "all" },
  attributes_throw: { breakSpan: (span) => breakMember(span, "attributes"), costs: "all" },
  span_context_throws: { breakSpan: (span) => breakMember(span, "spanContext"), costs: [] },
  span_ends_early: { endsEarly: true, costs: ["trustabl.tool.output_fp", "trustabl.tool.error_class"] },
  cyclic_argument: { changeParameters: withArgument(cycle), costs: ARGUMENT_COSTS },
  revoked_proxy_argument: { changeParameters: withArgument(revokedProxy), costs: ARGUMENT_COSTS },
  throwing_getter_argument: { changeParameters: withArgument(throwingGetter), costs: ARGUMENT_COSTS },
  overlong_call_id: { changeParameters: withCallId, costs: [] },
  overlong_run_id: { runId: "x".repeat(10_000), costs: ["trustabl.run_id"] },
  // With an argument that there is something to say about.
  logger_throws: { loggerThrows: true, changeParameters: withArgument(cycle), costs: ARGUMENT_COSTS },
} as const satisfies Record<string, Fault>;

/** The name of a fault. */
export type ToolFault = keyof typeof TOOL_FAULTS;

function failInputFingerprint(span: TestSpan): void {
  const { setAttribute } = span;
  span.setAttribute = function (name, value) {
    return name === "trustabl.tool.input_fp" ? throwFault() : setAttribute.call(this, name, value);
  };
}
