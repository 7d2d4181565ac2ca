// Runs the example test with vitest, with Node's own runner and with jest: `npm run build && node examples/testing/run.mjs`.
// Exits 1 when one of them fails. `node examples/testing/run.mjs vitest` runs the named ones only.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const jest = fileURLToPath(new URL("jest/", import.meta.url));

const run = (command, parameters, cwd = root) =>
  spawnSync(command, parameters, { cwd, stdio: "inherit" }).status === 0;

const runners = {
  vitest: () =>
    run(process.execPath, ["node_modules/vitest/vitest.mjs", "run", "--root", "examples/testing/vitest"]),
  "node-test": () =>
    run(process.execPath, ["--import", "tsx", "--test", "examples/testing/node-test/agent.test.ts"]),
  // Jest is large, so it has a package.json and a lock file of its own.
  jest: () =>
    (existsSync(`${jest}node_modules/.package-lock.json`) ||
      run("npm", ["ci", "--no-fund", "--no-audit"], jest)) &&
    run("npm", ["run", "--silent", "typecheck"], jest) &&
    run("npm", ["run", "--silent", "test"], jest),
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(runners);
const failed = wanted.filter((name) => !(Object.hasOwn(runners, name) && runners[name]()));
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(", ")}`);
  process.exit(1);
}
