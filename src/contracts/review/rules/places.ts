/** The detection of these nodes; `undefined` for none. */
import type { SchemaNode } from "../schema/walk.ts";
import type { Detection } from "./rule.ts";

export const placed = <Reason extends string>(
  reason: Reason,
  nodes: readonly SchemaNode[],
): Detection<Reason> | undefined =>
  nodes.length === 0 ? undefined : { reason, places: nodes.map(({ at }) => at) };
