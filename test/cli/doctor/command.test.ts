import { describe, expect, it } from "vitest";
import { folderWith } from "../support/folder.ts";
import { runMain } from "../support/run-main.ts";

const manifest = (version: string, dependencies: Record<string, string> = {}) =>
  JSON.stringify({ version, dependencies });
const application = (apiVersion: string, nested?: string) =>
  folderWith({
    "package.json": manifest("1.0.0", {
      "@opentelemetry/api": "1",
      "@opentelemetry/sdk-trace-base": "2",
      "agent-reliability-otel-labels": "1",
      tools: "1",
    }),
    "node_modules/@opentelemetry/sdk-trace-base/package.json": manifest("2.12.1"),
    "node_modules/agent-reliability-otel-labels/package.json": manifest("1.0.0"),
    "node_modules/@opentelemetry/api/package.json": manifest(apiVersion),
    "node_modules/tools/package.json": manifest("1.0.0", { "@opentelemetry/api": "1" }),
    ...(nested === undefined
      ? {}
      : { "node_modules/tools/node_modules/@opentelemetry/api/package.json": manifest(nested) }),
  });

describe("doctor", () => {
  it("succeeds where nothing is wrong", async () => {
    const { code, stdout, stderr } = await runMain(["doctor"], { cwd: application("1.9.1") });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("ok       One copy of @opentelemetry/api is installed");
    expect(stdout).toContain(
      "Nothing was found in the files and the environment that would make labels vanish.",
    );
    expect(stdout).toContain("--import ./telemetry.js");
  });

  it("says of a fault what, why, and how to fix it", async () => {
    const { code, stdout } = await runMain(["doctor"], { cwd: application("1.9.1", "1.10.0") });
    expect(code).toBe(1);
    expect(stdout).toContain("fault    2 copies of @opentelemetry/api are installed that do not get along.");
    expect(stdout).toContain("1.10.0  node_modules/tools/node_modules/@opentelemetry/api  used by tools");
    expect(stdout).toContain("1.9.1  node_modules/@opentelemetry/api  used by the application");
    expect(stdout).toMatch(/their labels and spans vanish/);
    expect(stdout).toMatch(/To fix it: .*npm dedupe/);
    expect(stdout).toMatch(/1 fault\n$/);
  });

  it("fails for warnings only when they count", async () => {
    const cwd = application("1.9.1", "1.9.0");
    const lenient = await runMain(["doctor"], { cwd });
    expect(lenient.code).toBe(0);
    expect(lenient.stdout).toMatch(/warning {2}2 copies[\s\S]*1 warning\n$/);
    expect((await runMain(["doctor", "--strict"], { cwd })).code).toBe(1);
  });

  it("prints one JSON object for --json", async () => {
    const cwd = application("1.9.1");
    const { code, stdout } = await runMain(["doctor", "--json"], { cwd, env: { OTEL_SDK_DISABLED: "true" } });
    expect(code).toBe(1);
    const { folder, verdict, judgements } = JSON.parse(stdout);
    expect([folder, verdict]).toEqual([cwd, "fail"]);
    expect(judgements.find(({ id }: { id: string }) => id === "tracing-enabled")).toMatchObject({
      outcome: "fault",
      faults: [{ level: "error", what: "OTEL_SDK_DISABLED is true." }],
    });
  });

  it("colours only for a terminal", async () => {
    const cwd = application("1.9.1");
    expect((await runMain(["doctor"], { cwd })).stdout).not.toContain("\u001b");
    expect((await runMain(["doctor"], { cwd, terminal: true })).stdout).toContain("\u001b[32m");
    expect((await runMain(["doctor", "--no-color"], { cwd, terminal: true })).stdout).not.toContain("\u001b");
  });

  it("cannot look where the package.json cannot be understood", async () => {
    for (const text of ["{ sk-live-123", "", "[]"]) {
      const { code, stdout, stderr } = await runMain(["doctor"], {
        cwd: folderWith({ "package.json": text }),
      });
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/package\.json is not one JSON object, so what is installed is not known\n$/);
      expect(stderr).not.toContain("sk-live");
    }
  });

  it("cannot look where there is no package.json", async () => {
    const { code, stderr } = await runMain(["doctor"], { cwd: "/" });
    expect([code, stderr]).toEqual([
      2,
      "otel-labels: there is no package.json here or above; start the doctor in the application's folder\n",
    ]);
  });
});
