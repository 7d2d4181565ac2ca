import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { FORMATS } from "../../src/policies/formats/index.ts";
import { loadPolicies, POLICY_ERROR_CODES, verifyPolicy } from "../../src/policies/index.ts";
import { described, errorOf, temporaryFolder, write } from "./support/deployment.ts";

const SECRET = "hunter2-secret";
const folder = temporaryFolder();

/** Files that are wrong in many ways, each with the secret in it. */
const CONTENTS: Record<string, string> = {
  plain: SECRET,
  json: JSON.stringify({ [SECRET]: SECRET }),
  envelope: JSON.stringify({
    payload: SECRET,
    payloadType: SECRET,
    signatures: [{ sig: SECRET, keyid: SECRET }],
  }),
  bundle: JSON.stringify({
    mediaType: SECRET,
    dsseEnvelope: { [SECRET]: 1 },
    messageSignature: { [SECRET]: 1 },
  }),
  yaml: `${SECRET}: [\n---\nschema: ${SECRET}\nalg: ${SECRET}\nsignature: ${SECRET}\n`,
  keyring: JSON.stringify({ keys: [{ id: SECRET, public_key: SECRET, [SECRET]: SECRET }] }),
  pem: `-----BEGIN PUBLIC KEY-----\n${Buffer.from(SECRET).toString("base64")}\n-----END PUBLIC KEY-----\n`,
  ssh: `-----BEGIN SSH SIGNATURE-----\n${Buffer.from(SECRET).toString("base64")}\n-----END SSH SIGNATURE-----\n`,
  minisign: `untrusted comment: ${SECRET}\n${SECRET}\ntrusted comment: ${SECRET}\n${SECRET}\n`,
};
for (const [file, text] of Object.entries(CONTENTS)) write(folder, file, text);
const KEYS = { keys: [{ id: "release", public_key: "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=" }] };

const everything = (value: unknown): string =>
  [
    String(value),
    inspect(value, { depth: Infinity, showHidden: true }),
    JSON.stringify(value),
    (value as Error).stack,
  ]
    .join("\n")
    // The stack names this project's own files.
    .replaceAll(folder, "");

describe("no error holds anything that was read", () => {
  it.each(FORMATS.map(({ name }) => name))(
    "with %s and files that are wrong in many ways",
    async (format) => {
      for (const file of Object.keys(CONTENTS)) {
        for (const trust of [
          KEYS,
          { keyring: file },
          { publicKey: file },
          { trustedRoot: file, identity: SECRET, issuer: SECRET },
          { [SECRET]: SECRET },
        ]) {
          const config = { ...described, file, signature: file, format, trust, scope: SECRET };
          for (const more of [{}, { predicateType: SECRET }, { namespace: SECRET }, { [SECRET]: SECRET }]) {
            const { signature, ...signedInside } = config;
            for (const complete of [config, signedInside]) {
              const error = await errorOf(verifyPolicy({ ...complete, ...more } as never, { folder }));
              expect(Object.keys(POLICY_ERROR_CODES)).toContain((error as { code: string }).code);
              expect((error as { code: string }).code).not.toBe("unexpected");
              expect(everything(error)).not.toContain(SECRET);
              expect((error as Error).cause).toBeUndefined();
            }
          }
        }
      }
    },
  );

  it("nor a failure in a manifest", async () => {
    const entries = Object.keys(CONTENTS).map((file) => ({
      ...described,
      file,
      format: SECRET,
      [SECRET]: SECRET,
    }));
    write(folder, "policies.json", JSON.stringify({ policies: [...entries, { id: `${SECRET}\n` }, SECRET] }));
    const { failed } = await loadPolicies(`${folder}/policies.json`);
    expect(failed).toHaveLength(entries.length + 2);
    expect(everything(failed)).not.toContain(SECRET);
    write(folder, "policies.json", JSON.stringify({ [SECRET]: SECRET, policies: [] }));
    expect(everything(await errorOf(loadPolicies(`${folder}/policies.json`)))).not.toContain(SECRET);
  });

  it("nor the path of a file that is missing or outside", async () => {
    for (const file of [SECRET, `../${SECRET}`, `/${SECRET}`]) {
      const config = { ...described, file, signature: "plain", format: "ed25519", trust: KEYS } as const;
      expect(everything(await errorOf(verifyPolicy(config, { folder })))).not.toContain(SECRET);
    }
  });
});
