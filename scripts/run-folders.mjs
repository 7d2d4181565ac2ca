// Installs, type-checks and runs every folder that has a package and a lock file of its own: the suites on real
// frameworks, and the examples. `npm run test:frameworks -- otel-sdk-3` runs the named ones only.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [parent, script, ...wanted] = process.argv.slice(2);
const folders = readdirSync(`${root}${parent}`).filter((name) =>
  existsSync(`${root}${parent}/${name}/package.json`),
);
const unknown = wanted.filter((name) => !folders.includes(name));
if (unknown.length > 0) {
  console.error(`${parent} has no ${unknown.join(", ")}; it has ${folders.join(", ")}.`);
  process.exit(2);
}

// A whole run keeps what it showed of each framework: scripts/scenario-reporter.ts.
const env = { ...process.env, SCENARIOS: "1" };
const compiler = `${root}node_modules/typescript/bin/tsc`;
const failed = [];
for (const name of wanted.length > 0 ? wanted : folders) {
  const cwd = `${root}${parent}/${name}`;
  console.log(`\n== ${parent}/${name}`);
  const run = (...command) =>
    spawnSync(command[0], command.slice(1), { cwd, stdio: "inherit", env }).status === 0;
  // An installation of a suite that is there is kept: `npm ci` would take it apart each time. An example has a copy of this
  // package in it, which has to be the newest.
  const kept = script === "test" && !process.env.CI && existsSync(`${cwd}/node_modules/.package-lock.json`);
  const installed = kept || run("npm", "ci", "--no-fund", "--no-audit");
  if (!installed || !run(process.execPath, compiler, "-p", ".") || !run("npm", "run", "--silent", script))
    failed.push(name);
}
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(", ")}`);
  process.exit(1);
}
