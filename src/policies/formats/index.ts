/**
 * The formats that this package verifies. A new one is a file in this folder and two lines here.
 *
 * @module
 */
import { type CosignConfig, cosign } from "./cosign.ts";
import { type DsseConfig, dsse } from "./dsse.ts";
import { type Ed25519Config, ed25519 } from "./ed25519.ts";
import type { SignatureFormat } from "./format.ts";
import { type MinisignConfig, minisign } from "./minisign.ts";
import { type OpaConfig, opa } from "./opa.ts";
import { type SigstoreConfig, sigstore } from "./sigstore.ts";
import { type SshsigConfig, sshsig } from "./sshsig.ts";
import { type YamlSigilConfig, yamlSigil } from "./yaml-sigil.ts";

export const FORMATS: readonly SignatureFormat[] = [
  ed25519,
  dsse,
  cosign,
  yamlSigil,
  sigstore,
  opa,
  sshsig,
  minisign,
];

/** The part of a policy's configuration that its format decides. */
export type FormatConfig =
  | Ed25519Config
  | DsseConfig
  | CosignConfig
  | YamlSigilConfig
  | SigstoreConfig
  | OpaConfig
  | SshsigConfig
  | MinisignConfig;
