/**
 * Writes the reference of the package into out/api, a page for each door of `exports`; with `--check`, writes nothing. Fails
 * when something that a door exports, or a member of it, has no docstring, or a link of a docstring leads nowhere.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Application, LogLevel } from "typedoc";
import { undocumentedOf } from "./undocumented.mjs";

const repository = new URL("../../", import.meta.url);
const path = (relative) => fileURLToPath(new URL(relative, repository));
const { name, exports } = JSON.parse(readFileSync(path("package.json"), "utf8"));

const doors = Object.entries(exports)
  .filter(([, entry]) => typeof entry !== "string")
  .map(([door, entry]) => ({
    specifier: name + door.slice(1),
    source: entry.default.replace("./dist/", "").replace(/\.js$/, ""),
  }));

const app = await Application.bootstrap({
  name,
  entryPoints: doors.map(({ source }) => path(`src/${source}.ts`)),
  tsconfig: path("scripts/api-reference/tsconfig.json"),
  readme: path("README.md"),
  out: path("out/api"),
  // Where the repository is to be read is not known here.
  disableSources: true,
  excludePrivate: true,
  excludeInternal: true,
  hideGenerator: true,
  validation: { notExported: false, invalidLink: true, rewrittenLink: true, notDocumented: false },
  treatValidationWarningsAsErrors: true,
  logLevel: LogLevel.Warn,
});

const project = await app.convert();
if (project === undefined) process.exit(2);

// Modules are called by how they are imported; TypeDoc calls them by their files.
for (const { specifier, source } of doors) {
  const modules = project.children.filter((one) => one.name === source.replace(/\/index$/, ""));
  if (modules.length !== 1) throw new Error(`no module was found for ${specifier}`);
  modules[0].name = specifier;
}

const undocumented = project.children.flatMap(undocumentedOf);
for (const name of undocumented) app.logger.error(`${name} has no docstring`);

app.validate(project);
if (!process.argv.includes("--check")) await app.generateOutputs(project);
process.exitCode = app.logger.hasErrors() || app.logger.hasWarnings() ? 1 : 0;
