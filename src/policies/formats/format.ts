/**
 * What a signature format is: a name for the configuration, and a way to prove a file.
 *
 * @module
 */
import type { ConfigReader } from "../config-reader.ts";
import type { PolicyFolder } from "../files/policy-folder.ts";
import type { SignedMetadata } from "../signed-metadata.ts";

/** The file to prove, and what a format may use for it. */
export interface ProofInput {
  /** The policy file, read once. */
  readonly artifact: Uint8Array;
  /** SHA-256 of the same bytes: 64 lower-case hexadecimal characters. */
  readonly sha256: string;
  /** Path of the policy file in `folder`, for formats that look at its neighbours. */
  readonly path: string;
  readonly folder: PolicyFolder;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What a valid signature covers. */
export interface Proof {
  /** The signed part of the file, where that is not all of it. */
  readonly signedBytes?: Uint8Array;
  readonly metadata?: SignedMetadata;
  /** Whether files of this kind say which policy and version they are. They must, unless configured otherwise. */
  readonly metadataExpected?: boolean;
  /** Files that belong to the policy, verified: path below the policy file's folder, and bytes. */
  readonly members?: ReadonlyMap<string, Uint8Array>;
}

/** Proves one file, or throws a `PolicyError`. */
export type Prove = (input: ProofInput) => Promise<Proof>;

export interface SignatureFormat {
  /** The value of `format` in the configuration. */
  readonly name: string;
  /**
   * Takes this format's own fields from the configuration of one policy. Nothing is read from disk yet, so that a
   * wrong configuration is found before any file.
   */
  prepare(config: ConfigReader): Prove;
}
