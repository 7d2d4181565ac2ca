/**
 * The two kinds of error of the test harness: it cannot do its work, or what it checked does not hold.
 *
 * @module
 */
import { TrustablError } from "../errors.ts";

/** Every code of {@link TestingError} and what it says. */
export const TESTING_ERROR_CODES = {
  sdk_missing: "No OpenTelemetry SDK could be loaded to record spans with.",
  context_manager_missing: "No context manager is registered, and none could be loaded.",
  api_mismatch:
    "OpenTelemetry refuses a registration: another version of @opentelemetry/api registered first.",
  provider_taken: "OpenTelemetry has another tracer provider already and would ignore a second one.",
  already_recording: "Another recording has registered its provider and is still open.",
  provider_fixed: "The tracer provider that was given takes no span processors once it is made.",
  too_many_spans: "More spans were recorded than the harness keeps.",
  root_not_certain: "The recording has no run, or more than one.",
  nothing_to_test: "The tool wrote no label even without a fault, so that no fault could be tried.",
} as const satisfies Record<string, string>;

/** Why the harness cannot do its work. Stable. */
export type TestingErrorCode = keyof typeof TESTING_ERROR_CODES;

/** The harness cannot do its work; the message says what to do about it. */
export class TestingError extends TrustablError<TestingErrorCode> {
  /** Thrown by the harness. The message is the code's sentence, and the advice after it. */
  constructor(code: TestingErrorCode, advice: string) {
    super(code, `${TESTING_ERROR_CODES[code]} ${advice}`);
  }
}

/** What can fail to hold. Stable. */
export type TraceAssertionCode = "not_verified" | "leaked" | "nothing_checked" | "fault_reached_tool";

/** What was checked does not hold. The message is for people and holds no argument and no result. */
export class TraceAssertionError extends TrustablError<TraceAssertionCode> {}

// Literals, since minifiers change class names; on the prototypes, since an own `name` is printed twice.
for (const [errorClass, name] of [
  [TestingError, "TestingError"],
  [TraceAssertionError, "TraceAssertionError"],
] as const) {
  Object.defineProperty(errorClass.prototype, "name", { value: name, configurable: true, writable: true });
}
