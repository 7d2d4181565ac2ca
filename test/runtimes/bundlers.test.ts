import { describe, expect, it } from "vitest";
import { EXPECTED } from "./expected.ts";
import { askPage } from "./support/browser.ts";
import { type Bundler, bundled, bundlers, type Platform, platforms } from "./support/bundlers.ts";
import { cell } from "./support/cell.ts";
import { folder, minor, sdks, versionOf } from "./support/consumers.ts";
import { run } from "./support/run.ts";
import { askWorker } from "./support/workerd.ts";

const NAMES: Readonly<Record<Bundler, string>> = { esbuild: "esbuild", vite: "Vite", webpack: "webpack" };

const RUN: Readonly<Record<Platform, { where: string; bundle: (path: string) => Promise<unknown> }>> = {
  node: {
    where: "Node.js",
    bundle: async (path) => JSON.parse(await run(`${folder}node_modules/node-24/bin/node`, [path], "/")),
  },
  edge: { where: "workerd", bundle: askWorker },
  browser: { where: "Chromium", bundle: askPage },
};

describe.each(bundlers)("%s", (bundler) => {
  const row = `${NAMES[bundler]} ${minor(versionOf(bundler))}`;
  for (const platform of platforms) {
    const { where, bundle } = RUN[platform];
    for (const sdk of sdks) {
      it(
        `makes one file that does the job in ${where} with ${sdk}`,
        cell("bundlers", row, `${where}, ${sdk}`),
        async () => {
          const place = await bundled(bundler, platform, sdk);
          expect(await bundle(`${place}bundle.mjs`)).toEqual(EXPECTED);
        },
      );
    }
  }
});
