/** OTLP JSON as tests build and change it. */
import { readFileSync } from "node:fs";

export interface OtlpAttribute {
  key: string;
  value: Record<string, unknown>;
}

export interface OtlpEvent {
  name: string;
  timeUnixNano?: string;
  attributes?: OtlpAttribute[];
}

export interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano?: string;
  endTimeUnixNano?: string;
  attributes?: OtlpAttribute[];
  events?: OtlpEvent[];
  status?: { code?: number | string; message?: string };
  droppedAttributesCount?: number;
  droppedEventsCount?: number;
}

export interface OtlpExport {
  resourceSpans: {
    resource?: { attributes?: OtlpAttribute[] };
    scopeSpans: { scope?: { name?: string }; spans: OtlpSpan[] }[];
  }[];
}

/** A recorded export of the folder test/fixtures/otlp, as a copy that may be changed. */
export function fixture(name: string): OtlpExport {
  return JSON.parse(fixtureText(name)) as OtlpExport;
}

export function fixtureText(name: string): string {
  return readFileSync(new URL(`../../fixtures/otlp/${name}.json`, import.meta.url), "utf8");
}

/** Every span with its scope. The spans are those of the export: changing one changes the export. */
export function spansOf(otlp: OtlpExport): { span: OtlpSpan; scope: string | undefined }[] {
  return otlp.resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) => spans.map((span) => ({ span, scope: scope?.name }))),
  );
}

export function attributesOf(span: { attributes?: OtlpAttribute[] | undefined }): Record<string, unknown> {
  return Object.fromEntries((span.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]));
}

export function setAttribute(
  holder: { attributes?: OtlpAttribute[] },
  key: string,
  value: string | number | boolean | Record<string, unknown>,
): void {
  removeAttribute(holder, key);
  const typed =
    typeof value === "object"
      ? value
      : typeof value === "string"
        ? { stringValue: value }
        : typeof value === "boolean"
          ? { boolValue: value }
          : { intValue: value };
  holder.attributes = [...(holder.attributes ?? []), { key, value: typed }];
}

export function removeAttribute(holder: { attributes?: OtlpAttribute[] }, key: string | RegExp): void {
  holder.attributes = (holder.attributes ?? []).filter((attribute) =>
    typeof key === "string" ? attribute.key !== key : !key.test(attribute.key),
  );
}

/** An export of one scope. */
export function exportOf(spans: OtlpSpan[], scope = "app"): OtlpExport {
  return { resourceSpans: [{ scopeSpans: [{ scope: { name: scope }, spans }] }] };
}

export function copyOf<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
