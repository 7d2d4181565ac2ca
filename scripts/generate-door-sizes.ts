/**
 * Writes the sizes of the doors into README.md, as a bundler makes them of the source; with `--check`, fails when they
 * are others. Whole KB, rounded up, so that not every change of a line is one of the README.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { writeOrCheck } from "./write-or-check.ts";

const root = new URL("..", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const sourceOf = (path: string) =>
  fileURLToPath(new URL(path.replace("./dist/", "./src/").replace(/\.js$/, ".ts"), root));

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly imports: Readonly<Record<"#sha256", Readonly<Record<string, string>>>>;
}
const manifest = JSON.parse(read("package.json")) as Manifest;

/** @param names what is imported; everything when left out */
async function kilobytes(
  entry: string,
  where: "node" | "elsewhere",
  names = "*",
): Promise<number | undefined> {
  const sha256 = manifest.imports["#sha256"][where === "node" ? "node" : "default"] ?? "";
  try {
    const { outputFiles } = await build({
      stdin: {
        contents: `export ${names} from ${JSON.stringify(sourceOf(entry))}`,
        resolveDir: fileURLToPath(root),
      },
      bundle: true,
      minify: true,
      format: "esm",
      // "neutral" knows no Node.js modules: a door that needs one does not bundle.
      platform: where === "node" ? "node" : "neutral",
      mainFields: ["module", "main"],
      conditions: [where === "node" ? "node" : "worker", "import"],
      alias: { "#sha256": sourceOf(sha256) },
      external: ["@opentelemetry/*", "vitest"],
      write: false,
      logLevel: "silent",
    });
    return Math.ceil(gzipSync(outputFiles[0]?.contents ?? "").length / 1_024);
  } catch {
    return undefined;
  }
}

async function row(what: string, entry: string, names?: string): Promise<string> {
  const onNode = await kilobytes(entry, "node", names);
  const elsewhere = await kilobytes(entry, "elsewhere", names);
  if (onNode === undefined) throw new Error(`${what} cannot be bundled`);
  return `| ${what} | ${onNode} KB | ${elsewhere === undefined ? "-" : `${elsewhere} KB`} |`;
}

const LABEL_FUNCTIONS = "{ Run, markToolSpan, markRunEnd, markHandoff, bindAuthority, canonicalFp }";
const rows: string[] = [];
for (const [door, target] of Object.entries(manifest.exports)) {
  if (typeof target === "string") continue;
  rows.push(await row(`\`${door.slice(1) || "/"}\``, target.default));
  if (door === ".")
    rows.push(await row("`/`, the functions of the Python package alone", target.default, LABEL_FUNCTIONS));
}

const START = "<!-- sizes: written by npm run docs -->\n";
const END = "\n<!-- /sizes -->";
const readme = read("README.md");
const [before, rest] = readme.split(START);
const after = rest?.split(END)[1];
if (before === undefined || after === undefined)
  throw new Error("README.md has lost the marks of the table of sizes");
const table = ["| door | on Node.js | elsewhere |", "| --- | --- | --- |", ...rows].join("\n");
writeOrCheck("README.md", `${before}${START}\n${table}\n${END}${after}`);
