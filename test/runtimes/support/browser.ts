/** Running ES modules in headless Chromium: Debian's package `chromium`, or the program that CHROMIUM names. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LONGEST_MILLISECONDS = 120_000;

/** Opens a page with the module, and answers with what the page posts. */
export async function askPage(bundle: string): Promise<unknown> {
  let received: (text: string) => void = () => {};
  const result = new Promise<string>((resolve) => {
    received = resolve;
  });
  const server = createServer((request, response) => {
    if (request.method === "POST") {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        received(body);
        response.end();
      });
    } else if (request.url === "/bundle.mjs") {
      response.setHeader("content-type", "text/javascript; charset=utf-8");
      response.end(readFileSync(bundle));
    } else {
      response.setHeader("content-type", "text/html");
      // Nothing is made from text, and nothing is fetched from anywhere else.
      response.setHeader("content-security-policy", "default-src 'self'");
      response.end('<!doctype html><title>job</title><script type="module" src="/bundle.mjs"></script>');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const profile = mkdtempSync(join(tmpdir(), "otel-labels-browser-"));
  const chromium = spawn(
    process.env.CHROMIUM ?? "chromium",
    [
      "--headless",
      // Chromium has no sandbox for root, as which containers run.
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--disable-background-networking",
      "--no-first-run",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    ],
    // A group of its own: it has many processes.
    { stdio: "ignore", detached: true },
  );
  const ended = new Promise<never>((_resolve, reject) => {
    chromium.once("error", () =>
      reject(new Error("there is no chromium; install it (apt-get install chromium) or name it in CHROMIUM")),
    );
    chromium.once("exit", (code) =>
      reject(new Error(`chromium ended with ${code} before the page was done`)),
    );
    setTimeout(() => reject(new Error("the page did not answer")), LONGEST_MILLISECONDS).unref();
  });
  ended.catch(() => {});
  try {
    return JSON.parse(await Promise.race([result, ended]));
  } finally {
    if (chromium.pid !== undefined) {
      const gone = new Promise((resolve) => chromium.once("exit", resolve));
      try {
        process.kill(-chromium.pid, "SIGKILL");
        await gone;
      } catch {
        // It has ended by itself.
      }
    }
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
