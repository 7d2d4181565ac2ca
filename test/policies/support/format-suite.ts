/** What every format must hold against, run on real signed files. */
import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import {
  isVerifiedPolicy,
  type PolicyConfig,
  type PolicyErrorCode,
  type VerifiedPolicy,
  verifyPolicy,
} from "../../../src/policies/index.ts";
import { codeOf, flip, read, temporaryFolder, write } from "./deployment.ts";
import { sha256 } from "./openssl.ts";
import { whileReading } from "./while-reading.ts";

/** A correctly signed policy in a folder of its own. */
export interface SignedPolicy {
  readonly config: PolicyConfig;
  /** The file that holds the signature. The policy file itself for a format that signs inside. */
  readonly signatureFile: string;
  /** Where in that file each single byte counts: the signature proper. From, and up to but not including. */
  readonly signatureBytes: readonly [number, number];
  /** Where in the policy file each single byte counts. All of it when left out. */
  readonly fileBytes?: readonly [number, number];
  /** The `trust` of a signer who is not trusted. */
  readonly strangersTrust: PolicyConfig["trust"];
  /** The signer's public key, for keyrings. Left out where there is no key but an identity. */
  readonly publicKey?: string;
}

/** What the suite expects of a format. */
export interface FormatFacts {
  readonly sign: (folder: string) => SignedPolicy | Promise<SignedPolicy>;
  /** Codes for a policy file with one byte changed: one, or those that it is one of. */
  readonly changedFile?: readonly PolicyErrorCode[];
  /** Code for a signer who is not trusted. */
  readonly stranger?: PolicyErrorCode;
  /** Whether the signature covers id and version. */
  readonly signsMetadata?: boolean;
  /** Whether a key signs, as opposed to an identity. */
  readonly keyed?: boolean;
  /** How often the property about single bytes runs. Fewer for slow formats. */
  readonly runs?: number;
}

/** Runs the suite. `signed` gives the folder and the policy to further tests of the format. */
export function describeFormat(
  name: string,
  {
    sign,
    changedFile = ["signature_invalid"],
    stranger = "signature_invalid",
    signsMetadata = false,
    keyed = true,
    runs = 150,
  }: FormatFacts,
): { folder: string; policy: () => SignedPolicy } {
  const folder = temporaryFolder();
  let policy: SignedPolicy;
  let file: string;
  beforeAll(async () => {
    policy = await sign(folder);
    file = policy.config.file;
  });

  const verify = (changes: object = {}, options: object = {}): Promise<VerifiedPolicy> =>
    verifyPolicy({ ...policy.config, ...changes } as PolicyConfig, { folder, ...options });

  /** Verifies with a file changed, and puts it back. */
  const verifyWith = async (
    changed: string,
    content: Uint8Array,
    changes: object = {},
  ): Promise<VerifiedPolicy> => {
    const original = read(folder, changed);
    write(folder, changed, content);
    try {
      return await verify(changes);
    } finally {
      write(folder, changed, original);
    }
  };

  describe(`a policy signed as ${name}`, () => {
    it("verifies, and its hash is the one that OpenSSL computes", async () => {
      const verified = await verify();
      expect(isVerifiedPolicy(verified)).toBe(true);
      expect(verified.sha256).toBe(sha256(folder, file));
      expect(Buffer.from(verified.bytes)).toEqual(read(folder, file));
      expect(verified).toMatchObject({ id: "egress", type: "sandbox", version: "3.1.0", required: true });
      expect(verified.metadataSigned).toBe(signsMetadata);
    });

    it("does not verify with one byte of the file changed", async () => {
      const [from, to] = policy.fileBytes ?? [0, read(folder, file).length];
      const changed = flip(read(folder, file), from + Math.floor((to - from) / 2));
      expect(changedFile).toContain(await codeOf(verifyWith(file, changed)));
    });

    it("does not verify with any one byte of the file or the signature changed to any other value", async () => {
      const [start, end] = policy.signatureBytes;
      const [from, to] = policy.fileBytes ?? [0, read(folder, file).length];
      const place = fc.oneof(
        fc.record({
          changed: fc.constant(policy.signatureFile),
          at: fc.integer({ min: start, max: end - 1 }),
        }),
        fc.record({ changed: fc.constant(file), at: fc.integer({ min: from, max: to - 1 }) }),
      );
      await fc.assert(
        fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async ({ changed, at }, by) => {
          await codeOf(verifyWith(changed, flip(read(folder, changed), at, by)));
        }),
        { numRuns: runs },
      );
    });

    it("does not verify with the signature cut off at any of many places", async () => {
      const whole = read(folder, policy.signatureFile);
      const [start, end] = policy.signatureBytes;
      for (let part = 0; part < 12; part++) {
        const length = start + Math.floor(((end - start - 1) * part) / 12);
        await codeOf(verifyWith(policy.signatureFile, whole.subarray(0, length)));
      }
      await codeOf(verifyWith(policy.signatureFile, new Uint8Array(0)));
    });

    it("does not verify with something of the file cut off or added", async () => {
      const whole = read(folder, file);
      const [from, to] = policy.fileBytes ?? [0, whole.length];
      const replaced = (start: number, end: number, by: string) =>
        Buffer.concat([whole.subarray(0, start), Buffer.from(by), whole.subarray(end)]);
      await codeOf(verifyWith(file, replaced(to - 1, to, "")));
      await codeOf(verifyWith(file, replaced(from, from + 1, "")));
      await codeOf(verifyWith(file, replaced(to, to, "#")));
      await codeOf(verifyWith(file, replaced(from, from, "#")));
      await codeOf(verifyWith(file, replaced(0, whole.length, "")));
    });

    it("does not verify with a signer whom the deployment does not trust", async () => {
      expect(await codeOf(verify({ trust: policy.strangersTrust }))).toBe(stranger);
    });

    it("is refused above the size limit, the policy file as well as the signature", async () => {
      const { length } = read(folder, file);
      expect(await codeOf(verify({ maxBytes: length - 1 }))).toBe("too_large");
      expect((await verify({ maxBytes: length })).id).toBe("egress");
      const padding = Buffer.alloc(1024 * 1024 + 1, "#");
      expect(await codeOf(verifyWith(policy.signatureFile, padding))).toBe("too_large");
    });

    it("is refused when a symbolic link leads out of the folder, the policy file as well as the signature", async () => {
      const outside = temporaryFolder();
      for (const linked of new Set([file, policy.signatureFile])) {
        const content = read(folder, linked);
        const away = join(outside, "moved");
        write(outside, "moved", content);
        rmSync(join(folder, linked));
        symlinkSync(away, join(folder, linked));
        expect(await codeOf(verify())).toBe("outside_folder");
        rmSync(join(folder, linked));
        write(folder, linked, content);
      }
      expect((await verify()).id).toBe("egress");
    });

    it("is bound as it was read when the file is replaced between check and use", async () => {
      const original = read(folder, file);
      const swap = () => {
        write(folder, "evil", "egress: {allow: ['*']}\n");
        renameSync(join(folder, "evil"), join(folder, file));
      };
      try {
        const verified = await whileReading(swap, () => verify());
        expect(Buffer.from(verified.bytes)).toEqual(original);
        expect(read(folder, file)).not.toEqual(original);
        expect(verified.sha256).not.toBe(sha256(folder, file));
      } finally {
        write(folder, file, original);
      }
    });

    if (signsMetadata) {
      it("does not verify as another policy or another version than the signed one", async () => {
        expect(await codeOf(verify({ id: "other" }))).toBe("metadata_mismatch");
        expect(await codeOf(verify({ version: "3.1.1" }))).toBe("metadata_mismatch");
      });
    } else {
      it("does not verify where the configuration asks for signed metadata", async () => {
        expect(await codeOf(verify({ requireSignedMetadata: true }))).toBe("metadata_missing");
      });
    }
  });

  if (keyed)
    describe(`a key that signs as ${name}`, () => {
      const withWindow = (window: object) => ({
        trust: { keys: [{ id: "signer", public_key: policy.publicKey, ...window }] },
      });

      it("is trusted inside its window only", async () => {
        const window = { not_before: "2026-01-01T00:00:00Z", not_after: "2026-12-31T23:59:59Z" };
        const at = (time: string) => verify(withWindow(window), { clock: () => Date.parse(time) });
        expect((await at("2026-06-01T00:00:00Z")).id).toBe("egress");
        expect((await at("2026-12-31T23:59:59Z")).id).toBe("egress");
        expect(await codeOf(at("2027-01-01T00:00:00Z"))).toBe("key_expired");
        expect(await codeOf(at("2025-12-31T23:59:59Z"))).toBe("key_not_yet_valid");
      });

      it("is found among others, whatever their order", async () => {
        const others = { id: "other", public_key: "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=" };
        const signer = { id: "signer", public_key: policy.publicKey };
        expect((await verify({ trust: { keys: [others, signer] } })).id).toBe("egress");
        expect((await verify({ trust: { keys: [signer, others] } })).id).toBe("egress");
      });
    });

  return { folder, policy: () => policy };
}
