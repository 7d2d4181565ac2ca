import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FORMATS } from "../../src/policies/formats/index.ts";
import { loadPolicies, POLICY_ERROR_CODES } from "../../src/policies/index.ts";
import { preparePolicy } from "../../src/policies/policy-config.ts";
import { temporaryFolder, write } from "./support/deployment.ts";
import { run } from "./support/tools.ts";

const document = readFileSync(new URL("../../docs/policies.md", import.meta.url), "utf8");
/** The contents of the code blocks that are opened with just this line. */
const blocks = (opening: string): string[] =>
  [...document.matchAll(new RegExp(`^\`\`\`${opening}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    (found) => found[1] ?? "",
  );

describe("docs/policies.md", () => {
  it("has commands and a manifest that go together: what they sign verifies", async () => {
    const folder = temporaryFolder();
    for (const name of ["egress", "content", "tools", "retention"])
      write(folder, `${name}.yaml`, `${name}: {}\n`);
    for (const commands of blocks("sh")) run("bash", ["-euo", "pipefail", "-c", commands], folder);
    write(folder, "policies.json", blocks("json manifest")[0] ?? "");
    const clock = () => Date.parse("2026-12-01T00:00:00Z");
    const { verified, failed } = await loadPolicies(join(folder, "policies.json"), { clock });
    expect(failed).toEqual([]);
    expect(verified.map(({ id, metadataSigned }) => [id, metadataSigned])).toEqual([
      ["egress", false],
      ["content", false],
      ["tools", false],
      ["retention", true],
    ]);
  });

  it("has an example of every format, and each is a configuration that is taken", () => {
    const manifest = JSON.parse(blocks("json manifest")[0] ?? "") as { policies: { format: string }[] };
    const examples = [...manifest.policies, ...blocks("json policy").map((text) => JSON.parse(text))];
    for (const example of examples) expect(preparePolicy(example).file).toEqual(expect.any(String));
    expect(examples.map(({ format }) => format).sort()).toEqual(FORMATS.map(({ name }) => name).sort());
  });

  it("lists every code with its meaning, in the order of the source", () => {
    const table = document.slice(document.indexOf("| code | meaning |"), document.indexOf("## Limits"));
    const rows = [...table.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, code, meaning]) => [code, meaning]);
    expect(rows).toEqual(Object.entries(POLICY_ERROR_CODES));
  });

  it("names every field of a policy's description", () => {
    for (const field of ["id", "type", "version", "required", "source", "file", "maxBytes", "scope"]) {
      expect(document).toMatch(new RegExp(`^\\| .*\`${field}\``, "m"));
    }
    for (const field of ["notBefore", "expiresAt", "requireSignedMetadata", "format", "trust"]) {
      expect(document).toMatch(new RegExp(`^\\| .*\`${field}\``, "m"));
    }
  });
});
