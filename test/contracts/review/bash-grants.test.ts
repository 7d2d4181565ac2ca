import { describe, expect, it } from "vitest";
import { findingsOf } from "./support.ts";

const hook = async () => ({});
const canUseTool = async () => null;
const subagent = (changes: object) => ({
  agents: { helper: { description: "Helps.", prompt: "Help.", ...changes } },
});

/** What CSDK-101 found: the subject, and the first words of the sentence. */
const granted = (options: object) =>
  findingsOf(options)
    .filter(({ rule }) => rule === "CSDK-101")
    .map(({ subject, found }) => `${subject}: ${found}`);

describe("CSDK-101 finds Bash without restriction", () => {
  it.each([
    [
      "in allowedTools",
      { allowedTools: ["Read", "Bash"] },
      "`allowedTools`, or a rule of the settings, grants all of `Bash`.",
    ],
    [
      "beside a prefix, which restricts nothing then",
      { allowedTools: ["Bash(git diff:*)", "Bash"] },
      "`allowedTools`, or a rule",
    ],
    ["as a pattern that matches all", { allowedTools: ["Bash(*)"] }, "`allowedTools`, or a rule"],
    ["as a prefix of nothing", { allowedTools: ["Bash(:*)"] }, "`allowedTools`, or a rule"],
    [
      "in inline settings",
      { permissionMode: "default", settings: { permissions: { allow: ["Bash"] } } },
      "`allowedTools`, or a rule of the settings",
    ],
    [
      "by the mode of inline settings",
      { allowedTools: [], settings: { permissions: { defaultMode: "bypassPermissions" } } },
      "The permission mode",
    ],
    ["in tools", { tools: ["Bash"] }, "`tools` names `Bash`"],
    [
      "by a mode that skips the checks",
      { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true },
      "The permission mode",
    ],
    [
      "by such a mode, with Bash among the tools",
      { permissionMode: "bypassPermissions", tools: ["Bash"] },
      "`tools` names",
    ],
    [
      "by such a mode, whatever prefixes say",
      { permissionMode: "bypassPermissions", allowedTools: ["Bash(git diff:*)"] },
      "The permission mode",
    ],
    [
      "by such a mode, which asks nobody",
      { permissionMode: "bypassPermissions", canUseTool },
      "The permission mode",
    ],
    [
      "where such a mode is one switch away",
      { allowDangerouslySkipPermissions: true },
      "`allowDangerouslySkipPermissions`",
    ],
    [
      "where canUseTool is never asked",
      { allowedTools: ["Bash"], canUseTool },
      "`allowedTools`, or a rule of the settings, grants all of `Bash`, so that `canUseTool`",
    ],
    [
      "with a hook for another tool",
      { allowedTools: ["Bash"], hooks: { PreToolUse: [{ matcher: "Write|Edit", hooks: [hook] }] } },
      "`allowedTools`",
    ],
    [
      "with a matcher that has no hook",
      { allowedTools: ["Bash"], hooks: { PreToolUse: [{ matcher: "Bash", hooks: [] }] } },
      "`allowedTools`",
    ],
    [
      "with a hook that comes after",
      { allowedTools: ["Bash"], hooks: { PostToolUse: [{ hooks: [hook] }] } },
      "`allowedTools`",
    ],
    [
      "with a part of it disallowed",
      { allowedTools: ["Bash"], disallowedTools: ["Bash(rm:*)"] },
      "`allowedTools`",
    ],
    ["in what query() takes", { prompt: "Go.", options: { allowedTools: ["Bash"] } }, "`allowedTools`"],
  ])("%s", (_, options, found) => {
    expect(granted(options)).toEqual([expect.stringContaining(`definition: ${found}`)]);
  });

  it.each([
    ["in its tools", subagent({ tools: ["Bash"] }), "The subagent's `tools`"],
    ["beside a prefix", subagent({ tools: ["Bash", "Bash(ls:*)"] }), "The subagent's `tools`"],
    ["by a mode of its own", subagent({ permissionMode: "bypassPermissions" }), "The permission mode"],
  ])("in a subagent: %s", (_, options, found) => {
    expect(granted(options)).toEqual([expect.stringContaining(`helper: ${found}`)]);
  });

  it("in a subagent that is defined by itself", () => {
    expect(granted({ description: "Helps.", prompt: "Help.", tools: ["Bash"] })).toHaveLength(1);
  });

  it("in the session and in the subagent, each by its own name", () => {
    const options = { allowedTools: ["Bash"], ...subagent({ tools: ["Bash"] }) };
    expect(granted(options).map((one) => one.split(":")[0])).toEqual(["definition", "helper"]);
  });
});

describe("CSDK-101 leaves alone", () => {
  it.each([
    ["prefixes", { allowedTools: ["Bash(git diff:*)", "Bash(npm test)"] }],
    ["tools that are restricted to prefixes", { tools: ["Bash"], allowedTools: ["Bash(git diff:*)"] }],
    ["tools about which canUseTool is asked", { tools: ["Bash"], canUseTool }],
    ["another tool whose name begins like it", { allowedTools: ["BashOutput"] }],
    ["Bash that is disallowed", { allowedTools: ["Bash"], disallowedTools: ["Bash"] }],
    [
      "Bash that inline settings deny",
      { allowedTools: ["Bash"], settings: { permissions: { deny: ["Bash"] } } },
    ],
    ["a mode without checks where Bash is no tool", { permissionMode: "bypassPermissions", tools: ["Read"] }],
    ["no tools at all", { permissionMode: "bypassPermissions", tools: [] }],
    ["other modes", { permissionMode: "acceptEdits", allowedTools: ["Read"] }],
    ["a hook for everything", { allowedTools: ["Bash"], hooks: { PreToolUse: [{ hooks: [hook] }] } }],
    [
      "a hook for Bash",
      { permissionMode: "bypassPermissions", hooks: { PreToolUse: [{ matcher: "Bash", hooks: [hook] }] } },
    ],
    [
      "a hook for Bash among others",
      { allowedTools: ["Bash"], hooks: { PreToolUse: [{ matcher: "^(Edit|Bash)$", hooks: [hook] }] } },
    ],
    ["a subagent with prefixes", subagent({ tools: ["Bash(ls:*)"] })],
    [
      "a subagent of a session with a hook",
      { hooks: { PreToolUse: [{ matcher: "*", hooks: [hook] }] }, ...subagent({ tools: ["Bash"] }) },
    ],
    ["a subagent of a session where canUseTool is asked", { canUseTool, ...subagent({ tools: ["Bash"] }) }],
    [
      "a subagent of a session that disallows it",
      { disallowedTools: ["Bash"], ...subagent({ tools: ["Bash"] }) },
    ],
    ["a subagent that takes its tools from the session", { allowedTools: ["Read"], ...subagent({}) }],
  ])("%s", (_, options) => {
    expect(granted(options)).toEqual([]);
  });
});
