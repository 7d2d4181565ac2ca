/**
 * The configuration of one policy: what the deployment says about it, and how it is signed. An entry of a manifest
 * and the argument of `verifyPolicy` are the same object.
 *
 * @module
 */
import { POLICY_SOURCES, POLICY_TYPES, type PolicySource, type PolicyType } from "../attributes/registry.ts";
import { describeShape, hasShape } from "../attributes/shapes.ts";
import { ConfigReader } from "./config-reader.ts";
import { DEFAULT_MAX_BYTES } from "./files/policy-folder.ts";
import type { Prove } from "./formats/format.ts";
import { FORMATS, type FormatConfig } from "./formats/index.ts";
import { parseInstant } from "./instant.ts";
import { PolicyError } from "./policy-error.ts";

/** What the deployment says about a policy, whatever its format. */
export interface PolicyDescription {
  /** The policy's name in the deployment: 1 to 128 characters. Must equal the signed one where that is signed. */
  readonly id: string;
  /** What the policy restricts. */
  readonly type: PolicyType;
  /** The policy's version: 1 to 128 characters. Must equal the signed one where that is signed. */
  readonly version: string;
  /** Whether a run may not go on without the policy. */
  readonly required: boolean;
  /** Where the policy comes from. */
  readonly source: PolicySource;
  /** Path of the policy file, in the folder of the manifest or below it. */
  readonly file: string;
  /** Largest policy file that is read, in bytes. 1 MiB when left out, 64 MiB at most. */
  readonly maxBytes?: number;
  /** The scope that must be signed. A signed scope that is not configured is refused. */
  readonly scope?: string;
  /** First moment at which the policy is in force, as RFC 3339 date and time with a zone. */
  readonly notBefore?: string;
  /** Last moment at which the policy is in force. */
  readonly expiresAt?: string;
  /**
   * Whether the signature must cover id and version. When left out: yes for `yaml-sigil` and for statements (`dsse`,
   * `sigstore` with a `predicateType`), no for the formats that have no place for them.
   */
  readonly requireSignedMetadata?: boolean;
}

/** The configuration of one policy. */
export type PolicyConfig = PolicyDescription &
  FormatConfig & {
    /**
     * Asks the enforcer for the SHA-256 of the policy that it has loaded. Without it a binding says that the policy is
     * authentic, and nothing about whether anybody enforces it. Not in a manifest.
     */
    readonly confirmLoaded?: ConfirmLoaded;
  };

/** Gives the SHA-256 of the policy that the enforcer has loaded, as 64 hexadecimal characters. */
export type ConfirmLoaded = () => Promise<string>;

/** The configured values that signed metadata must equal. Times in milliseconds since the epoch. */
export interface PolicyExpectation {
  readonly id: string;
  readonly version: string;
  readonly type: PolicyType;
  readonly scope: string | undefined;
  readonly notBefore: number | undefined;
  readonly expiresAt: number | undefined;
}

/** A configuration that was read and found sound. */
export interface PreparedPolicy {
  readonly expected: PolicyExpectation;
  readonly required: boolean;
  readonly source: PolicySource;
  readonly file: string;
  readonly maxBytes: number;
  readonly requireSignedMetadata: boolean | undefined;
  readonly confirmLoaded: ConfirmLoaded | undefined;
  readonly prove: Prove;
}

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Reads an untrusted configuration. No file is touched.
 *
 * @throws PolicyError `config_invalid`, `format_unsupported`
 */
export function preparePolicy(config: unknown): PreparedPolicy {
  const fields = new ConfigReader(config, "the policy");
  const expected = {
    id: readId(fields, "id"),
    version: readId(fields, "version"),
    type: fields.oneOf("type", POLICY_TYPES),
    scope: fields.optionalText("scope"),
    notBefore: readInstant(fields, "notBefore"),
    expiresAt: readInstant(fields, "expiresAt"),
  };
  const prepared = {
    expected,
    required: fields.optionalFlag("required") ?? fields.refuse("required", "true or false"),
    source: fields.oneOf("source", POLICY_SOURCES),
    file: fields.text("file"),
    maxBytes: fields.optionalCount("maxBytes", MOST_BYTES) ?? DEFAULT_MAX_BYTES,
    requireSignedMetadata: fields.optionalFlag("requireSignedMetadata"),
    confirmLoaded: readConfirmation(fields),
    prove: prepareFormat(fields),
  };
  fields.finish();
  return prepared;
}

function prepareFormat(fields: ConfigReader): Prove {
  const name = fields.text("format");
  const format = FORMATS.find((one) => one.name === name);
  if (format === undefined) throw new PolicyError("format_unsupported");
  return format.prepare(fields);
}

function readId(fields: ConfigReader, name: string): string {
  const value = fields.text(name);
  return hasShape({ form: "id" }, value) ? value : fields.refuse(name, describeShape({ form: "id" }));
}

function readInstant(fields: ConfigReader, name: string): number | undefined {
  const value = fields.optionalText(name);
  if (value === undefined) return undefined;
  return parseInstant(value) ?? fields.refuse(name, "an RFC 3339 date and time with a zone");
}

function readConfirmation(fields: ConfigReader): ConfirmLoaded | undefined {
  const value = fields.take("confirmLoaded");
  if (value === undefined || typeof value === "function") return value as ConfirmLoaded | undefined;
  return fields.refuse("confirmLoaded", "a function");
}
