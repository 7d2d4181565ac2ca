/**
 * What a Claude agent may do with `Bash`, as plain data.
 *
 * How the SDK decides (seen on 0.3): `allowedTools` approves before `canUseTool` is asked, and so does a mode that skips
 * the checks; a `PreToolUse` hook is asked before everything, in subagents too. `tools` says only which tools there are,
 * and cannot hold `Bash(git diff:*)`.
 *
 * @module
 */
import type { Looking } from "../looking.ts";

/** How the agent comes to run `Bash`. */
export type BashRoute = "allowed" | "available" | "subagent" | "mode" | "mode-can-be-switched";

/** What a Claude agent may do with `Bash`. */
export interface BashGrants {
  /** The ways in which it may run any command, in order. */
  readonly routes: readonly BashRoute[];
  /** A hook that is asked before each `Bash` call. */
  readonly hasHook: boolean;
  /** A `canUseTool` callback is there, whether it is asked or not. */
  readonly hasCallback: boolean;
}

/** One entry of a list of grants. */
type Grant = "all" | "prefix" | "other";

/** `Bash` is all of it, and so is `Bash(*)`; `Bash(git diff:*)` is a prefix. */
function bashGrant(entry: string): Grant {
  const found = /^Bash(?:\((.*)\))?$/s.exec(entry.trim());
  if (found === null) return entry.trim() === "*" ? "all" : "other";
  const [, what = ""] = found;
  return /[^\s:*]/.test(what) ? "prefix" : "all";
}

const grantsAll = (list: readonly string[] | undefined): boolean =>
  list?.some((entry) => bashGrant(entry) === "all") === true;
const grantsPrefix = (list: readonly string[] | undefined): boolean =>
  list?.some((entry) => bashGrant(entry) === "prefix") === true;

/** The rules that a definition lists itself, and those of settings that are given inline; settings files are not read. */
function rulesOf(definition: object | undefined, what: "allow" | "deny", look: Looking): string[] {
  const permissions = look.object(look.object(definition, "settings"), "permissions");
  const own = look.member(definition, what === "allow" ? "allowedTools" : "disallowedTools");
  return [...(look.texts(own) ?? []), ...(look.texts(look.member(permissions, what)) ?? [])];
}

/** The grants of the options of a session. */
export function bashGrantsOfOptions(options: object, look: Looking): BashGrants {
  const allowed = rulesOf(options, "allow", look);
  const available = look.texts(look.member(options, "tools"));
  const hasHook = hasBashHook(look.object(look.object(options, "hooks"), "PreToolUse"), look);
  const hasCallback = look.hasFunction(options, "canUseTool");
  const routes: BashRoute[] = [];
  if (!grantsAll(rulesOf(options, "deny", look))) {
    // Without a list every tool is there.
    const isAvailable = available === undefined || grantsAll(available) || grantsPrefix(available);
    if (grantsAll(allowed)) routes.push("allowed");
    else if (grantsAll(available) && !hasCallback && !grantsPrefix(allowed)) routes.push("available");
    if (isAvailable) routes.push(...modeRoutes(options, look));
  }
  return { routes: hasHook ? [] : routes, hasHook, hasCallback };
}

/** The grants of a subagent, within the session that has it. */
export function bashGrantsOfSubagent(agent: object, session: object | undefined, look: Looking): BashGrants {
  const own = bashGrantsOfOptions(session ?? {}, look);
  const denied = [session, agent].some((one) => grantsAll(rulesOf(one, "deny", look)));
  const tools = look.texts(look.member(agent, "tools"));
  const asked = own.hasCallback && !own.routes.some((route) => route !== "available");
  const prefixed = grantsPrefix(rulesOf(session, "allow", look)) && !own.routes.includes("allowed");
  const routes: BashRoute[] = [];
  if (!denied && !own.hasHook) {
    if (grantsAll(tools) && !asked && !prefixed) routes.push("subagent");
    if (tools === undefined || grantsAll(tools)) routes.push(...modeRoutes(agent, look));
  }
  return { ...own, routes };
}

function modeRoutes(definition: object, look: Looking): BashRoute[] {
  const permissions = look.object(look.object(definition, "settings"), "permissions");
  const mode = look.text(definition, "permissionMode") ?? look.text(permissions, "defaultMode");
  if (mode === "bypassPermissions") return ["mode"];
  return look.member(definition, "allowDangerouslySkipPermissions") === true ? ["mode-can-be-switched"] : [];
}

function hasBashHook(matchers: object | undefined, look: Looking): boolean {
  return (look.list(matchers) ?? []).some(
    (one) =>
      coversBash(look.member(one, "matcher")) &&
      (look.list(look.member(one, "hooks")) ?? []).some((hook) => typeof hook === "function"),
  );
}

/**
 * Whether a hook's matcher surely covers `Bash`: none, `*`, or `Bash` among its alternatives. It is a regular expression
 * to the SDK; one that says `Bash` in another way counts as not covering, since running it is no safe thing to do.
 */
function coversBash(matcher: unknown): boolean {
  if (matcher === undefined || matcher === null || matcher === "") return true;
  if (typeof matcher !== "string") return false;
  const inner = matcher
    .trim()
    .replace(/^\^/, "")
    .replace(/\$$/, "")
    .replace(/^\((?:\?:)?([^()]*)\)$/, "$1");
  return inner.split("|").some((one) => ["*", ".*", "Bash", "^Bash$", "Bash.*"].includes(one.trim()));
}
