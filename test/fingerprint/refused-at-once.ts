/** Values that end or block a process that walks them without bounds. */
import type { CanonicalizationErrorCode } from "../../src/fingerprint/index.ts";

export interface RefusedAtOnce {
  readonly make: () => unknown;
  readonly code: CanonicalizationErrorCode;
  /** Processor time that a refusal may take: 50 ms, or what it takes to come to the bound of nodes or text. */
  readonly milliseconds: 50 | 1_500;
}

export const refusedAtOnce: Readonly<Record<string, RefusedAtOnce>> = {
  "a cycle": {
    make: () => {
      const value: Record<string, unknown> = {};
      value.self = value;
      return value;
    },
    code: "cycle",
    milliseconds: 50,
  },
  "a cycle beside a list of 100,000": {
    make: () => {
      const value: Record<string, unknown> = { list: new Array(100_000).fill(1) };
      value.self = { deeper: [value] };
      return value;
    },
    code: "cycle",
    milliseconds: 50,
  },
  "an array of a hundred million holes": {
    make: () => new Array(1e8),
    code: "too_many_nodes",
    milliseconds: 50,
  },
  "a hole after a thousand elements": {
    make: () => Object.assign(new Array(2_000), new Array(1_000).fill(1)),
    code: "array_hole",
    milliseconds: 50,
  },
  "an array with one element at its very end": {
    make: () => {
      const value: unknown[] = [];
      value[4_294_967_293] = 1;
      return value;
    },
    code: "too_many_nodes",
    milliseconds: 50,
  },
  "shared references that unfold to 2^26 leaves": {
    make: () => {
      let value: unknown = [1, 1];
      for (let level = 1; level < 26; level++) value = [value, value];
      return value;
    },
    code: "too_many_nodes",
    milliseconds: 1_500,
  },
  "a text of a hundred million characters": {
    make: () => ["x".repeat(100_000_000)],
    code: "too_long",
    milliseconds: 50,
  },
  "a text that escapes make six times as long": {
    make: () => ["\u0000".repeat(16_000_000)],
    code: "too_long",
    milliseconds: 1_500,
  },
  "one text of a megabyte in a thousand places": {
    make: () => new Array(1_000).fill("x".repeat(1_000_000)),
    code: "too_long",
    milliseconds: 1_500,
  },
};
