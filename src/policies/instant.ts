/**
 * Points in time as RFC 3339 writes them, and windows of validity.
 *
 * `Date.parse` alone takes dates without a zone and reads them in the zone of the machine; a policy would then
 * expire at another time on another machine.
 *
 * @module
 */
const RFC_3339 = /^\d{4}-(\d{2})-(\d{2})T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** From and to, both included, in milliseconds since the epoch. A side that is left out is open. */
export interface Window {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** Milliseconds since the epoch; `undefined` when the value is not an RFC 3339 date and time with a zone. */
export function parseInstant(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const match = RFC_3339.exec(value);
  if (match === null) return undefined;
  const instant = Date.parse(value);
  // `Date.parse` turns the 31st of February into the 3rd of March.
  const day = new Date(Date.UTC(Number(value.slice(0, 4)), Number(match[1]) - 1, Number(match[2])));
  return Number.isNaN(instant) || day.getUTCDate() !== Number(match[2]) ? undefined : instant;
}

/** Where `now` lies. A clock that does not tell the time is outside every window. */
export function placeIn(window: Window, now: number): "inside" | "before" | "after" {
  if (window.from !== undefined && !(now >= window.from)) return "before";
  if (window.to !== undefined && !(now <= window.to)) return "after";
  return "inside";
}
