import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { COMMANDS } from "../../src/cli/commands.ts";
import { main } from "../../src/cli/main.ts";
import { runMain } from "./support/run-main.ts";

describe("the command line", () => {
  it("shows its commands for --help, on standard output", async () => {
    const { code, stdout, stderr } = await runMain(["--help"]);
    expect([code, stderr]).toEqual([0, ""]);
    for (const { name, summary } of COMMANDS) expect(stdout).toMatch(new RegExp(`${name} +${summary}`));
  });

  it("shows the same on standard error, and fails, when nothing was asked", async () => {
    const { code, stdout, stderr } = await runMain([]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe((await runMain(["--help"])).stdout);
  });

  it("shows the version that package.json has", async () => {
    expect(await runMain(["--version"])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: "" });
  });

  it.each(COMMANDS.map(({ name }) => name))(
    "has a help text for %s that lists every option",
    async (name) => {
      const command = COMMANDS.find((one) => one.name === name);
      const { code, stdout } = await runMain([...name.split(" "), "--help"]);
      expect(code).toBe(0);
      for (const option of Object.keys(command?.options ?? {})) expect(stdout).toContain(`  --${option}`);
      expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
    },
  );

  it("shows the commands of a group", async () => {
    const { code, stdout } = await runMain(["policies", "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain("policies hash");
    expect(stdout).not.toContain("doctor");
  });

  it("shows the same for what people type elsewhere", async () => {
    const program = await runMain(["--help"]);
    for (const argv of [["-h"], ["help"]]) expect(await runMain(argv)).toEqual(program);
    const own = await runMain(["verify", "--help"]);
    for (const argv of [
      ["verify", "-h"],
      ["help", "verify"],
    ])
      expect(await runMain(argv)).toEqual(own);
    expect(await runMain(["help", "policies"])).toEqual(await runMain(["policies", "--help"]));
    expect((await runMain(["help", "fly"])).code).toBe(2);
    expect((await runMain(["verify", "--", "-h"])).stderr).toContain("-h cannot be read");
  });

  it.each([
    [["fly"], "there is no command fly; otel-labels --help lists what there is"],
    [["--fly"], "there is no option --fly; otel-labels --help lists what there is"],
    [["policies"], "say which: policies verify or policies hash; otel-labels --help tells what they do"],
    [
      ["policies", "fly"],
      "say which: policies verify or policies hash; otel-labels --help tells what they do",
    ],
    [["verify", "--fly"], "there is no option --fly; otel-labels verify --help lists them"],
    [["verify", "-x"], "there is no option -x; otel-labels verify --help lists them"],
    [["verify", "--constructor"], "there is no option --constructor; otel-labels verify --help lists them"],
    [["verify"], "give an export to check: a FILE, - for standard input, --listen, or --exec COMMAND"],
    [["verify", "--format"], "--format needs a value: --format FORMAT"],
    [["verify", "--format", "--quiet"], "--format needs a value: --format FORMAT"],
    [["verify", "--format", "sarif", "-"], "--format is one of text, json, junit, github, html"],
    [["verify", "--format", "json", "--format", "text", "-"], "--format is given more than once"],
    [["verify", "--quiet=yes", "-"], "--quiet takes no value"],
    [["verify", "--max-warnings", "many", "-"], "--max-warnings needs a whole number of 0 or more"],
    [["verify", "--idle", "5s", "-"], "--idle goes with --listen or --exec"],
    [["verify", "--listen", "--idle", "soon"], "--idle needs a time such as 5s, 500ms or 2m"],
    [["verify", "--listen", "--idle", "0"], "--idle needs a time such as 5s, 500ms or 2m"],
    [["verify", "--listen", "70000"], "--listen needs a port from 0 to 65535, or HOST:PORT"],
    [
      ["verify", "--listen", "localhost"],
      "give files, or --listen and --exec, but not both; --listen takes a port, or HOST:PORT",
    ],
    [
      ["verify", "--exec", "node", "app.js"],
      'give files, or --listen and --exec, but not both; a command of several words stands in quotes: --exec "node app.js"',
    ],
    [["verify", "--run", "", "-"], "--run needs a value: --run ID"],
    [["verify", "--output=", "-"], "--output needs a value: --output FILE"],
    [["verify", "--exec", ""], "--exec needs a value: --exec COMMAND"],
    [["verify", "--exec", " "], "--exec needs a command to run"],
    [["verify", ""], "an argument is empty; is a variable not set?"],
    [["contracts", "show", ""], "an argument is empty; is a variable not set?"],
    [["verify", "--listen", "4318", "file.jsonl"], "give files, or --listen and --exec, but not both"],
    [["verify", "--only", "everything", "-"], /^there is no such check; the checks are tool-span-labelled, /],
    [["verify", "--secret", " ", "-"], "a secret has to be a text that is not empty"],
    [["doctor", "here"], "doctor looks at the folder it is started in; it takes no file"],
    [["fingerprint", "a", "b"], "give one file, or none for standard input"],
    [["policies", "verify"], "give one manifest: policies verify FILE"],
    [["policies", "hash"], "give at least one file: policies hash FILE..."],
  ])("refuses %j with one sentence that says what to do", async (argv, sentence) => {
    const { code, stdout, stderr } = await runMain(argv);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^otel-labels: .*\n$/);
    const said = stderr.slice("otel-labels: ".length, -1);
    if (typeof sentence === "string") expect(said).toBe(sentence);
    else expect(said).toMatch(sentence);
  });

  it("cleans what it repeats of a command line", async () => {
    const { stderr } = await runMain(["\u001b[31mred\u001b[0m\nnext line"]);
    expect(stderr.trimEnd()).not.toMatch(/\p{Cc}/u);
  });

  it("says that a fault is its own, without a stack and without the fault's message", async () => {
    const said: string[] = [];
    const code = await main(["--help"], {
      stdin: Readable.from([]),
      stdout: {
        write: () => {
          throw new RangeError("something of the user's");
        },
      },
      stderr: { write: (text: string) => said.push(text) },
      env: {},
      cwd: "/",
      onceStopped: () => () => {},
    });
    expect(code).toBe(2);
    expect(said).toEqual([
      "otel-labels: stopped by a fault of its own (RangeError); please report it with what NODE_DEBUG=otel-labels prints\n",
    ]);
  });
});
