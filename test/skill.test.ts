import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CONVENTIONS } from "../src/attributes/conventions.ts";
import { POLICY_BINDING_ATTRIBUTES, SPAN_ATTRIBUTES } from "../src/attributes/registry.ts";
import { COMMANDS } from "../src/cli/commands.ts";
import { RULES } from "../src/contracts/review/rules/index.ts";
import { CHECKS } from "../src/verify/checks/index.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const file = join(root, "skills/agent-reliability/SKILL.md");
const skill = readFileSync(file, "utf8");
const [, frontMatter = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(skill) ?? [];

describe("the skill for coding agents", () => {
  it("is what the generator makes of the code", { timeout: 60_000 }, () => {
    const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
    execFileSync(process.execPath, [tsx, "scripts/generate-skill.ts", "--check"], {
      cwd: root,
      stdio: "pipe",
    });
  });

  it("has the front matter that coding agents read: the folder's name, and when to use it", () => {
    const { name, description, ...rest } = parse(frontMatter);
    expect(name).toBe("agent-reliability");
    expect(description.length).toBeGreaterThan(100);
    expect(description.length).toBeLessThanOrEqual(1_024);
    expect(rest).toEqual({
      "allowed-tools": "Read",
      "disable-model-invocation": false,
      metadata: { version: JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version },
    });
  });

  it("has every label, every value, every check and every rule", () => {
    const values = Object.values(SPAN_ATTRIBUTES).flatMap(({ shape }) =>
      "values" in shape ? shape.values : [],
    );
    const words = [
      ...Object.keys(SPAN_ATTRIBUTES),
      ...Object.keys(POLICY_BINDING_ATTRIBUTES),
      ...values,
      ...CHECKS.map(({ id }) => id),
    ];
    expect(words.filter((word) => !body.includes(`\`${word}\``))).toEqual([]);
    const headings = RULES.map(({ id, title }) => `#### ${id}: ${title}\n`);
    expect(headings.filter((heading) => !body.includes(heading))).toEqual([]);
  });

  it("has rules by framework, in each the heaviest first", () => {
    const ids = [...body.matchAll(/^#### ([A-Z]+-\d+):/gm)].map(([, id]) => id);
    const of = (prefix: string) => ids.filter((id) => id?.startsWith(prefix));
    const ordered = RULES.map(({ id }) => id);
    for (const prefix of ["CSDK-0", "OAI", "CONTRACT"])
      expect(of(prefix)).toEqual(ordered.filter((id) => id.startsWith(prefix)));
    expect(ids).toHaveLength(RULES.length);
  });

  it("has a section for every adapter that is documented", () => {
    const documents = readdirSync(join(root, "docs/adapters")).filter((name) => name.endsWith(".md"));
    for (const name of documents) {
      const title = /^# (.+)$/m.exec(readFileSync(join(root, "docs/adapters", name), "utf8"))?.[1];
      expect(body).toContain(`\n### ${title}\n`);
    }
  });

  it("shows code that is type-checked here, or else is the code of a document, which a framework suite runs", () => {
    const documents = readdirSync(join(root, "docs/adapters")).map((name) =>
      readFileSync(join(root, "docs/adapters", name), "utf8").replaceAll("./documented-", "./"),
    );
    const unchecked = [...body.matchAll(/^```(?!ts\n|sh\n)\w+\n[\s\S]*?^```$/gm)].map(([block]) => block);
    expect(unchecked.length).toBeGreaterThan(2);
    for (const block of unchecked) expect(documents.filter((text) => text.includes(block))).toHaveLength(1);
  });

  it("names only commands and options that there are", () => {
    const calls = [...body.matchAll(/npx otel-labels ([^\n`#]+)/g)].map(([, call = ""]) => call.trim());
    expect(calls.length).toBeGreaterThan(4);
    for (const call of calls) {
      const command = COMMANDS.find(({ name }) => call.startsWith(name));
      expect(command, call).toBeDefined();
      for (const [, option = ""] of call.matchAll(/ --([a-z-]+)/g))
        expect(command?.options, call).toHaveProperty(option);
    }
  });

  it("knows the conventions that it names", () => {
    const [, named = ""] = /^- also known: (.+)$/m.exec(body) ?? [];
    const ids = CONVENTIONS.map(({ id }) => id);
    for (const [, id] of named.matchAll(/`([\w-]+)`/g)) expect(ids).toContain(id);
  });

  it("has no placeholder left, and no link that leads out of the file", () => {
    expect(body).not.toMatch(/\{\{|\}\}|TODO/);
    for (const [, target = ""] of body.matchAll(/\]\(([^)]+)\)/g)) {
      const anchors = [...body.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
        title
          .toLowerCase()
          .replaceAll(/[^\w -]/g, "")
          .replaceAll(" ", "-"),
      );
      expect(anchors).toContain(target.slice(1));
    }
  });
});
