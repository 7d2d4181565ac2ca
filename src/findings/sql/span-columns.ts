/**
 * The columns that are read off one span, in the order in which they build on each other.
 *
 * @module
 */
import { CAPTURED_CONTENT } from "../../attributes/captured-content.ts";
import { CONVENTIONS, type Convention } from "../../attributes/conventions.ts";
import { ERROR_CLASSES, EXIT_REASONS, SIDE_EFFECTS } from "../../attributes/registry.ts";
import { FAILED_OUTPUT_FP } from "../rows/rows-of-trace.ts";
import {
  attribute as a,
  count,
  firstOf,
  id,
  matching,
  oneOf,
  present,
  quoted,
  resource as r,
  word,
} from "./literals.ts";
import { NOT_RUN_SQL } from "./not-run.ts";
import { ROLE_SQL } from "./roles.ts";

type Column = readonly [name: string, sql: string];

/** The column that holds what one convention says. */
const columnOf = ({ id: convention }: Convention): string => `as_${convention.replaceAll(/\W/g, "_")}`;

const byConvention = (choose: (convention: Convention) => string): string =>
  `multiIf(\n${CONVENTIONS.map((one) => `  convention = ${quoted(one.id)}, ${choose(one)},`).join("\n")}\n  '')`;

function toolName({ toolName, toolNamePattern }: Convention): string {
  const inName =
    toolNamePattern === undefined ? [] : [`extract(SpanName, ${quoted(toolNamePattern.source)})`];
  return firstOf([...toolName.map(a), ...inName]);
}

// What frameworks write when capturing is off counts as nothing.
function result({ id: convention }: Convention): string {
  const kept = CAPTURED_CONTENT[convention].result.map((name) => {
    const off = [
      "__REDACTED__",
      "[REDACTED]",
      "<redacted>",
      "N/A",
      ...(name.startsWith("gcp.") ? ["{}"] : []),
    ];
    return `if(${a(name)} IN (${off.map(quoted).join(", ")}), '', ${a(name)})`;
  });
  return firstOf(kept);
}

const EVENT = "trustabl.policy.binding";
const field = (name: string): string => `e.2[${quoted(`${EVENT}.${name}`)}]`;
const SHA256 = "^[0-9a-f]{64}$";
const FINGERPRINT = "^[0-9a-f]{16}$";

const POLICIES = `arrayMap(
  e -> (${id(field("id"))}, ${word(field("type"))}, ${matching(field("sha256"), SHA256)}, ${id(field("version"))}),
  arraySlice(arrayFilter(e -> e.1 = ${quoted(EVENT)}, arrayZip(\`Events.Name\`, \`Events.Attributes\`)), 1, 128))`;

/** What each convention says the span is. */
export const CONVENTION_COLUMNS: readonly Column[] = CONVENTIONS.map(
  (one): Column => [columnOf(one), ROLE_SQL[one.id]],
);

/** The convention that knows the span: the first that says something. */
export const ROLE_COLUMNS: readonly Column[] = [
  [
    "convention",
    `multiIf(${CONVENTIONS.map((one) => `${columnOf(one)} != '', ${quoted(one.id)}`).join(", ")}, '')`,
  ],
  ["role", `multiIf(${CONVENTIONS.map((one) => `${columnOf(one)} != '', ${columnOf(one)}`).join(", ")}, '')`],
];

/** What is read off the span under its convention; then the labels, each in its form or empty. */
export const SPAN_COLUMNS: readonly Column[] = [
  ["trace_id", "TraceId"],
  ["span_id", "SpanId"],
  ["parent_id", "ParentSpanId"],
  ["span_name", "SpanName"],
  ["start", "toUnixTimestamp64Nano(Timestamp)"],
  ["tool", byConvention(toolName)],
  ["call_id", byConvention(({ callId }) => firstOf(callId.map(a)))],
  ["repeats", "convention = 'mcp' OR position(ScopeName, 'instrumentation-mcp') > 0"],
  ["is_error", "StatusCode IN ('Error', 'STATUS_CODE_ERROR')"],
  ["result", byConvention(result)],
  ["seems_not_run", `(${NOT_RUN_SQL.join(")\n  OR (")})`],
  ["own_run_id", id(a("trustabl.run_id"))],
  ["exit_reason", oneOf(a("trustabl.exit_reason"), EXIT_REASONS)],
  ["handoff_id", id(a("trustabl.handoff_id"))],
  ["step_index", count(a("trustabl.step_index"), 0)],
  ["attempt", count(a("trustabl.tool.attempt"), 1)],
  ["input_fp", matching(a("trustabl.tool.input_fp"), FINGERPRINT)],
  ["output_fp", matching(a("trustabl.tool.output_fp"), FINGERPRINT)],
  ["side_effect", oneOf(a("trustabl.tool.side_effect"), [...SIDE_EFFECTS, "none"])],
  ["error_class", oneOf(a("trustabl.tool.error_class"), ERROR_CLASSES)],
  [
    "failed",
    `is_error OR has(\`Events.Name\`, 'exception') OR ${a("error.type")} != '' OR error_class != '' OR output_fp = ${quoted(FAILED_OUTPUT_FP)}`,
  ],
  ["decision", present(a("trustabl.constraint.decision"))],
  ["constraint_kind", present(a("trustabl.constraint.kind"))],
  ["reason_code", present(a("trustabl.constraint.reason_code"))],
  ["data_class", present(a("trustabl.constraint.data_class"))],
  ["bundle_id", present(a("trustabl.policy.bundle_id"))],
  ["bundle_sha256", word(a("trustabl.policy.bundle_sha256"))],
  [
    "contract_id",
    firstOf(
      [
        a("trustabl.contract.id"),
        a("trustabl.contract_id"),
        r("trustabl.contract.id"),
        r("trustabl.contract_id"),
        r("service.name"),
      ].map(present),
    ),
  ],
  ["span_contract_hash", word(a("trustabl.contract.sha256"))],
  [
    "contract_hash",
    firstOf([
      "span_contract_hash",
      ...[a("trustabl.contract_hash"), r("trustabl.contract.sha256"), r("trustabl.contract_hash")].map(word),
    ]),
  ],
  ["agent_version", `${a("gen_ai.agent.version")} != ''`],
  ["policies", POLICIES],
  ["labelled", "input_fp != '' OR attempt IS NOT NULL OR step_index IS NOT NULL"],
  ["kind", "if(role = 'tool' OR (role = '' AND labelled), 'call', 'span')"],
  [
    "notable",
    "convention != '' OR arrayExists(x -> startsWith(x, 'trustabl.'), mapKeys(SpanAttributes)) OR arrayExists(x -> startsWith(x, 'trustabl.'), `Events.Name`)",
  ],
];
