/** What the skill takes from the documents: code that the framework suites run. */
import { readdirSync, readFileSync } from "node:fs";
import { FRAMEWORKS } from "./frameworks.ts";

const folder = new URL("../../docs/adapters/", import.meta.url);

/** A section for each document of an adapter: its title, what makes the spans, what to install, and its first code. */
export function frameworksText(): string {
  const known = new Map(FRAMEWORKS.map(({ document, spans }) => [document, spans]));
  const all = readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.slice(0, -".md".length));
  const others = all.filter((document) => !known.has(document)).sort();
  return [...known.keys(), ...others]
    .map((document) => frameworkText(document, known.get(document)))
    .join("\n\n");
}

function frameworkText(document: string, spans: string | undefined): string {
  const text = readFileSync(new URL(`${document}.md`, folder), "utf8");
  const title = /^# (.+)$/m.exec(text)?.[1];
  const code = /^```(?:ts|typescript)\n[\s\S]*?^```$/m.exec(text);
  if (title === undefined || code === null)
    throw new Error(`docs/adapters/${document}.md has no title or no code`);
  const install = /^```sh\n[\s\S]*?^```$/m.exec(text.slice(0, code.index))?.[0];
  // The suites that run the code keep the application's own part of it in files of this name.
  return [`### ${title}`, spans, install, code[0].replaceAll("./documented-", "./")]
    .filter((part) => part !== undefined)
    .join("\n\n");
}
