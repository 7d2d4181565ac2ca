/**
 * What contracts cost: holding a call with five fields against one, allowed and refused, beside ajv and @cfworker/json-schema,
 * and defining a hundred.
 *
 * @module
 */
import { Validator } from "@cfworker/json-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import {
  type ContractDefinition,
  defineTools,
  type ObjectSchema,
  validateCall,
} from "../src/contracts/index.ts";
import { type Candidate, compare, type Effort, warmUp } from "./harness.ts";

const input = {
  type: "object",
  additionalProperties: false,
  required: ["title", "severity", "job_id"],
  properties: {
    title: { type: "string", minLength: 1, maxLength: 120 },
    severity: { enum: ["p1", "p2", "p3"] },
    job_id: { type: "string", pattern: "^[0-9]{1,12}$", maxLength: 12 },
    attempts: { type: "integer", minimum: 1, maximum: 9 },
    labels: { type: "array", maxItems: 5, items: { type: "string", maxLength: 20 } },
  },
} as const satisfies ObjectSchema;

const allowed = {
  title: "Tests fail on main",
  severity: "p2",
  job_id: "4711",
  attempts: 2,
  labels: ["ci", "flaky"],
};
const refused = { ...allowed, severity: "p4" };

const hundred: { [name: string]: ContractDefinition } = Object.fromEntries(
  Array.from({ length: 100 }, (_, index) => [
    `open_issue_${index}`,
    { description: "Opens an issue.", input },
  ]),
);

/** The tables, as Markdown. */
export function contractTable(effort: Effort): string {
  const tools = defineTools({ open_issue: { description: "Opens an issue.", input } });
  const compiled = new Ajv2020({ allErrors: true }).compile(input);
  const validator = new Validator(input as object, "2020-12", false);
  const candidates: Candidate[] = [
    { name: "validateCall", run: (value) => validateCall(tools, { name: "open_issue", arguments: value }) },
    { name: "ajv, compiled", run: (value) => compiled(value) },
    { name: "@cfworker/json-schema", run: (value) => validator.validate(value) },
  ];
  warmUp(candidates, [allowed, refused], effort);
  const rows = [allowed, refused].map((value) => compare(candidates, "validateCall", value, effort));
  const define: Candidate[] = [{ name: "defineTools, 100 contracts", run: () => defineTools(hundred) }];
  warmUp(define, [0], effort);
  const defined = compare(define, define[0]!.name, 0, effort)[0]!;
  const micros = (nanoseconds: number) => `${(nanoseconds / 1_000).toFixed(1)} µs`;
  return [
    "| a call with five fields | allowed | refused |",
    "| --- | --- | --- |",
    ...rows[0]!.map(
      ({ name, nanoseconds }, index) =>
        `| ${name} | ${micros(nanoseconds)} | ${micros(rows[1]![index]!.nanoseconds)} |`,
    ),
    "",
    `${defined.name}: ${(defined.nanoseconds / 1e6).toFixed(1)} ms`,
  ].join("\n");
}
