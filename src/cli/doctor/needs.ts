/**
 * What labels need of an SDK's limits, and the variables that set them.
 *
 * @module
 */
import { POLICY_BINDING_ATTRIBUTES } from "../../attributes/registry.ts";
import type { SeenLimits } from "./facts.ts";

/** One limit. */
export interface Need {
  readonly limit: keyof SeenLimits;
  /** Variables that set it, the one that counts first. */
  readonly variables: readonly string[];
  /** Below this, labels are lost or cut. */
  readonly atLeast: number;
  readonly what: string;
  readonly consequence: string;
}

/** Every limit that can cost a label. */
export const NEEDS: readonly Need[] = [
  {
    limit: "valueLength",
    variables: ["OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT"],
    atLeast: 64,
    what: "characters of a value",
    consequence:
      "a fingerprint has 16 characters and a policy's hash 64: what is longer than the limit is cut",
  },
  {
    limit: "attributes",
    variables: ["OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "OTEL_ATTRIBUTE_COUNT_LIMIT"],
    atLeast: 32,
    what: "attributes of a span",
    consequence:
      "frameworks write up to two dozen first, and what comes after the limit is dropped: the labels",
  },
  {
    limit: "events",
    variables: ["OTEL_SPAN_EVENT_COUNT_LIMIT"],
    atLeast: 8,
    what: "events of a span",
    consequence:
      "each policy is an event at the start of the run, and the oldest events are the first to be dropped",
  },
  {
    limit: "attributesOfEvent",
    // The second one is read by the JavaScript SDK, the first is the specification's.
    variables: ["OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT", "OTEL_SPAN_ATTRIBUTE_PER_EVENT_COUNT_LIMIT"],
    atLeast: Object.keys(POLICY_BINDING_ATTRIBUTES).length,
    what: "attributes of an event",
    consequence: "the event of a policy is not complete without all of its attributes",
  },
];
