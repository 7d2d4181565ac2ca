// Installs and runs every suite under test/frameworks: real frameworks and SDKs, each with its own lock file.
// `npm run test:frameworks -- otel-sdk-3` runs the named ones only.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../test/frameworks/", import.meta.url));
const wanted = process.argv.slice(2);
const suites = readdirSync(folder).filter((name) => existsSync(`${folder}${name}/package.json`));
const unknown = wanted.filter((name) => !suites.includes(name));
if (unknown.length > 0) {
  console.error(`There is no suite ${unknown.join(", ")}; the suites are ${suites.join(", ")}.`);
  process.exit(2);
}

// A whole run keeps what it showed of each framework: scripts/scenario-reporter.ts.
const env = { ...process.env, SCENARIOS: "1" };
const failed = [];
for (const suite of wanted.length > 0 ? wanted : suites) {
  console.log(`\n== test/frameworks/${suite}`);
  const run = (...parameters) =>
    spawnSync("npm", parameters, { cwd: `${folder}${suite}`, stdio: "inherit", env }).status === 0;
  // An installation that is there is kept: `npm ci` would take it apart each time.
  const installed = existsSync(`${folder}${suite}/node_modules/.package-lock.json`) && !process.env.CI;
  if (!(installed || run("ci", "--no-fund", "--no-audit")) || !run("test")) failed.push(suite);
}
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(", ")}`);
  process.exit(1);
}
