/**
 * The mediation step in the controls that the SDK has before a tool: the hook `PreToolUse`, and `canUseTool` for what a person
 * has to agree to. The tool decides again, whatever becomes of these.
 *
 * For a call that may run, the hook answers nothing. `allow` would let through what the application's own rules ask about; and
 * taking the claim out here was rejected, since of two hooks that rewrite an input the last to answer wins, so that a hook
 * of the application that redacts would be undone. The claim is taken out at the tool.
 *
 * @module
 */
import type { Mediation, Verdict } from "../../claims/index.ts";
import { RecentCalls } from "./recent-calls.ts";
import { type HookInput, type PermissionCallback, type PermissionResult, textOf } from "./sdk-types.ts";

/** What the control needs of the rest. */
export interface ClaimControlParts {
  readonly step: Mediation;
  /** The registered name of a tool, by the name that the SDK has for it. */
  toolOf(sdkName: unknown): string | undefined;
  onDenied(callId: string | undefined, verdict: Verdict): void;
}

const FAILED = "Not run: the call was denied.";

/** The controls of one server's tools. */
export class ClaimControl {
  readonly #parts: ClaimControlParts;
  /** The calls that a person is asked about. What they approve is kept with the tool and the arguments. */
  readonly #asked = new RecentCalls<true>();

  constructor(parts: ClaimControlParts) {
    this.#parts = parts;
  }

  /** The hook `PreToolUse`. Tools of others are not its business. */
  readonly hook = async (input: HookInput | null | undefined): Promise<object> => {
    const tool = this.#parts.toolOf(input?.tool_name);
    if (tool === undefined || input?.hook_event_name !== "PreToolUse") return {};
    try {
      return await this.#beforeTool(tool, textOf(input.tool_use_id), input.tool_input);
    } catch {
      return answer("deny", FAILED);
    }
  };

  async #beforeTool(tool: string, callId: string | undefined, args: unknown): Promise<object> {
    // An id that comes a second time is asked about on its own.
    this.#asked.take(callId);
    const verdict = await this.#parts.step.consider({ tool, callId, arguments: args });
    if (verdict.outcome === "allow") return {};
    if (verdict.outcome === "review") {
      this.#asked.keep(callId, true);
      return answer("ask", verdict.message);
    }
    this.#parts.onDenied(callId, verdict);
    return answer("deny", verdict.message);
  }

  /** `canUseTool`, with what a person agrees to kept as an approval: of what they were shown, or of what they made of it. */
  asking(given: PermissionCallback): PermissionCallback {
    return async (sdkName, input, options) => {
      const tool = this.#parts.toolOf(sdkName);
      const callId = textOf((options as { toolUseID?: unknown } | undefined)?.toolUseID);
      const isReview = tool !== undefined && this.#asked.take(callId) === true;
      const result: PermissionResult | null | undefined = await given(sdkName, input, options);
      if (!isReview || result?.behavior !== "allow") return result;
      const approved = await this.#approve(tool, callId, result.updatedInput ?? input);
      return approved ? result : { behavior: "deny", message: FAILED };
    };
  }

  async #approve(tool: string, callId: string | undefined, args: unknown): Promise<boolean> {
    try {
      return await this.#parts.step.approve({ tool, callId, arguments: args });
    } catch {
      return false;
    }
  }
}

const answer = (permissionDecision: "deny" | "ask", permissionDecisionReason: string | undefined) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason },
});
