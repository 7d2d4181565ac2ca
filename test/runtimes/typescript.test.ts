import { describe, expect, it } from "vitest";
import { EXPECTED } from "./expected.ts";
import { cell } from "./support/cell.ts";
import { COMPILERS, compiled, forms, minor, sdks, versionOf } from "./support/consumers.ts";
import { run } from "./support/run.ts";

// Node.js 20 runs what comes out: what works there works on the newer ones.
describe.each(COMPILERS)("%s", (compiler) => {
  const row = `TypeScript ${minor(versionOf(compiler))}`;
  for (const sdk of sdks) {
    for (const form of forms) {
      it(
        `checks and compiles for ${form} with ${sdk}, and the result runs`,
        cell("typescript", row, `${form}, ${sdk}`),
        async () => {
          const place = await compiled(sdk, form, compiler);
          expect(JSON.parse(await run(process.execPath, [`${place}main.js`], place))).toEqual(EXPECTED);
        },
      );
    }
  }
});
