/** The bundlers, each as its own documents say for a platform. */
import { rmSync } from "node:fs";
import { build as esbuild } from "esbuild";
import { build as vite } from "vite";
import webpack from "webpack";
import { compiled, type Sdk } from "./consumers.ts";

/** Where a bundle runs: which file of the job starts there, and what the bundler is told. */
export const PLATFORMS = {
  node: { entry: "main.js", conditions: ["node"] },
  edge: { entry: "worker.js", conditions: ["workerd", "worker", "browser"] },
  browser: { entry: "page.js", conditions: ["browser"] },
} as const;
export type Platform = keyof typeof PLATFORMS;
export const platforms = Object.keys(PLATFORMS) as Platform[];

/** What workerd has of Node.js; with a prefix or without it. */
const BUILT_IN = /^(?:node:)?(?:async_hooks|events|crypto)$/;

interface Order {
  readonly entry: string;
  readonly platform: Platform;
  readonly conditions: readonly string[];
  /** The folder for `bundle.mjs`. */
  readonly folder: string;
}

/** Each makes one ES module. */
export const BUNDLERS = {
  esbuild: async ({ entry, platform, conditions, folder }: Order) => {
    await esbuild({
      entryPoints: [entry],
      outfile: `${folder}bundle.mjs`,
      bundle: true,
      format: "esm",
      minify: true,
      // As Cloudflare's own tool does it: packages made for browsers, and what there is of Node.js left to the worker.
      platform: platform === "edge" ? "browser" : platform,
      conditions: [...conditions, "import"],
      external: platform === "edge" ? ["async_hooks", "events", "node:*"] : [],
      // CommonJS packages in an ES module ask for Node's own modules with `require`.
      banner:
        platform === "node"
          ? {
              js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
            }
          : {},
      logLevel: "silent",
    });
  },
  vite: async ({ entry, platform, conditions, folder }: Order) => {
    await vite({
      configFile: false,
      logLevel: "error",
      root: folder,
      resolve: { conditions: [...conditions, "module", "import"] },
      ssr: {
        noExternal: true,
        target: platform === "node" ? "node" : "webworker",
        resolve: { conditions: [...conditions, "module", "import"] },
      },
      build: {
        ssr: platform === "browser" ? false : entry,
        outDir: folder,
        emptyOutDir: false,
        minify: true,
        target: "es2022",
        rolldownOptions: {
          input: entry,
          external: platform === "browser" ? [] : BUILT_IN,
          output: { entryFileNames: "bundle.mjs", format: "es" },
        },
      },
    });
  },
  webpack: ({ entry, platform, conditions, folder }: Order) =>
    new Promise<void>((resolve, reject) => {
      webpack(
        {
          mode: "production",
          entry,
          target:
            platform === "node"
              ? "node20"
              : platform === "edge"
                ? ["webworker", "es2022"]
                : ["web", "es2022"],
          output: {
            path: folder,
            filename: "bundle.mjs",
            module: true,
            library: { type: "module" },
            chunkFormat: "module",
          },
          experiments: { outputModule: true },
          resolve:
            platform === "node" ? {} : { conditionNames: [...conditions, "import", "module", "default"] },
          externals:
            platform === "edge"
              ? [
                  ({ request }: { request?: string }) =>
                    Promise.resolve(
                      BUILT_IN.test(request ?? "")
                        ? `module node:${request?.replace("node:", "")}`
                        : undefined,
                    ),
                ]
              : [],
          performance: false,
          // By far the slowest part, and the other two do it.
          optimization: { minimize: false },
        },
        (error, stats) => {
          if (error) reject(error);
          else if (stats?.hasErrors()) reject(new Error(stats.toString("errors-only")));
          else resolve();
        },
      );
    }),
};
export type Bundler = keyof typeof BUNDLERS;
export const bundlers = Object.keys(BUNDLERS) as Bundler[];

/** @returns the folder that holds `bundle.mjs`, and nothing that it could find a package in */
export async function bundled(bundler: Bundler, platform: Platform, sdk: Sdk): Promise<string> {
  const { entry, conditions } = PLATFORMS[platform];
  const source = await compiled(sdk, "bundler");
  const folder = `${source}${bundler}-${platform}/`;
  rmSync(folder, { recursive: true, force: true });
  await BUNDLERS[bundler]({ entry: `${source}${entry}`, platform, conditions, folder });
  return folder;
}
