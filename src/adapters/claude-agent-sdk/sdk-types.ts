/**
 * What is read of the Claude Agent SDK: shapes that fit its own types, and readers that find nothing where a field is
 * missing.
 *
 * @module
 */

/** What a hook is called with, as far as it is read. */
export interface HookInput {
  readonly hook_event_name?: unknown;
  readonly session_id?: unknown;
  readonly tool_name?: unknown;
  readonly tool_use_id?: unknown;
  readonly tool_input?: unknown;
  readonly tool_response?: unknown;
  readonly error?: unknown;
}

/** A hook, any. */
// biome-ignore lint/suspicious/noExplicitAny: the SDK types the input of a hook more narrowly than it has to be here
export type HookCallback = (input: any, toolUseId: string | undefined, options: any) => Promise<any>;

/** An entry of `options.hooks`. */
export interface HookMatcher {
  readonly hooks: readonly HookCallback[];
}

/** The options of a query, as far as they are changed. */
export interface QueryOptions {
  readonly hooks?: Readonly<Record<string, readonly HookMatcher[] | undefined>> | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** What `query` is called with. */
export interface QueryParameters {
  readonly options?: QueryOptions | undefined;
}

/** A message of the SDK, as far as it is read. */
export interface SdkMessage {
  readonly type?: unknown;
  readonly session_id?: unknown;
  readonly message?: unknown;
}

/** A text that is not empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** The ids of the calls whose results a message brings, to the model and so also here. */
export function settledCalls({ type, message }: SdkMessage): readonly string[] {
  if (type !== "user") return [];
  const content = (message as { content?: unknown } | null | undefined)?.content;
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: { type?: unknown; tool_use_id?: unknown } | null) =>
    block?.type === "tool_result" && typeof block.tool_use_id === "string" ? [block.tool_use_id] : [],
  );
}

/** What `canUseTool` answers. */
export interface PermissionResult {
  readonly behavior: string;
  readonly updatedInput?: unknown;
  readonly message?: string | undefined;
}

/** `canUseTool`, any. */
// biome-ignore lint/suspicious/noExplicitAny: the SDK types the parameters and the answer more narrowly than it has to be here
export type PermissionCallback = (toolName: string, input: any, options: any) => Promise<any>;
