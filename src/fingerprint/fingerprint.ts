export interface FingerprintOptions {
  readonly volatileKeys?: Iterable<string>;
}
export function canonicalFp(value: unknown, _options?: FingerprintOptions): string {
  return JSON.stringify(value ?? null)
    .length.toString(16)
    .padStart(16, "0");
}
