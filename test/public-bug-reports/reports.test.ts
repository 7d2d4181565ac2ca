import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { publicBugReports } from "../../scripts/public-bug-reports.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const reports = publicBugReports();

describe("the list of public bug reports", () => {
  it("names none twice", () => {
    const links = reports.map(({ report }) => report);
    expect(links.filter((link, index) => links.indexOf(link) !== index)).toEqual([]);
    expect(links.length).toBeGreaterThan(50);
  });

  it.each(reports)(
    "has tests for $report, or says why it does not apply",
    ({ report, title, tests, why }) => {
      expect(report).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(?:issues|pull)\/\d+$/);
      expect(title).toMatch(/^\S.{9,118}\S$/);
      expect([tests === undefined, why === undefined]).toContain(false);
      expect([tests === undefined, why === undefined]).toContain(true);
      if (why !== undefined) expect(why.length).toBeGreaterThan(30);
      else expect(tests?.length).toBeGreaterThan(0);
    },
  );

  it.each(reports.filter(({ tests }) => tests !== undefined))(
    "names tests that are there: $report",
    ({ tests = [] }) => {
      for (const { file, name } of tests) {
        expect(file).toMatch(/^test\/(?!.*\.\.).+\.(?:ts|json)$/);
        expect(existsSync(new URL(`../../${file}`, import.meta.url)), file).toBe(true);
        expect(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"), file).toContain(name);
      }
    },
  );
});

describe("docs/decisions/0006-public-bug-reports.md", () => {
  it("says what the list says", () => {
    const script = "scripts/generate-public-bug-reports-doc.ts";
    execFileSync(process.execPath, ["--import", "tsx", script, "--check"], {
      cwd: repository,
      stdio: "pipe",
    });
  });
});
