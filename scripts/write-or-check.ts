/** A generated file is either written or, with `--check`, compared with what would be written. */
import { readFileSync, writeFileSync } from "node:fs";

export function writeOrCheck(path: string, text: string): void {
  const file = new URL(`../${path}`, import.meta.url);
  if (!process.argv.includes("--check")) {
    writeFileSync(file, text);
    console.log(`${path} written`);
    return;
  }
  if (readFileSync(file, "utf8") !== text) {
    console.error(`${path} is not what the code says: run "npm run docs" and commit the result`);
    process.exitCode = 1;
  }
}
