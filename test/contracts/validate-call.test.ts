import { describe, expect, it } from "vitest";
import { defineTools, validateCall } from "../../src/contracts/index.ts";

const tools = defineTools({
  open_issue: {
    description: "Open an issue in the tracker.",
    input: {
      type: "object",
      additionalProperties: false,
      required: ["title", "severity"],
      properties: {
        title: { type: "string", minLength: 1, maxLength: 80 },
        severity: { enum: ["p1", "p2", "p3"] },
        assignee: { type: "string", maxLength: 40 },
        estimate: { type: ["integer", "null"], minimum: 1, maximum: 9 },
        labels: { type: "array", maxItems: 3, items: { type: "string", maxLength: 10 }, default: [] },
        place: {
          type: "object",
          additionalProperties: false,
          properties: { file: { type: "string", maxLength: 200 }, line: { type: "integer", default: 1 } },
        },
      },
    },
  },
  rerun_job: {
    description: "Run one failed CI job again.",
    confirm: true,
    input: {
      type: "object",
      additionalProperties: false,
      required: ["job_id"],
      properties: { job_id: { type: "string", pattern: "^[0-9]{1,12}$", maxLength: 12 } },
    },
  },
});

const issue = (args: unknown, options?: Parameters<typeof validateCall>[2]) =>
  validateCall(tools, { name: "open_issue", arguments: args }, options);
const valid = { title: "Tests fail", severity: "p1" };
const keywords = (answer: ReturnType<typeof issue>) =>
  answer.ok ? [] : answer.problems.map(({ keyword }) => keyword);

describe("a call that its contract allows", () => {
  it("gets its arguments back as a copy", () => {
    const labels = ["ci"];
    const answer = issue({ ...valid, labels });
    expect(answer).toEqual({ ok: true, value: { ...valid, labels: ["ci"] } });
    labels.push("changed later");
    expect(answer).toEqual({ ok: true, value: { ...valid, labels: ["ci"] } });
  });

  it("may be JSON text", () => {
    expect(issue(JSON.stringify(valid))).toEqual({ ok: true, value: valid });
  });

  it("gets defaults only where they are asked for, at every depth", () => {
    expect(issue({ ...valid, place: {} })).toEqual({ ok: true, value: { ...valid, place: {} } });
    const filled = issue({ ...valid, place: {} }, { applyDefaults: true });
    expect(filled).toEqual({ ok: true, value: { ...valid, labels: [], place: { line: 1 } } });
    // The default is the contract's; what the tool writes on is a copy of it.
    if (filled.ok) (filled.value as { labels: string[] }).labels.push("x");
    expect(tools.open_issue.input.properties?.labels?.default).toEqual([]);
  });

  it("may have null for an optional field, as OpenAI's strict mode sends it", () => {
    expect(issue({ ...valid, assignee: null, place: { file: null } })).toEqual({
      ok: true,
      value: { ...valid, place: {} },
    });
    expect(issue({ ...valid, estimate: null })).toEqual({ ok: true, value: { ...valid, estimate: null } });
    expect(keywords(issue({ ...valid, title: null }))).toEqual(["type"]);
    expect(keywords(issue({ ...valid, assignee: null }, { nullIsMissing: false }))).toEqual(["type"]);
  });

  it("may have members that are undefined, which are not there in JSON", () => {
    expect(issue({ ...valid, assignee: undefined })).toEqual({ ok: true, value: valid });
  });
});

describe("the message for the model", () => {
  it("says which field, and what is allowed", () => {
    const answer = issue({ title: "Tests fail", severity: "p4" });
    expect(answer).toEqual({
      ok: false,
      problems: [{ path: "/severity", keyword: "enum", expected: "one of p1, p2, p3" }],
      message: "Refused, nothing was run. severity: expected one of p1, p2, p3",
    });
  });

  it("says so of a field that is missing, and of places in lists and objects", () => {
    const answer = issue({ severity: "p1", labels: ["a", 5], place: { line: "five" } });
    expect(answer.ok ? "" : answer.message).toBe(
      "Refused, nothing was run. title: required, expected a string of 1 to 80 characters; " +
        "labels[1]: expected a string of at most 10 characters; place.line: expected a whole number",
    );
  });

  it("holds nothing that the model sent: no value, and no name of a field", () => {
    const secret = "hunter2";
    const calls: unknown[] = [
      { ...valid, severity: secret },
      { ...valid, [secret]: secret },
      { ...valid, place: { [secret]: 1 } },
      { ...valid, labels: [secret.repeat(3)] },
      secret,
      [secret],
      `{"${secret}":1,"${secret}":2}`,
      `{"title":"${secret}"`,
    ];
    for (const args of calls) {
      const answer = issue(args);
      expect(answer.ok).toBe(false);
      expect(JSON.stringify(answer)).not.toContain(secret);
    }
    const unknown = validateCall(tools, { name: secret, arguments: {} });
    expect(JSON.stringify(unknown)).not.toContain(secret);
  });

  it("is bounded, whatever is sent", () => {
    const many = defineTools({
      move_points: {
        description: "Moves points.",
        input: {
          type: "object",
          additionalProperties: false,
          properties: { points: { type: "array", maxItems: 10_000, items: { type: "integer" } } },
        },
      },
    });
    const answer = many.move_points.validate({ points: Array.from({ length: 10_000 }, () => "x") });
    expect(answer.ok ? 0 : answer.problems.length).toBe(20);
    expect(answer.ok ? "" : answer.message.length).toBeLessThan(2_000);
  });
});

describe("a call is refused, with the same kind of answer,", () => {
  it.each([
    ["an unknown tool", "tool", "close_issue", {}],
    ["a tool called like a method of objects", "tool", "toString", {}],
    ["a tool that is no text", "tool", 5, {}],
    ["arguments that are null", "type", "open_issue", null],
    ["arguments that are a list", "type", "open_issue", []],
    ["no arguments", "json", "open_issue", undefined],
    ["text that is no JSON", "json", "open_issue", "open it"],
    ["text of something else than an object", "type", "open_issue", "5"],
    ["an instance of a class", "json", "open_issue", new Map()],
    ["a function", "json", "open_issue", () => valid],
    ["a number that is not finite", "json", "open_issue", { ...valid, estimate: Number.NaN }],
    ["a big integer", "json", "open_issue", { ...valid, estimate: 5n }],
    ["two members of one name", "json", "open_issue", '{"title":"a","severity":"p1","title":"b"}'],
    [
      "two of one name, one of them escaped",
      "json",
      "open_issue",
      '{"severity":"p1","titl\\u0065":"a","title":"b"}',
    ],
    [
      "two of one name, further in",
      "json",
      "open_issue",
      '{"title":"a","severity":"p1","place":{"line":1,"line":2}}',
    ],
    [
      "__proto__ in a text",
      "additionalProperties",
      "open_issue",
      '{"title":"a","severity":"p1","__proto__":{"x":1}}',
    ],
    [
      "a confirmation that the model invents",
      "additionalProperties",
      "open_issue",
      { ...valid, confirm: true },
    ],
  ])("for %s", (_, keyword, name, args) => {
    const answer = validateCall(tools, { name: name as string, arguments: args });
    expect(keywords(answer)).toEqual([keyword]);
    expect(answer).toHaveProperty("message", expect.stringMatching(/^Refused, nothing was run\. /));
  });

  it("for members that are inherited rather than its own", () => {
    expect(keywords(issue(Object.create(valid) as object))).toEqual(["json"]);
  });

  it("for a getter or a proxy that throws", () => {
    const throws = () => {
      throw new Error("hunter2");
    };
    const proxy = new Proxy({}, { ownKeys: throws, getPrototypeOf: throws });
    const thrown = new Proxy(valid, {
      ownKeys: () => {
        throw proxy;
      },
    });
    for (const args of [
      {
        ...valid,
        get assignee() {
          return throws();
        },
      },
      proxy,
      thrown,
    ]) {
      expect(keywords(issue(args))).toEqual(["json"]);
    }
  });

  it("for input that is too deep or too large, object or text", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(keywords(issue({ ...valid, place: deep }))).toEqual(["limit"]);
    expect(keywords(issue(`${"[".repeat(100_000)}${"]".repeat(100_000)}`))).toEqual(["limit"]);
    expect(keywords(issue(" ".repeat(5_000_000)))).toEqual(["limit"]);
    expect(keywords(issue({ ...valid, title: "x".repeat(5_000_000) }))).toEqual(["limit"]);
    expect(keywords(issue({ ...valid, labels: { length: 1e9 } }))).toEqual(["type"]);
    expect(keywords(issue({ ...valid, labels: new Array(1e9) }))).toEqual(["limit"]);
    const cycle: Record<string, unknown> = { ...valid };
    cycle.place = cycle;
    expect(keywords(issue(cycle))).toEqual(["limit"]);
  });

  it("and what a getter says the second time reaches nobody", () => {
    let reads = 0;
    const args = {
      ...valid,
      get severity() {
        return reads++ === 0 ? "p1" : "p0";
      },
    };
    expect(issue(args)).toEqual({ ok: true, value: valid });
    expect(reads).toBe(1);
  });

  it("and no prototype is changed by a __proto__ that an enum or a default might copy", () => {
    issue('{"title":"a","severity":"p1","place":{"__proto__":{"polluted":true}}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("a call that has to be confirmed", () => {
  const args = { job_id: "42" };

  it("is refused without a confirmation from outside", () => {
    const answer = validateCall(tools, { name: "rerun_job", arguments: args });
    expect(keywords(answer)).toEqual(["confirm"]);
    expect(answer).toHaveProperty("message", expect.stringContaining("outside the model"));
  });

  it("is refused when the model gives one itself", () => {
    for (const field of ["confirm", "confirmed"]) {
      expect(
        keywords(validateCall(tools, { name: "rerun_job", arguments: { ...args, [field]: true } })),
      ).toEqual(["additionalProperties"]);
    }
  });

  it("is allowed with it, and with nothing that only looks like it", () => {
    expect(validateCall(tools, { name: "rerun_job", arguments: args, confirmed: true })).toEqual({
      ok: true,
      value: args,
    });
    for (const confirmed of ["true", 1, {}, null]) {
      const call = { name: "rerun_job", arguments: args, confirmed: confirmed as never };
      expect(validateCall(tools, call).ok).toBe(false);
    }
  });

  it("is refused for its arguments all the same", () => {
    const call = { name: "rerun_job", arguments: { job_id: "latest" }, confirmed: true };
    expect(keywords(validateCall(tools, call))).toEqual(["pattern"]);
  });
});
