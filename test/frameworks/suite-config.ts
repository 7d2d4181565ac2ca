/** What every suite's vitest.config.ts has in common. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ViteUserConfig } from "vitest/config";

const root = new URL("../../", import.meta.url);
const file = (path: string) => fileURLToPath(new URL(path, root));

/** What a suite may add. */
interface SuiteSettings {
  readonly env?: Readonly<Record<string, string>>;
  readonly testTimeout?: number;
}

/**
 * Runs the tests of the folder that holds `configUrl` on the source of the package, and on the OpenTelemetry packages of
 * that folder: the source would otherwise take the root's own copies, and two copies of the API see no active span.
 */
export function suiteConfig(configUrl: string, settings: SuiteSettings = {}): ViteUserConfig {
  const folder = fileURLToPath(new URL(".", configUrl));
  return {
    resolve: { alias: [...doors(), ...openTelemetry(folder)] },
    test: {
      ...settings,
      include: ["*.test.ts"],
      root: folder,
      reporters: ["default", file("scripts/closing-line-reporter.ts"), file("scripts/scenario-reporter.ts")],
    },
  };
}

type Alias = { find: RegExp; replacement: string };

const exactly = (name: string) => new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);

function doors(): Alias[] {
  const { name, exports } = JSON.parse(readFileSync(file("package.json"), "utf8"));
  const aliases = Object.entries<{ default?: string }>(exports).flatMap(([door, { default: built }]) => {
    const source = built?.replace("./dist/", "src/").replace(/\.js$/, ".ts");
    return source === undefined
      ? []
      : [{ find: exactly(door.replace(".", name)), replacement: file(source) }];
  });
  return [{ find: exactly("#sha256"), replacement: file("src/fingerprint/sha256/node.ts") }, ...aliases];
}

function openTelemetry(folder: string): Alias[] {
  const installed = `${folder}node_modules/@opentelemetry/`;
  const names = existsSync(installed) ? readdirSync(installed) : [];
  return names.map((name) => ({
    find: exactly(`@opentelemetry/${name}`),
    replacement: `${installed}${name}`,
  }));
}
