import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readOtlp, verify } from "../src/verify/index.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Rejects when the example exits with anything but 0. */
const run = async (example: string, endpoint = "") =>
  promisify(execFile)(process.execPath, ["--import", "tsx", `examples/${example}/main.ts`], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1", OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
  });
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
/** Run ids are random. */
const sameIds = (text: string) => text.replaceAll(/(trustabl\.run_id\s+)[0-9a-f]{16}/g, "$1<id>");

describe("the README", () => {
  const readme = read("README.md");

  it("shows the code of the first example, which is type-checked and run", () => {
    const [, region] =
      /\/\/ #region readme\n([\s\S]*?)\/\/ #endregion/.exec(read("examples/first-labels/main.ts")) ?? [];
    expect(region).toBeDefined();
    expect(readme).toContain(`\`\`\`ts\n${region}\`\`\``);
  });

  it("shows the labels that the first example really prints", async () => {
    const { stdout } = await run("first-labels");
    expect(sameIds(readme)).toContain(`\`\`\`text\n${sameIds(stdout)}\`\`\``);
  });
});

describe("the AI SDK example", () => {
  it("passes every check, with the labels that a reader expects", async () => {
    const { stdout } = await run("ai-sdk");
    expect(stdout).toContain("7 tool calls · final_answer");
    expect(stdout).toContain("3 policies");
    // The search that finds nothing, three times the same.
    for (const attempt of [1, 2, 3]) {
      expect(stdout).toMatch(new RegExp(`attempt ${attempt}  effect read  error empty  in c1baebf6`));
    }
    expect(stdout).toMatch(/ai\.toolCall get_fare \(failed\).*error 5xx/);
    expect(stdout).toContain("effect write");
    expect(stdout).toContain("pass: 11 passed, 1 not applicable");
  });

  it("sends its spans to a collector when it is told where one is", async () => {
    const bodies: Buffer[] = [];
    const server = createServer((request, response) => {
      request.on("data", (chunk: Buffer) => bodies.push(chunk));
      request.on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    try {
      await run("ai-sdk", `http://127.0.0.1:${port}`);
    } finally {
      server.close();
    }
    const { spans } = readOtlp(Buffer.concat(bodies).toString("utf8"));
    expect(verify(spans)).toMatchObject({ verdict: "pass", examined: { toolSpans: 7 } });
  });
});

describe("the example of signed policies", () => {
  it("binds the two that were verified, and says why not the third", async () => {
    const { stdout } = await run("policies");
    for (const id of ["egress", "content"]) {
      const bytes = readFileSync(new URL(`../examples/policies/deployment/${id}.yaml`, import.meta.url));
      expect(stdout).toContain(`verified  ${id}  ${createHash("sha256").update(bytes).digest("hex")}`);
    }
    expect(stdout).toContain("refused   tools  signature_invalid");
    expect(stdout).toContain("On the run's root span: egress, content\n");
  });

  it("is judged the same by the command line, which exits 1", async () => {
    const manifest = "examples/policies/deployment/policies.json";
    const failed = await promisify(execFile)(
      process.execPath,
      ["dist/cli/bin.js", "policies", "verify", manifest],
      {
        cwd: root,
      },
    ).catch((error: { code: number; stdout: string }) => error);
    expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining("2 verified, 1 failed") });
    expect(failed.stdout).toContain("signature_invalid");
    for (const id of ["egress", "content"]) {
      const bytes = readFileSync(new URL(`../examples/policies/deployment/${id}.yaml`, import.meta.url));
      expect(failed.stdout).toContain(createHash("sha256").update(bytes).digest("hex"));
    }
  });
});
