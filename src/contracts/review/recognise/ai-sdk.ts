/**
 * The AI SDK (4 to 7): agents and tools. A tool's name is its key in the tool set.
 *
 * @module
 */
import { isForeign, type Looking } from "../looking.ts";
import { inputSchemaOf } from "../schema/input-schema.ts";
import { type Found, foundTool, type Inner, notReviewed, type Place, saysSomething } from "./found.ts";

/** What it is; `undefined` for what is not of this SDK. */
export function recogniseAiSdk(value: object, place: Place, look: Looking): Found | undefined {
  if (look.hasFunction(value, "generate") && look.hasFunction(value, "stream"))
    return agent(value, place, look);
  return isTool(value, look) ? tool(value, place, look) : undefined;
}

function agent(value: object, { label }: Place, look: Looking): Found | undefined {
  const settings = look.object(value, "settings");
  const tools = look.object(value, "tools") ?? look.object(settings, "tools");
  if (tools === undefined || look.list(tools) !== undefined) return undefined;
  const name = look.text(value, "id") ?? look.text(settings, "id") ?? look.text(value, "name") ?? label;
  return {
    subjects: [{ kind: "agent", framework: "ai-sdk", label: name, bash: undefined }],
    inner: look.entries(tools).map(([key, one]): Inner => ({ value: one, label: key, isName: true })),
    skipped: [],
  };
}

// No marker and no name: an input, and with the old name of it something more that says it is a tool's.
function isTool(value: object, look: Looking): boolean {
  if (!isForeign(inputOf(value, look)) || look.text(value, "name") !== undefined) return false;
  return (
    isForeign(look.member(value, "inputSchema")) ||
    look.hasFunction(value, "execute") ||
    look.text(value, "description") !== undefined ||
    ["function", "dynamic", "provider", "provider-defined"].includes(look.text(value, "type") ?? "") ||
    isForeign(look.member(value, "outputSchema"))
  );
}

const inputOf = (value: object, look: Looking): unknown =>
  look.member(value, "inputSchema") ?? look.member(value, "parameters");

function tool(value: object, { label, isName }: Place, look: Looking): Found {
  if (look.text(value, "type")?.startsWith("provider")) {
    return notReviewed("A tool that the model's provider defines: its definition is not in this program.");
  }
  const name = isName ? label : look.text(value, "id");
  return foundTool({
    framework: "ai-sdk",
    name,
    label: name ?? label,
    hasDescription: saysSomething(look.text(value, "description"), name),
    input: inputSchemaOf(inputOf(value, look), look),
    sideEffect: undefined,
    confirm: undefined,
  });
}
