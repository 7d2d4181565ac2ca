/** Running an ES module in workerd, the runtime of Cloudflare's workers. */
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { folder } from "./consumers.ts";

const LONGEST_MILLISECONDS = 120_000;

/** Starts a worker, asks it once, and ends it. */
export async function askWorker(bundle: string): Promise<unknown> {
  const place = dirname(bundle);
  writeFileSync(
    join(place, "worker.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [( name = "main", worker = .main )],
  sockets = [( name = "http", address = "127.0.0.1:0", http = (), service = "main" )]
);
const main :Workerd.Worker = (
  modules = [( name = "${basename(bundle)}", esModule = embed "${basename(bundle)}" )],
  compatibilityDate = "2026-01-01",
  compatibilityFlags = ["nodejs_compat"]
);
`,
  );
  // The third file descriptor is where workerd tells the port that it took.
  const child = spawn(`${folder}node_modules/.bin/workerd`, ["serve", "worker.capnp", "--control-fd=3"], {
    cwd: place,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), LONGEST_MILLISECONDS);
  try {
    const answer = await fetch(`http://127.0.0.1:${await portOf(child)}/`, {
      signal: AbortSignal.timeout(LONGEST_MILLISECONDS),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the worker answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let printed = "";
    let told = "";
    child.stderr?.on("data", (chunk) => {
      printed += chunk;
    });
    child.stdio[3]?.on("data", (chunk) => {
      told += chunk;
      const port = /"event":"listen".*?"port":(\d+)/.exec(told)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`workerd ended with ${code}: ${printed}`)));
  });
}
