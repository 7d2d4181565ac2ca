import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startOtlpReceiver } from "../../src/otlp-receiver/index.ts";
import { type Binary, buildBinary, REPOSITORY } from "./support/binary.ts";
import { folderWith } from "./support/folder.ts";

const FIXTURES = join(REPOSITORY, "test/cli/fixtures");
const APP = `node "${join(FIXTURES, "app.mjs")}"`;
const LISTENING = /http:\/\/127\.0\.0\.1:(\d+)/;

let binary: Binary;
beforeAll(() => {
  binary = buildBinary();
}, 120_000);
afterAll(() => binary.remove());

/** Runs the fixture's application against a receiver that is there already. */
async function runApp(url: string, env: Record<string, string> = {}): Promise<void> {
  const app = spawn(process.execPath, [join(FIXTURES, "app.mjs")], {
    env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: url, ...env },
    stdio: "ignore",
  });
  await once(app, "exit");
}

const EXPORT = JSON.stringify({
  resourceSpans: [
    {
      scopeSpans: [
        { spans: [{ traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", name: "s" }] },
      ],
    },
  ],
});

describe("the built program", { timeout: 60_000 }, () => {
  it("starts with a line that lets a shell run it", () => {
    expect(readFileSync(binary.path, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it("shows its help, and ends with 2 for an option that there is not", async () => {
    expect((await binary.run(["--help"])).code).toBe(0);
    expect(await binary.run(["verify", "--fly"])).toEqual({
      code: 2,
      stdout: "",
      stderr: "otel-labels: there is no option --fly; otel-labels verify --help lists them\n",
    });
  });

  it("reads standard input to its end, also when it is compressed", async () => {
    for (const stdin of [EXPORT, gzipSync(EXPORT)]) {
      const { code, stdout } = await binary.run(["verify", "-", "--format", "json"], { stdin });
      expect([code, JSON.parse(stdout).examined.spans]).toEqual([2, 1]);
    }
  });

  it("does not break when nobody reads its output", async () => {
    const { child, ended } = binary.start(["verify", "--help"]);
    child.stdout.destroy();
    expect((await ended).stderr).toBe("");
  });

  // The device that is always full is Linux's.
  describe.runIf(existsSync("/dev/full"))("on a full disk", () => {
    const run = (redirection: string, ...argv: string[]) =>
      spawnSync("sh", ["-c", `"$@" ${redirection}`, "sh", process.execPath, binary.path, ...argv], {
        input: EXPORT,
        encoding: "utf8",
      });

    it("gives no verdict that nobody was told, and says why in one sentence", () => {
      for (const argv of [["--help"], ["verify", "-"], ["verify", "-", "--format", "json"]]) {
        const { status, stderr } = run(">/dev/full", ...argv);
        const [line] = stderr.split("\n").filter((text) => text.startsWith("otel-labels"));
        expect([status, line]).toEqual([
          2,
          "otel-labels: standard output cannot be written: the disk is full",
        ]);
        expect(stderr).not.toMatch(/ at /);
      }
    });

    it("keeps its exit code when it cannot say more", () => {
      expect(run("2>/dev/full", "verify", "--fly").status).toBe(2);
      expect(run("2>/dev/full", "fingerprint").status).toBe(0);
    });
  });

  describe("verify --exec", () => {
    it.each([
      ["JSON", {}],
      ["JSON with gzip", { APP_GZIP: "1" }],
      ["protobuf", { APP_EXPORTER: "proto" }],
      ["protobuf with gzip", { APP_EXPORTER: "proto", APP_GZIP: "1" }],
    ])("checks what a program exports as %s", async (_name, env) => {
      const { code, stdout, stderr } = await binary.run(["verify", "--exec", APP], { env });
      expect(stdout).toContain("hello from the app");
      expect(stdout).toMatch(/\npass: .*; 2 spans, 1 tool call, 1 run\n$/);
      expect(stderr).toMatch(
        /^Receiving OTLP\/HTTP at http:\/\/127\.0\.0\.1:\d+ while the program runs\.\n$/,
      );
      expect(code).toBe(0);
    });

    it("keeps standard output for the report when a program reads it", async () => {
      const { code, stdout, stderr } = await binary.run(["verify", "--format", "json", "--exec", APP]);
      expect(JSON.parse(stdout).verdict).toBe("pass");
      expect(stderr).toContain("hello from the app");
      expect(stderr).toMatch(/\npass: .*\n$/);
      expect(code).toBe(0);
    });

    it("never passes for a program whose spans have no labels", async () => {
      const { code, stdout } = await binary.run(["verify", "--exec", APP], { env: { APP_UNLABELLED: "1" } });
      expect(stdout).toMatch(/nothing to check: .*\nthere are tool spans, but no label on any span/);
      expect(code).toBe(2);
    });

    it("says that the program failed, and fails", async () => {
      const { code, stdout } = await binary.run(["verify", "--exec", APP], { env: { APP_EXIT_CODE: "7" } });
      expect(stdout).toContain("the program ended with exit code 7");
      expect(stdout).toMatch(/\nfail: /);
      expect(code).toBe(1);
    });

    it("says that a program could not be run", async () => {
      const { code, stdout } = await binary.run(["verify", "--exec", "no-such-program-anywhere"]);
      expect(stdout).toContain("the program could not be run (exit code 127): is its name right?");
      expect(code).toBe(2);
    });

    it("overrules variables that would send the spans elsewhere, or as gRPC", async () => {
      const env = {
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:9/v1/traces",
        OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
      };
      const { code } = await binary.run(["verify", "--exec", APP], {
        env,
      });
      expect(code).toBe(0);
    });

    it("fails when an export went to a path where nothing is received", async () => {
      const { code, stdout } = await binary.run(["verify", "--exec", APP], { env: { APP_PATH: "/wrong" } });
      expect(stdout).toContain("nothing is received at this path");
      expect(code).toBe(2);
    });

    it("ends a program that stays when no more spans come, and everything that it started", async () => {
      const argv = ["verify", "--idle", "300ms", "--exec", `${APP}; echo never`];
      const { code, stdout } = await binary.run(argv, { env: { APP_STAYS: "1" } });
      expect(stdout).toMatch(/\npass: /);
      expect(stdout).not.toContain("never");
      expect(code).toBe(0);
    });

    it("passes a signal on, and gives the verdict when the program has ended", async () => {
      const running = binary.start(["verify", "--exec", APP], { env: { APP_STAYS: "1" } });
      await once(running.child.stdout, "data");
      await sleep(500);
      running.child.kill("SIGINT");
      const { code, stdout } = await running.ended;
      expect(stdout).toMatch(/\npass: /);
      expect(code).toBe(0);
    });
  });

  describe("verify --listen", () => {
    it("gives the verdict on Ctrl-C, with the exports of every client in it", async () => {
      const running = binary.start(["verify", "--listen", "0"]);
      const [url = ""] = await running.says(LISTENING);
      await Promise.all([runApp(url), runApp(url, { APP_EXPORTER: "proto", APP_GZIP: "1" })]);
      running.child.kill("SIGINT");
      const { code, stdout, stderr } = await running.ended;
      expect(stderr).toContain("Ctrl-C gives the verdict.");
      // Two roots say that they are one run, since the fixture's run id is always the same.
      expect(stdout).toMatch(/; 4 spans, 2 tool calls, 1 run\n/);
      expect(code).toBe(1);
    });

    it("gives the verdict after a silence, and waits for the first spans", async () => {
      const running = binary.start(["verify", "--listen", "0", "--idle", "200ms", "--format", "json"]);
      const [url = ""] = await running.says(LISTENING);
      await sleep(600);
      expect(running.child.exitCode).toBe(null);
      await runApp(url);
      const { code, stdout } = await running.ended;
      expect([code, JSON.parse(stdout).verdict]).toEqual([0, "pass"]);
    });

    it("says that nothing came", async () => {
      const running = binary.start(["verify", "--listen", "0", "--format", "json"]);
      await running.says(LISTENING);
      running.child.kill("SIGTERM");
      const { code, stdout, stderr } = await running.ended;
      expect([code, JSON.parse(stdout).nothing]).toEqual([2, "no-spans"]);
      expect(stderr).toMatch(/nothing to check: /);
    });

    it("takes in fifty clients at the same time", async () => {
      const running = binary.start(["verify", "--listen", "0", "--format", "json"]);
      const [url] = await running.says(LISTENING);
      const responses = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          fetch(`${url}/v1/traces`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: EXPORT.replace("b7ad6b71692033", `b7ad6b71692${String(index).padStart(3, "0")}`),
          }),
        ),
      );
      expect(responses.every(({ status }) => status === 200)).toBe(true);
      running.child.kill("SIGINT");
      expect(JSON.parse((await running.ended).stdout).examined.spans).toBe(50);
    });

    it("warns of a client that stopped half way, and goes on", async () => {
      const running = binary.start(["verify", "--listen", "0", "--format", "json"]);
      const [url = "", port] = await running.says(LISTENING);
      const socket = connect(Number(port), "127.0.0.1");
      socket.write(
        "POST /v1/traces HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{",
      );
      await sleep(100);
      socket.destroy();
      await runApp(url);
      running.child.kill("SIGINT");
      const { code, stdout } = await running.ended;
      const { verdict, incomplete, problems } = JSON.parse(stdout);
      expect([code, verdict, incomplete]).toEqual([0, "pass", true]);
      expect(problems).toEqual([expect.objectContaining({ code: "cut-off", level: "warning" })]);
    });

    it("fails for a body over the limit, since its spans are lost", async () => {
      const running = binary.start(["verify", "--listen", "0", "--format", "json"]);
      const [url = ""] = await running.says(LISTENING);
      const large = await fetch(`${url}/v1/traces`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: Buffer.alloc(17 * 1024 * 1024, " "),
      });
      expect(large.status).toBe(413);
      await runApp(url);
      running.child.kill("SIGINT");
      const { code, stdout } = await running.ended;
      expect([code, JSON.parse(stdout).problems[0].code]).toEqual([1, "too-large"]);
    });

    it("tells the exporter, and the report, of spans that it did not take", async () => {
      const running = binary.start(["verify", "--listen", "0", "--format", "json"]);
      const [url = ""] = await running.says(LISTENING);
      const response = await fetch(`${url}/v1/traces`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: EXPORT.replace("b7ad6b7169203331", ""),
      });
      expect(await response.json()).toMatchObject({ partialSuccess: { rejectedSpans: "1" } });
      running.child.kill("SIGINT");
      expect(JSON.parse((await running.ended).stdout).problems[0].code).toBe("span-without-ids");
    });

    it("says that the port is in use, and what to do", async () => {
      const other = await startOtlpReceiver({ port: 0, onTraces: () => undefined });
      const { code, stdout, stderr } = await binary.run(["verify", "--listen", String(other.port)]);
      await other.close();
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toBe(
        `otel-labels: another program is using 127.0.0.1:${other.port}; choose another port with --listen PORT (0 takes a free one)\n`,
      );
    });
  });

  describe("verify --output", () => {
    it("writes the file whole, and leaves nothing beside it", async () => {
      const cwd = folderWith({ "report.html": "the report of yesterday" });
      const argv = ["verify", "--exec", APP, "--format", "html", "--output", "report.html"];
      const { code, stdout, stderr } = await binary.run(argv, { cwd });
      expect([code, stdout]).toEqual([0, "hello from the app\n"]);
      expect(stderr).toMatch(/\npass: .*\n$/);
      expect(readdirSync(cwd)).toEqual(["report.html"]);
      expect(readFileSync(join(cwd, "report.html"), "utf8")).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    });

    it("writes to a device, and does not replace it", async () => {
      const { code } = await binary.run(["verify", "--exec", APP, "--output", "/dev/null"]);
      expect([code, statSync("/dev/null").isCharacterDevice()]).toEqual([0, true]);
    });
  });

  describe("doctor --import", () => {
    const look = async (fault: string, ...argv: string[]) => {
      const setUp = join(FIXTURES, "telemetry.mjs");
      const outcome = await binary.run(["doctor", "--json", "--import", setUp, ...argv], {
        cwd: REPOSITORY,
        env: { TELEMETRY: fault },
      });
      const found = outcome.stdout === "" ? [] : JSON.parse(outcome.stdout).judgements;
      const running = ["registered-api-copy", "provider", "context-manager", "running-limits"];
      return {
        ...outcome,
        faults: found
          .filter(
            ({ id, outcome }: { id: string; outcome: string }) => running.includes(id) && outcome !== "ok",
          )
          .map(({ id }: { id: string }) => id),
      };
    };

    it("finds nothing wrong with a set-up as it should be, and keeps its output apart", async () => {
      const { faults, stderr } = await look("");
      expect(faults).toEqual([]);
      expect(stderr).toBe("the set-up prints to standard output\n");
    });

    it.each([
      ["nothing", ["provider", "context-manager"]],
      ["no-context", ["context-manager"]],
      ["off", ["provider"]],
      ["limits", ["running-limits"]],
    ])("finds what is wrong with a set-up (%s)", async (fault, expected) => {
      const { code, faults } = await look(fault);
      expect(faults).toEqual(expected);
      expect(code).toBe(1);
    });

    it("says how a file is named, where its name alone was given", async () => {
      const cwd = folderWith({ "package.json": "{}", "telemetry.mjs": "" });
      const sentence = (stderr: string) => stderr.trimEnd().split("\n").at(-1);
      const { code, stderr } = await binary.run(["doctor", "--import", "telemetry.mjs"], { cwd });
      expect(code).toBe(2);
      expect(sentence(stderr)).toBe(
        "otel-labels: the set-up could not be loaded: it ended with exit code 1; a file is named with ./ before it, as for node --import: ./telemetry.mjs",
      );
      const other = await binary.run(["doctor", "--import", "./nothing.mjs"], { cwd });
      expect(sentence(other.stderr)).toMatch(/it ended with exit code 1$/);
    });

    it("cannot look when the set-up cannot be loaded", async () => {
      const { code, stdout, stderr } = await look("throws");
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/otel-labels: the set-up could not be loaded: it ended with exit code 1\n$/);
    });
  });
});
