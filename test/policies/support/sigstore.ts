/** A certificate authority, a transparency log and a signer, on this machine only. */
import { createHash, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { bundleToJSON } from "@sigstore/bundle";
import { fulcioHandler, initializeCA, initializeCTLog, initializeTLog, rekorHandler } from "@sigstore/mock";
import { DSSEBundleBuilder, FulcioSigner, MessageSignatureBundleBuilder, RekorWitness } from "@sigstore/sign";
import { afterAll } from "vitest";

export interface SigstoreInstance {
  /** The trusted root as JSON. */
  readonly trustedRoot: TrustedRootJson;
  signFile(data: Buffer, identity?: SignerIdentity): Promise<Record<string, unknown>>;
  signStatement(data: Buffer, type: string, identity?: SignerIdentity): Promise<Record<string, unknown>>;
}

interface TrustedRootJson {
  mediaType: string;
  tlogs: object[];
  certificateAuthorities: { validFor: { start: string; end?: string } }[];
  ctlogs: object[];
  timestampAuthorities: object[];
}

export interface SignerIdentity {
  readonly email?: string;
  readonly issuer?: string;
}

export const IDENTITY = "policy-signer@example.com";
export const ISSUER = "https://issuer.example.com";

const keyPair = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const base64 = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString("base64");

/** Starts an instance of its own, on the loopback address, until the test file is done. */
export async function startSigstore(): Promise<SigstoreInstance> {
  const logUrl = "http://log.example.com";
  const certificateLog = await initializeCTLog(keyPair());
  const authority = await initializeCA(keyPair(), certificateLog);
  const log = await initializeTLog(logUrl, keyPair());
  const certify = fulcioHandler(authority, { strict: true }).fn;
  const record = rekorHandler(log, { strict: true }).fn;

  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", async () => {
      const answer = await (request.url?.includes("signingCert") ? certify : record)(body);
      response.writeHead(answer.statusCode, { "content-type": answer.contentType ?? "application/json" });
      response.end(answer.response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const parts = ({ email = IDENTITY, issuer = ISSUER }: SignerIdentity) => ({
    signer: new FulcioSigner({
      fulcioBaseURL: baseUrl,
      identityProvider: { getToken: async () => identityToken(email, issuer) },
    }),
    // The log of the mock keeps an entry as it was proposed; of a `dsse` entry a real one would keep other fields.
    witnesses: [new RekorWitness({ rekorBaseURL: baseUrl, fetchOnConflict: false, entryType: "intoto" })],
  });

  const start = new Date(Date.now() - 3_600_000).toISOString();
  const logEntry = (publicKey: Uint8Array, baseUrlOfLog: string, keyId: string) => ({
    baseUrl: baseUrlOfLog,
    hashAlgorithm: "SHA2_256",
    logId: { keyId },
    publicKey: { rawBytes: base64(publicKey), keyDetails: "PKIX_ECDSA_P256_SHA_256", validFor: { start } },
  });
  const logPublicKey = Buffer.from(log.publicKey);
  return {
    trustedRoot: {
      mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
      tlogs: [logEntry(logPublicKey, logUrl, createHash("sha256").update(logPublicKey).digest("base64"))],
      certificateAuthorities: [
        {
          subject: { organization: "example", commonName: "example" },
          uri: baseUrl,
          certChain: { certificates: [{ rawBytes: base64(authority.rootCertificate) }] },
          validFor: { start },
        } as never,
      ],
      ctlogs: [logEntry(Buffer.from(certificateLog.publicKey), "ct", base64(certificateLog.logID))],
      timestampAuthorities: [],
    },
    async signFile(data, identity = {}) {
      const bundle = await new MessageSignatureBundleBuilder(parts(identity)).create({ data });
      return bundleToJSON(bundle) as unknown as Record<string, unknown>;
    },
    async signStatement(data, type, identity = {}) {
      const bundle = await new DSSEBundleBuilder(parts(identity)).create({ data, type });
      return bundleToJSON(bundle) as unknown as Record<string, unknown>;
    },
  };
}

function identityToken(email: string, iss: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { iss, sub: email, email, email_verified: true, aud: "sigstore", exp: 9e9 };
  return `${part({ alg: "none" })}.${part(claims)}.signature`;
}
