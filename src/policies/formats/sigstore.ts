/**
 * `sigstore`: a keyless bundle, verified offline against a given trusted root, for exactly one identity of exactly
 * one issuer.
 *
 * @module
 */
import type { Bundle } from "@sigstore/bundle";
import type { Signer, TrustMaterial } from "@sigstore/verify";
import type { ConfigReader } from "../config-reader.ts";
import { loadOptional } from "../optional-package.ts";
import { PolicyError } from "../policy-error.ts";
import { decodeBase64, decodeJson } from "../text.ts";
import type { Proof, SignatureFormat } from "./format.ts";
import { readPolicyStatement } from "./in-toto.ts";

/** A policy with a Sigstore bundle: signed by an identity, not by a key. */
export interface SigstoreConfig {
  readonly format: "sigstore";
  /** Path of the bundle (`.sigstore.json`). */
  readonly signature: string;
  readonly trust: {
    /** Path of the trusted root (`trusted_root.json`). Nothing is fetched. */
    readonly trustedRoot: string;
    /** The certificate's subject alternative name, compared exactly: an e-mail address or a workflow's URL. */
    readonly identity: string;
    /** The OpenID Connect issuer that vouched for the identity, compared exactly. */
    readonly issuer: string;
  };
  /** Set for a bundle that holds a signed in-toto statement: its exact `predicateType`. */
  readonly predicateType?: string;
}

const loadPeers = async () => ({
  ...(await loadOptional("@sigstore/bundle", () => import("@sigstore/bundle"))),
  ...(await loadOptional("@sigstore/verify", () => import("@sigstore/verify"))),
  ...(await loadOptional("@sigstore/protobuf-specs", () => import("@sigstore/protobuf-specs"))),
});
type Peers = Awaited<ReturnType<typeof loadPeers>>;

export const sigstore: SignatureFormat = {
  name: "sigstore",
  prepare(config) {
    const bundlePath = config.text("signature");
    const predicateType = config.optionalText("predicateType");
    const { trustedRoot, identity, issuer } = readTrust(config.nested("trust"));
    return async ({ artifact, sha256, folder }) => {
      const peers = await loadPeers();
      const bundle = parseBundle(peers, await folder.read(bundlePath, "the signature"));
      const root = parseRoot(peers, await folder.read(trustedRoot, "the trusted root"));
      const signer = verifyBundle(peers, root, bundle, artifact);
      // Not the library's own policy argument: there an identity is a regular expression without anchors, and one
      // that is left out, or empty, matches everybody.
      const { subjectAlternativeName, extensions } = signer.identity ?? {};
      if (subjectAlternativeName !== identity || extensions?.issuer !== issuer) {
        throw new PolicyError("identity_mismatch");
      }
      return readContent(bundle, predicateType, sha256);
    };
  },
};

function readTrust(trust: ConfigReader): SigstoreConfig["trust"] {
  const fields = {
    trustedRoot: trust.text("trustedRoot"),
    identity: trust.text("identity"),
    issuer: trust.text("issuer"),
  };
  trust.finish();
  return fields;
}

function parseBundle({ bundleFromJSON }: Peers, file: Uint8Array): Bundle {
  const bundle = attempt(() => {
    const document = decodeJson(file);
    return isSpeltOneWay(document as SignatureTexts) ? bundleFromJSON(document) : undefined;
  });
  if (bundle === undefined) throw new PolicyError("signature_malformed");
  // A bundle made with a key has no identity to compare. `dsse` and `cosign` read those.
  if (bundle.verificationMaterial.content.$case === "publicKey") throw new PolicyError("format_unsupported");
  return bundle;
}

interface SignatureTexts {
  readonly messageSignature?: { readonly signature?: unknown };
  readonly dsseEnvelope?: {
    readonly payload?: unknown;
    readonly signatures: readonly { readonly sig?: unknown }[];
  };
}

// The library reads base64 leniently, so that several texts would be one signature.
function isSpeltOneWay({ messageSignature, dsseEnvelope }: SignatureTexts): boolean {
  const texts = [
    messageSignature?.signature,
    dsseEnvelope?.payload,
    ...(dsseEnvelope?.signatures ?? []).map(({ sig }) => sig),
  ];
  return texts.every((text) => text === undefined || decodeBase64(text, "base64") !== undefined);
}

function parseRoot({ TrustedRoot, toTrustMaterial }: Peers, file: Uint8Array): TrustMaterial {
  const root = attempt(() => toTrustMaterial(TrustedRoot.fromJSON(decodeJson(file))));
  if (root === undefined) throw new PolicyError("trust_root_invalid");
  return root;
}

// The library's own thresholds stay: one log entry, one certificate timestamp, one time. With none of them a
// certificate that expired minutes after signing could not be judged at all.
function verifyBundle(
  { Verifier, toSignedEntity }: Peers,
  root: TrustMaterial,
  bundle: Bundle,
  file: Uint8Array,
): Signer {
  try {
    return new Verifier(root).verify(toSignedEntity(bundle, Buffer.from(file)));
  } catch (error) {
    throw new PolicyError("signature_invalid", failedPart((error as { code?: unknown }).code));
  }
}

// The library's messages quote the certificate, so only the kind of its error is passed on.
function failedPart(code: unknown): string | undefined {
  if (code === "CERTIFICATE_ERROR") {
    return "The certificate does not lead to the trusted root, or was not valid when the log saw it.";
  }
  return typeof code === "string" && /^(TLOG|TIMESTAMP)_/.test(code)
    ? "The transparency log in the trusted root does not vouch for it."
    : undefined;
}

function readContent(bundle: Bundle, predicateType: string | undefined, sha256: string): Proof {
  if (bundle.content.$case === "messageSignature") {
    if (predicateType !== undefined) throw new PolicyError("predicate_mismatch");
    return {};
  }
  // A statement's signature covers the statement. Whether it is about this file is still to be seen.
  if (predicateType === undefined) throw new PolicyError("predicate_mismatch");
  const metadata = readPolicyStatement(bundle.content.dsseEnvelope, predicateType, sha256);
  return { metadata, metadataExpected: true };
}

function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
