/**
 * What a Strands tool gives back, read for the labels: Strands puts every result into blocks for the model.
 *
 * @module
 */

/** A `ToolResultBlock`. All of it is read as if it might not be there. */
export interface ToolResult {
  readonly content?: readonly Block[];
  /** What the tool threw. */
  readonly error?: unknown;
}

interface Block {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly json?: unknown;
}

/** The value in a result: the text or the JSON value where there is one block, a list of these where there are more. */
export function contentOf(result: ToolResult | undefined): unknown {
  const values = result?.content?.map(contentOfBlock);
  return values?.length === 1 ? values[0] : values;
}

function contentOfBlock(block: Block): unknown {
  if (block.type === "textBlock") return block.text;
  if (block.type !== "jsonBlock") return block;
  const { json } = block;
  return isWrappedList(json) ? json.$value : json;
}

// Lists go to the model in an object, since some models take no other JSON.
function isWrappedList(json: unknown): json is { readonly $value: readonly unknown[] } {
  if (typeof json !== "object" || json === null) return false;
  return Object.keys(json).join() === "$value" && Array.isArray((json as { $value?: unknown }).$value);
}

/** Whether a tool threw to interrupt the agent. Not by its class: that is the SDK's. */
export function isInterrupt(error: unknown): boolean {
  const { name, interrupts } = (error ?? {}) as { name?: unknown; interrupts?: unknown };
  return name === "InterruptError" && Array.isArray(interrupts);
}
