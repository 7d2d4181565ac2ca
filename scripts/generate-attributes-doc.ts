/** Writes docs/attributes.md from the registry; with `--check`, fails when the file is not what it would write. */
import { type AttributeDescription, DESCRIPTIONS } from "../src/attributes/descriptions.ts";
import {
  type AttributeRow,
  POLICY_BINDING_ATTRIBUTES,
  POLICY_BINDING_EVENT,
  SPAN_ATTRIBUTES,
} from "../src/attributes/registry.ts";
import { describeShape } from "../src/attributes/shapes.ts";
import { writeOrCheck } from "./write-or-check.ts";

const table = (rows: Record<string, AttributeRow>) =>
  [
    "| name | value | on | written | meaning |",
    "| --- | --- | --- | --- | --- |",
    ...Object.entries(rows).map(([name, row]) => {
      const { on, when, meaning } = (DESCRIPTIONS as Record<string, AttributeDescription>)[name]!;
      return `| \`${name}\` | ${value(row)} | ${on.join(", ")} | ${when} | ${meaning} |`;
    }),
  ].join("\n");

function value({ shape }: AttributeRow): string {
  if (shape.form === "enum") return shape.values.map((one) => `\`${one}\``).join(" ");
  const type = shape.form === "count" ? "int" : shape.form === "flag" ? "boolean" : "string";
  return `${type}: ${describeShape(shape)}`;
}

writeOrCheck(
  "docs/attributes.md",
  `<!-- Generated from src/attributes by npm run docs. Do not edit. -->

# Labels

Every label is written on a span that the framework made. No span is ever created, and no argument or result is ever
copied onto one.

${table(SPAN_ATTRIBUTES)}

## Event \`${POLICY_BINDING_EVENT}\`

One event per policy, on the agent root span, with all of these attributes. A delegated agent does not inherit the
bindings of the agent that called it.

${table(POLICY_BINDING_ATTRIBUTES)}

OpenTelemetry SDKs keep 128 events of a span and then drop the oldest: more than 128 policies on one span do not fit.

## Names that others write

\`trustabl.contract_id\`, \`trustabl.contract_hash\`, \`trustabl.agent.id\`, \`trustabl.bind.method\`, \`trustabl.verdict\` and
\`trustabl.constraint.*\` have other producers; this package never writes them. It fills \`gen_ai.tool.name\` where that can
be seen to be absent, and overwrites nothing.

In code the names are the constants of \`keys\`: \`keys.TOOL_INPUT_FP\`, \`keys.EXIT_REASONS\` and so on.
`,
);
