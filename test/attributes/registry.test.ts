import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DESCRIPTIONS } from "../../src/attributes/descriptions.ts";
import {
  type AttributeRow,
  POLICY_BINDING_ATTRIBUTES,
  POLICY_BINDING_EVENT,
  SPAN_ATTRIBUTES,
} from "../../src/attributes/registry.ts";
import { describeShape, hasShape } from "../../src/attributes/shapes.ts";
import { keys } from "../../src/index.ts";

const rows: Record<string, AttributeRow> = { ...SPAN_ATTRIBUTES, ...POLICY_BINDING_ATTRIBUTES };

describe("the registry", () => {
  it("holds the names of the contract, and no other", () => {
    expect(Object.keys(rows).toSorted()).toEqual([
      "trustabl.exit_reason",
      "trustabl.handoff_id",
      "trustabl.policy.binding.id",
      "trustabl.policy.binding.required",
      "trustabl.policy.binding.sha256",
      "trustabl.policy.binding.source",
      "trustabl.policy.binding.type",
      "trustabl.policy.binding.version",
      "trustabl.run_id",
      "trustabl.step_index",
      "trustabl.tool.attempt",
      "trustabl.tool.error_class",
      "trustabl.tool.input_fp",
      "trustabl.tool.output_fp",
      "trustabl.tool.side_effect",
    ]);
  });

  it("is what the public keys name, one constant each", () => {
    const names = Object.values(keys).filter((value) => typeof value === "string");
    expect(names.toSorted()).toEqual([...Object.keys(rows), POLICY_BINDING_EVENT].toSorted());
  });

  it("names each constant after its attribute", () => {
    for (const [constant, name] of Object.entries(keys)) {
      if (typeof name !== "string" || name === POLICY_BINDING_EVENT) continue;
      expect(name.replace("trustabl.", "").replaceAll(".", "_").toUpperCase()).toBe(constant);
    }
  });

  it("gives the closed lists of values as the public keys do", () => {
    expect(keys.EXIT_REASONS).toEqual(["final_answer", "max_steps", "policy_stop", "error"]);
    expect(keys.SIDE_EFFECTS).toEqual(["pure", "read", "write", "irreversible"]);
    expect(keys.ERROR_CLASSES).toEqual(["timeout", "4xx", "5xx", "empty", "schema", "auth"]);
    expect(keys.POLICY_TYPES).toEqual([
      "sandbox",
      "content_safety",
      "tool_grants",
      "retention",
      "data_security",
      "custom",
    ]);
    expect(keys.POLICY_SOURCES).toEqual(["entrypoint", "inherited", "sidecar", "external"]);
  });

  it("is what docs/attributes.md lists", () => {
    const documented = readFileSync(new URL("../../docs/attributes.md", import.meta.url), "utf8");
    for (const [name, { meaning }] of Object.entries(DESCRIPTIONS)) {
      expect(documented).toContain(`\`${name}\``);
      expect(documented).toContain(meaning);
    }
  });
});

describe("the form of a value", () => {
  it.each([
    [
      { form: "id" },
      ["a", "x".repeat(128), "Zoë 🛫"],
      ["", "x".repeat(129), "a\u0000", "a\u007f", "\ud800", 1, null],
    ],
    [
      { form: "fingerprint" },
      ["0123456789abcdef"],
      ["0123456789abcde", "0123456789ABCDEF", "0123456789abcdef0", "0123456789abcdef\n", 1],
    ],
    [{ form: "sha256" }, ["0".repeat(64)], ["0".repeat(63), "A".repeat(64), `${"0".repeat(64)}\n`]],
    [{ form: "count", minimum: 1 }, [1, 2 ** 53 - 1], [0, -1, 1.5, Number.NaN, 2 ** 53, "1", 1n, true, [1]]],
    [{ form: "enum", values: ["a", "b"] }, ["a", "b"], ["c", "A", "", ["a"], undefined, 0]],
    [{ form: "flag" }, [true, false], ["true", 1, null]],
  ] as const)("%o accepts and refuses", (shape, good, bad) => {
    for (const value of good) expect(hasShape(shape, value)).toBe(true);
    for (const value of bad) expect(hasShape(shape, value)).toBe(false);
    expect(describeShape(shape)).toMatch(/\w/);
  });
});
