/** The two applications that have the package installed, and what the compilers make of the job in them. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import { run } from "./run.ts";

export const folder = fileURLToPath(new URL("..", import.meta.url));

/** Lines of the OpenTelemetry SDK, by the folder of the application that is on it. */
export const SDKS = { "SDK 2": "otel-2", "SDK 3": "otel-3" } as const;
export type Sdk = keyof typeof SDKS;
export const sdks = Object.keys(SDKS) as Sdk[];

/** What is committed of an application: its package.json, its lock file and its SDK. */
export const committed = (sdk: Sdk): string => `${folder}consumers/${SDKS[sdk]}/`;

/** What a TypeScript program is written as. */
export const FORMS = {
  "nodenext, ESM": { type: "module", module: "nodenext", moduleResolution: "nodenext" },
  "nodenext, CommonJS": { type: "commonjs", module: "nodenext", moduleResolution: "nodenext" },
  bundler: { type: "module", module: "esnext", moduleResolution: "bundler" },
} as const;
export type Form = keyof typeof FORMS;
export const forms = Object.keys(FORMS) as Form[];

/** Compilers, by the folder that they are installed in. */
export const COMPILERS = ["typescript-7", "typescript-5"] as const;
export type Compiler = (typeof COMPILERS)[number];

export function versionOf(name: string): string {
  return JSON.parse(readFileSync(`${folder}node_modules/${name}/package.json`, "utf8")).version;
}

/** `20.20.2` as `20.20`: a patch release is not another row. */
export const minor = (version: string): string => version.split(".").slice(0, 2).join(".");

/**
 * Type-checks and compiles the job as an application on `sdk` would, once in a run of the tests.
 *
 * @returns the folder of the compiled `main.js`, `worker.js` and `page.js`
 */
export async function compiled(sdk: Sdk, form: Form, compiler: Compiler = "typescript-7"): Promise<string> {
  const { type, ...resolution } = FORMS[form];
  const place = `${inject("applications")}/${SDKS[sdk]}/${compiler}-${form.replaceAll(/\W+/g, "-")}/`;
  if (existsSync(`${place}out/main.js`)) return `${place}out/`;
  mkdirSync(place, { recursive: true });
  for (const name of readdirSync(`${folder}program`)) cpSync(`${folder}program/${name}`, `${place}${name}`);
  cpSync(`${committed(sdk)}sdk.ts`, `${place}sdk.ts`);
  writeFileSync(`${place}package.json`, JSON.stringify({ type }));
  writeFileSync(
    `${place}tsconfig.json`,
    JSON.stringify({
      compilerOptions: {
        ...resolution,
        target: "es2022",
        lib: ["es2023"],
        types: ["node"],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        rewriteRelativeImportExtensions: true,
        noEmitOnError: true,
        rootDir: ".",
        outDir: "out",
      },
      include: ["*.ts"],
    }),
  );
  await run(process.execPath, [`${folder}node_modules/${compiler}/bin/tsc`, "-p", place], place);
  return `${place}out/`;
}
