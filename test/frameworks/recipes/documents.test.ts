import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const documented = readdirSync(new URL(".", import.meta.url)).filter((file) =>
  file.endsWith("-documented.ts"),
);

describe("docs/recipes.md", () => {
  it.each(documented)("shows the code of %s, which runs here", (file) => {
    const [, code] =
      new RegExp(`<!-- ${file} -->\n\n\`\`\`typescript\n([\\s\\S]*?)^\`\`\`$`, "m").exec(
        read("../../../docs/recipes.md"),
      ) ?? [];
    expect(code).toBe(read(`./${file}`));
  });
});
