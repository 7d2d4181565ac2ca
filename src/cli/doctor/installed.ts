/**
 * What is installed, found the way Node finds it: from the application's package.json along every dependency.
 * Nothing is loaded. Walking along dependencies, and not through folders, tells who gets which copy, and it is the
 * same for npm's nested folders, pnpm's links and workspaces.
 *
 * @module
 */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { isObject } from "../../verify/json-data.ts";
import type { InstalledFacts, InstalledPackage, PackageCopy } from "./facts.ts";
import { SDK_PACKAGES } from "./sdk-packages.ts";

const API = "@opentelemetry/api";
const LABELS = "agent-reliability-otel-labels";

/** Packages that some judgement asks about. */
const ASKED_ABOUT: readonly string[] = ["ai", "@ai-sdk/otel", "@openai/agents-core", ...SDK_PACKAGES];

// A monorepo has a few thousand; more is a loop that links made.
const MAX_PACKAGES = 50_000;

const DEPENDENCIES = ["dependencies", "optionalDependencies", "peerDependencies"];
const OWN_DEPENDENCIES = [...DEPENDENCIES, "devDependencies"];

interface Manifest {
  readonly version: string;
  readonly dependencies: readonly string[];
}

/** The folder of the nearest package.json at or above `folder`; `undefined` when there is none. */
export function packageFolder(folder: string): string | undefined {
  return ancestors(folder).find((ancestor) => existsSync(join(ancestor, "package.json")));
}

/** Whether the folder's package.json can be understood. */
export const isReadable = (folder: string): boolean => readManifest(folder, []) !== undefined;

/** Follows every dependency of the package in `root`. */
export function findInstalled(root: string): InstalledFacts {
  const show = (path: string): string => shown(root, path);
  /** By package, and then by the copy's folder. */
  const usersOf = new Map([API, LABELS].map((name) => [name, new Map<string, Set<string>>()]));
  const versions = new Map<string, string>();
  const packages: Record<string, InstalledPackage | undefined> = {};
  const seen = new Set<string>([root]);
  const open: { readonly name: string; readonly path: string }[] = [{ name: ".", path: root }];
  for (let next = open.pop(); next !== undefined && seen.size < MAX_PACKAGES; next = open.pop()) {
    const manifest = readManifest(next.path, next.path === root ? OWN_DEPENDENCIES : DEPENDENCIES);
    if (manifest === undefined) continue;
    versions.set(next.path, manifest.version);
    if (ASKED_ABOUT.includes(next.name)) {
      packages[next.name] ??= { version: manifest.version, path: show(next.path) };
    }
    for (const name of manifest.dependencies) {
      const path = resolvePackage(name, next.path);
      if (path === undefined) continue;
      const users = usersOf.get(name);
      users?.set(path, (users.get(path) ?? new Set()).add(next.name));
      if (seen.has(path)) continue;
      seen.add(path);
      open.push({ name, path });
    }
  }
  const copies = (name: string): PackageCopy[] =>
    [...(usersOf.get(name) ?? [])]
      .map(([path, usedBy]) => ({
        version: versions.get(path) ?? "unknown",
        path: show(path),
        usedBy: [...usedBy].sort(),
      }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  return { apiCopies: copies(API), labelsCopies: copies(LABELS), packages };
}

// As Node does it: node_modules of the folder and of each one above it; links are followed first.
function resolvePackage(name: string, from: string): string | undefined {
  for (const ancestor of ancestors(from)) {
    if (basename(ancestor) === "node_modules") continue;
    const path = join(ancestor, "node_modules", name);
    if (existsSync(join(path, "package.json"))) return realpathSync(path);
  }
  return undefined;
}

function ancestors(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestors(above)];
}

function readManifest(folder: string, fields: readonly string[]): Manifest | undefined {
  try {
    const json: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    if (!isObject(json)) return undefined;
    const lists = fields.map((field) => json[field]).filter(isObject);
    return {
      version: typeof json.version === "string" ? json.version : "unknown",
      dependencies: lists.flatMap((list) => Object.keys(list)),
    };
  } catch {
    return undefined;
  }
}

function shown(root: string, path: string): string {
  const near = relative(root, path);
  return near.length < path.length ? near : path;
}
