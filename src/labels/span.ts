/**
 * The little that is needed of a span, structurally: no SDK is imported, and spans of the OpenTelemetry API 1.4
 * and later and of the SDKs 1.30, 2.x and 3.x all fit.
 *
 * @module
 */
import { isSpanContextValid, type SpanContext } from "@opentelemetry/api";
import type { SpanFacts } from "../attributes/conventions.ts";
import { isPlain } from "../fingerprint/prototypes.ts";

/** The values of labels. */
export type AttributeValue = string | number | boolean;

/** A span that labels can be written on: the API's `Span`, or anything with these three methods. */
export interface LabelSpan {
  /** False once the span has ended, and where it is not sampled: then nothing is written. */
  isRecording(): boolean;
  /** Writes a label. What it returns is not looked at. */
  setAttribute(key: string, value: AttributeValue): unknown;
  /** Writes a policy binding. What it returns is not looked at. */
  addEvent(name: string, attributes: Record<string, AttributeValue>): unknown;
}

/** What callers may hand over: a span, or nothing where tracing is off. */
export type MaybeSpan = LabelSpan | null | undefined;

/**
 * True when labels written now would be kept: there is a span and it records. A span whose `isRecording` is
 * missing or throws is not usable. Never throws.
 */
export function isUsable(span: MaybeSpan): span is LabelSpan {
  try {
    return span !== undefined && span !== null && span.isRecording() === true;
  } catch {
    return false;
  }
}

/**
 * The attributes that a span has now, or `undefined` where they cannot be read: the API's own span has none, and
 * an unknown container (a `Map`, a class) says nothing about what is absent.
 */
export function readAttributes(span: object): Readonly<Record<string, unknown>> | undefined {
  try {
    const { attributes } = span as { readonly attributes?: unknown };
    return typeof attributes === "object" && attributes !== null && isPlain(attributes)
      ? (attributes as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** What a live span shows of itself. Never throws. */
export function factsOf(span: object): SpanFacts {
  try {
    const { name, instrumentationScope, instrumentationLibrary } = span as {
      name?: unknown;
      instrumentationScope?: { name?: unknown };
      instrumentationLibrary?: { name?: unknown };
    };
    const scope = (instrumentationScope ?? instrumentationLibrary)?.name;
    return {
      name: typeof name === "string" ? name : undefined,
      scope: typeof scope === "string" ? scope : undefined,
      attributes: readAttributes(span),
    };
  } catch {
    return {};
  }
}

/** A span's ids, where it has valid ones. Never throws. */
export function idsOf(span: object): SpanContext | undefined {
  try {
    const ids = (span as { spanContext?(): SpanContext }).spanContext?.();
    return ids !== undefined && isSpanContextValid(ids) ? ids : undefined;
  } catch {
    return undefined;
  }
}
