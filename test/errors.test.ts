import { describe, expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { TrustablError } from "../src/errors.ts";

/** Every door of the package, and the file of `src` behind it. */
const doors = Object.entries(packageJson.exports).flatMap(([door, entry]): [string, string][] =>
  typeof entry === "string"
    ? []
    : [[door, entry.default.replace("./dist/", "../src/").replace(/\.js$/, ".ts")]],
);

type ErrorClass = { readonly prototype: object };

async function errorClasses(file: string): Promise<[string, ErrorClass][]> {
  const door = (await import(/* @vite-ignore */ file)) as Record<string, unknown>;
  return Object.entries(door).filter(
    (entry): entry is [string, ErrorClass] =>
      typeof entry[1] === "function" && entry[1].prototype instanceof Error,
  );
}

describe("the errors of each door", () => {
  it.each(doors)(
    "%s have the name that they are exported by, whatever a minifier calls them",
    async (_, file) => {
      for (const [name, { prototype }] of await errorClasses(file)) {
        // A literal of its own: an inherited name is another error's, and a class name changes with each build.
        expect(Object.getOwnPropertyDescriptor(prototype, "name"), name).toEqual({
          value: name,
          enumerable: false,
          configurable: true,
          writable: true,
        });
      }
    },
  );

  it.each(doors)("%s have a code, and are recognised across copies of the package", async (_, file) => {
    for (const [name, { prototype }] of await errorClasses(file)) {
      expect(prototype === TrustablError.prototype || prototype instanceof TrustablError, name).toBe(true);
    }
  });

  it("are looked at", async () => {
    const found = await Promise.all(doors.map(([, file]) => errorClasses(file)));
    expect(new Set(found.flat().map(([name]) => name)).size).toBeGreaterThan(10);
  });
});

describe("TrustablError.isInstance", () => {
  it("knows an error of another copy of this package, and never throws", () => {
    const other = Object.assign(new Error("x"), {
      [Symbol.for("agent-reliability-otel-labels.error")]: true,
    });
    expect(TrustablError.isInstance(other)).toBe(true);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const value of [new Error("x"), null, undefined, "text", proxy]) {
      expect(TrustablError.isInstance(value)).toBe(false);
    }
  });
});
