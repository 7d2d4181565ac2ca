/**
 * Runs in a process of its own, loads the user's module, looks at what it exports, and sends that home.
 *
 * @module
 */
import { pathToFileURL } from "node:url";
import { reviewDefinitions } from "../../contracts/review/index.ts";
import type { Answer, Envelope, Question } from "./answer.ts";
import { registriesIn } from "./registries-in.ts";

const send = process.send?.bind(process);
// A module that sees it takes whoever started this process for its own supervisor, and tells it that it is ready.
delete process.send;

process.once("message", async ({ key, content }: Envelope<Question>) => {
  // Waiting for a disconnection is no reason to stay: a module that waits for nothing should end here.
  process.channel?.unref();
  const answer: Envelope<Answer> = { key, content: await answerTo(content) };
  // What the module started, a server or a timer, is nobody's to wait for.
  send?.(answer, undefined, undefined, () => process.exit(0));
});

// Nobody is left to answer to.
process.once("disconnect", () => process.exit(0));

async function answerTo(question: Question): Promise<Answer> {
  let exported: object;
  try {
    exported = (await import(pathToFileURL(question.path).href)) as object;
  } catch (error) {
    return { failed: faultOf(error) };
  }
  if (question.ask === "registries") return { registries: registriesIn(exported) };
  const { source, trail } = question;
  return { review: reviewDefinitions(exported, { source, trail }) };
}

function faultOf(error: unknown): { readonly name: string; readonly code: string | undefined } {
  try {
    const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
    return { name: wordOf(name) ?? "no error", code: wordOf(code) };
  } catch {
    return { name: "no error", code: undefined };
  }
}

// Whoever throws may put anything there; a class and a code are words.
const wordOf = (value: unknown): string | undefined =>
  typeof value === "string" && /^\w{1,64}$/.test(value) ? value : undefined;
