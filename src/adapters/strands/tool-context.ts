/**
 * What Strands hands to a tool as its second parameter. All of it is read as if it might not be there.
 *
 * @module
 */

export interface ToolContext {
  readonly toolUse?: { readonly toolUseId?: unknown; readonly input?: unknown };
}

/** The call id that the model gave. */
export function callIdOf(_input: unknown, context: ToolContext | undefined): string | undefined {
  const id = context?.toolUse?.toolUseId;
  return typeof id === "string" ? id : undefined;
}
