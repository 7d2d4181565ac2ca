import type { BashRoute } from "../recognise/bash-grants.ts";
import { agentRule } from "./rule.ts";

/** An agent of the Claude Agent SDK has no unrestricted `Bash`. */
export const csdk101 = agentRule<BashRoute | "shadowed">({
  id: "CSDK-101",
  title: "Claude agent is granted Bash without restriction",
  severity: "high",
  severityBecause: "One command can change or send anything that the process can reach.",
  confidence: 0.8,
  scope: "agent",
  frameworks: ["claude-agent-sdk"],
  appliesWhen: "When declaring the options of query(), or a subagent.",
  why: "With any shell command to choose from, one injected sentence in a file or a page is enough to run it.",
  directive:
    "Grant exact prefixes such as `Bash(git diff:*)` in `allowedTools`, without a bare `Bash` beside them; or put a `PreToolUse` hook before `Bash`; or list it in `disallowedTools`.",
  found: {
    allowed: "`allowedTools`, or a rule of the settings, grants all of `Bash`.",
    shadowed:
      "`allowedTools`, or a rule of the settings, grants all of `Bash`, so that `canUseTool` is never asked about it.",
    available: "`tools` names `Bash`, and neither a prefix, a hook nor `canUseTool` restricts it.",
    subagent: "The subagent's `tools` grants all of `Bash`.",
    mode: "The permission mode skips the checks, and `Bash` is among the tools.",
    "mode-can-be-switched":
      "`allowDangerouslySkipPermissions` lets the session be switched to a mode without checks, and `Bash` is among the tools.",
  },
  detect({ bash }) {
    const [route] = bash?.routes ?? [];
    if (bash === undefined || route === undefined) return undefined;
    return { reason: route === "allowed" && bash.hasCallback ? "shadowed" : route };
  },
});
