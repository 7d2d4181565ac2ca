/** Runs every generator of this folder: `npm run docs`, or with `--check` `npm run docs:check`. */
import { readdirSync } from "node:fs";

for (const file of readdirSync(new URL(".", import.meta.url)).sort()) {
  if (file.startsWith("generate-") && file.endsWith(".ts")) await import(`./${file}`);
}
