import { createHash } from "node:crypto";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { ContractError, defineTools, registryDigest, TrustablError } from "../../src/contracts/index.ts";

const nothing = { type: "object", additionalProperties: false } as const;
const text = { type: "string", maxLength: 80 } as const;
const rerunJob = {
  description: "Run one failed CI job again.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["job_id"],
    properties: { job_id: { type: "string", pattern: "^[0-9]{1,12}$", maxLength: 12 } },
  },
  sideEffect: "write",
  confirm: true,
  risk: "medium",
  effect: { operation: "execute", resourceType: "job", resourceIds: "/job_id", maxItems: 1 },
} as const;

/** The error of a definition, without its types. */
function faultOf(contract: unknown, name = "rerun_job"): ContractError {
  try {
    defineTools({ [name]: contract } as never);
  } catch (error) {
    if (error instanceof ContractError) return error;
    throw error;
  }
  return expect.fail("the definition was taken");
}
const inputFault = (input: unknown) => faultOf({ description: "Runs a job.", input });
const memberFault = (member: unknown) =>
  inputFault({ type: "object", additionalProperties: false, properties: { it: member } });

describe("a registry", () => {
  const tools = defineTools({
    rerun_job: rerunJob,
    escalate: { description: "Wake someone.", input: nothing },
  });

  it("holds each contract under its name, with what was not said filled in", () => {
    expect(tools.rerun_job.name).toBe("rerun_job");
    expect({ ...tools.rerun_job }).toEqual({ ...rerunJob, sensitive: false });
    expect({ ...tools.escalate }).toEqual({
      description: "Wake someone.",
      input: nothing,
      confirm: false,
      sensitive: false,
    });
  });

  it("is frozen to its depths", () => {
    expect(() => {
      (tools as Record<string, unknown>).escalate = {};
    }).toThrow(TypeError);
    expect(() => {
      (tools.rerun_job as { confirm: boolean }).confirm = false;
    }).toThrow(TypeError);
    expect(() => {
      (tools.rerun_job.input.properties as Record<string, unknown>).job_id = text;
    }).toThrow(TypeError);
    expect(() => (tools.rerun_job.input.required as string[]).push("x")).toThrow(TypeError);
  });

  it("shares nothing with what it was made of", () => {
    const definition = structuredClone(rerunJob) as typeof rerunJob;
    const made = defineTools({ rerun_job: definition });
    (definition.input.properties.job_id as { maxLength: number }).maxLength = 1_000;
    expect(made.rerun_job.input.properties?.job_id?.maxLength).toBe(12);
  });

  it("is JSON, and the JSON is the registry", () => {
    const again = defineTools(JSON.parse(JSON.stringify(tools)));
    expect(again).toStrictEqual(tools);
    expect(Object.keys(JSON.parse(JSON.stringify(tools)).rerun_job)).toEqual([
      "description",
      "input",
      "sideEffect",
      "confirm",
      "risk",
      "effect",
      "sensitive",
    ]);
  });

  it("can be put together from others", () => {
    expect(defineTools({ ...tools, ...defineTools({ open_issue: rerunJob }) })).toHaveProperty("open_issue");
  });

  it("knows the types of the arguments", () => {
    const typed = defineTools({
      open_issue: {
        description: "Opens an issue.",
        input: {
          type: "object",
          additionalProperties: false,
          required: ["severity"],
          properties: {
            severity: { enum: ["p1", "p2"] },
            count: { type: ["integer", "null"] },
            labels: { type: "array", maxItems: 2, items: text },
          },
        },
      },
      close_issue: { description: "Closes one.", input: z.strictObject({ id: z.string().max(9) }) },
    });
    type Issue = { severity: "p1" | "p2"; count?: number | null; labels?: string[] };
    const answer = typed.open_issue.validate({ severity: "p1" });
    if (answer.ok) expectTypeOf(answer.value).toEqualTypeOf<Issue>();
    const other = typed.close_issue.validate({ id: "1" });
    if (other.ok) expectTypeOf(other.value).toEqualTypeOf<{ id: string }>();
  });
});

describe("the digest of a registry", () => {
  it("is the SHA-256 of its canonical JSON", () => {
    const canonical =
      '{"escalate":{"confirm":false,"description":"Wake someone.","input":{"additionalProperties":false,"type":"object"},"sensitive":false}}';
    expect(registryDigest(defineTools({ escalate: { description: "Wake someone.", input: nothing } }))).toBe(
      createHash("sha256").update(canonical).digest("hex"),
    );
  });

  it("is the same whatever the order of members, and another for any other word", () => {
    const { input, description, ...rest } = rerunJob;
    const digest = registryDigest(defineTools({ rerun_job: rerunJob }));
    expect(registryDigest(defineTools({ rerun_job: { ...rest, description, input } }))).toBe(digest);
    expect(registryDigest(defineTools({ rerun_job: { ...rerunJob, confirm: false } }))).not.toBe(digest);
    // An argument that fingerprints leave out is part of a contract.
    const cursor = { type: "object", additionalProperties: false, properties: { cursor: text } } as const;
    expect(registryDigest(defineTools({ list_jobs: { description: "Lists.", input: cursor } }))).not.toBe(
      registryDigest(
        defineTools({ list_jobs: { description: "Lists.", input: { ...cursor, properties: {} } } }),
      ),
    );
  });
});

describe("a name", () => {
  it.each([
    "rerun_job",
    "open_issue",
    "escalate",
    "get_user_by_id",
    "run_tests",
    "delete_all_files",
    "s3_put_object",
  ])("is taken: %s", (name) => expect(() => defineTools({ [name]: rerunJob })).not.toThrow());

  it.each(["run", "do", "update", "execute", "manage", "handle", "process", "do_it", "run_anything"])(
    "is refused as vague: %s",
    (name) => expect(faultOf(rerunJob, name)).toMatchObject({ code: "name", contract: name, place: "" }),
  );

  it.each([
    "",
    "rerunJob",
    "Rerun_job",
    "rerun-job",
    "_rerun",
    "rerun__job",
    "rerun_",
    "1_job",
    "a".repeat(65),
    "rerun job",
  ])("is refused, since it is no lower snake case: %s", (name) =>
    expect(faultOf(rerunJob, name).code).toBe("name"),
  );
});

describe("a contract is refused where it", () => {
  it.each([
    ["has no description", { input: nothing }, "description", "/description"],
    ["has a blank one", { description: " \n", input: nothing }, "description", "/description"],
    ["has no input", { description: "x" }, "value", "/input"],
    ["has a member that nobody reads", { ...rerunJob, confrim: true }, "keyword", ""],
    ["has another side effect", { ...rerunJob, sideEffect: "some" }, "value", "/sideEffect"],
    ["has a flag that is no boolean", { ...rerunJob, confirm: "yes" }, "value", "/confirm"],
    ["has another risk", { ...rerunJob, risk: "severe" }, "value", "/risk"],
    ["has another claim", { ...rerunJob, claim: true }, "value", "/claim"],
    ["has another operation", { ...rerunJob, effect: { operation: "deploy" } }, "value", "/effect/operation"],
    [
      "has an effect with other members",
      { ...rerunJob, effect: { operation: "read", all: true } },
      "keyword",
      "/effect",
    ],
    [
      "changes something and says that it only reads",
      { ...rerunJob, sideEffect: "read", effect: { operation: "delete" } },
      "value",
      "/effect/operation",
    ],
    [
      "points to an argument that is not there",
      { ...rerunJob, effect: { operation: "execute", resourceIds: "/job" } },
      "pointer",
      "/effect/resourceIds",
    ],
    [
      "points with something else than a pointer",
      { ...rerunJob, effect: { operation: "send", destination: "job_id" } },
      "pointer",
      "/effect/destination",
    ],
    [
      "bounds its effect by nothing",
      { ...rerunJob, effect: { operation: "read", maxItems: 0 } },
      "value",
      "/effect/maxItems",
    ],
    [
      "counts by an argument that may be below 0",
      {
        description: "x",
        input: { ...nothing, properties: { limit: { type: "integer", maximum: 9 } } },
        effect: { operation: "read", maxItems: "/limit" },
      },
      "pointer",
      "/effect/maxItems",
    ],
    [
      "lets the model confirm",
      { description: "x", input: { ...nothing, properties: { confirmed: { type: "boolean" } } } },
      "reserved",
      "/input/properties/confirmed",
    ],
    [
      "has an argument where the claim goes",
      { description: "x", claim: "required", input: { ...nothing, properties: { claim: text } } },
      "reserved",
      "/input/properties/claim",
    ],
    ["is no object", "rerun", "value", ""],
  ])("%s", (_, contract, code, place) => {
    const error = faultOf(contract);
    expect(error).toMatchObject({ code, place, contract: "rerun_job", name: "ContractError" });
    expect(error.allowed).not.toBe("");
    expect(TrustablError.isInstance(error)).toBe(true);
  });

  it.each([
    ["an open object", { type: "object" }, "open_object", "/input"],
    [
      "an object open to more",
      { type: "object", additionalProperties: true },
      "value",
      "/input/additionalProperties",
    ],
    ["no object at the top", { type: "string", maxLength: 5 }, "value", "/input/type"],
    ["an object or nothing at the top", { ...nothing, type: ["object", "null"] }, "value", "/input/type"],
    ["a required member that is not declared", { ...nothing, required: ["id"] }, "value", "/input/required"],
    ["a class instance", new Map(), "value", "/input"],
    ["a function inside", { ...nothing, description: () => "x" }, "not_json", "/input"],
    [
      "an integer that JSON cannot carry",
      { ...nothing, properties: { n: { const: 2 ** 60 } } },
      "not_json",
      "/input",
    ],
  ])("has an input with %s", (_, input, code, place) => {
    expect(inputFault(input)).toMatchObject({ code, place });
  });

  it.each([
    ["a keyword outside the subset", { ...text, format: "email" }, "keyword", "/format"],
    ["a reference", { $ref: "#/$defs/x" }, "keyword", "/$ref"],
    ["a union", { anyOf: [text] }, "keyword", "/anyOf"],
    ["a keyword called like a method of objects", { ...text, toString: 1 }, "keyword", "/toString"],
    ["no type", { description: "anything" }, "unbounded", ""],
    ["true for a schema", true, "value", ""],
    ["another type", { type: "text" }, "value", "/type"],
    ["a type twice", { type: ["null", "null"] }, "value", "/type"],
    ["a string without end", { type: "string" }, "unbounded", ""],
    ["a string or null without end", { type: ["string", "null"] }, "unbounded", ""],
    ["a list without end", { type: "array", items: text }, "unbounded", ""],
    ["a list of anything", { type: "array", maxItems: 3 }, "unbounded", ""],
    ["a bound that bounds nothing", { type: "string", maxLength: 1e9 }, "value", "/maxLength"],
    ["a pattern without maxLength", { enum: ["a"], pattern: "^a$" }, "unbounded", ""],
    ["a pattern that is not anchored", { ...text, pattern: "a" }, "pattern", "/pattern"],
    ["a pattern that goes back", { ...text, pattern: "^(a+)+$" }, "pattern", "/pattern"],
    ["a keyword of another type", { type: "integer", maxLength: 3 }, "keyword", "/maxLength"],
    ["bounds that contradict", { type: "integer", minimum: 2, maximum: 1 }, "value", ""],
    ["bounds that leave nothing", { type: "number", minimum: 1, exclusiveMaximum: 1 }, "value", ""],
    ["lengths that contradict", { type: "string", minLength: 3, maxLength: 2 }, "value", ""],
    ["an empty enum", { enum: [] }, "value", "/enum"],
    ["a value twice", { enum: ["a", "a"] }, "value", "/enum"],
    ["a listed value of another type", { type: "string", enum: ["a", 1] }, "value", "/enum"],
    ["a listed value that is too long", { ...text, maxLength: 1, enum: ["ab"] }, "value", "/enum"],
    ["a default that is not allowed", { type: "boolean", default: "yes" }, "value", "/default"],
    ["a multiple of nothing", { type: "number", multipleOf: 0 }, "value", "/multipleOf"],
    ["an open object further in", { type: "object", properties: {} }, "open_object", ""],
    [
      "a name for a prototype",
      JSON.parse('{"type":"object","additionalProperties":false,"properties":{"__proto__":{"type":"null"}}}'),
      "value",
      "/properties/__proto__",
    ],
    [
      "a name that no provider takes",
      { ...nothing, properties: { "a b": text } },
      "value",
      "/properties/a b",
    ],
  ])("has an argument with %s", (_, member, code, place) => {
    expect(memberFault(member)).toMatchObject({ code, place: `/input/properties/it${place}` });
  });

  it("has schemas that are too deep", () => {
    let schema: object = text;
    for (let level = 0; level < 40; level++) schema = { type: "array", maxItems: 1, items: schema };
    expect(memberFault(schema).code).toBe("unbounded");
  });

  it("and the registry where it is no object", () => {
    for (const registry of [null, [], "x"])
      expect(() => defineTools(registry as never)).toThrow(ContractError);
  });
});

describe("an input given as a Standard Schema", () => {
  it("of zod is converted to data", () => {
    const input = z.strictObject({
      severity: z.enum(["p1", "p2"]).describe("How bad it is."),
      title: z.string().min(1).max(80).nullable(),
      count: z.int().min(1).max(9).default(2),
      labels: z
        .array(
          z
            .string()
            .regex(/^[a-z]*$/)
            .max(9),
        )
        .max(3)
        .optional(),
    });
    expect(defineTools({ open_issue: { description: "x", input } }).open_issue.input).toEqual({
      type: "object",
      additionalProperties: false,
      required: ["severity", "title"],
      properties: {
        severity: { type: "string", enum: ["p1", "p2"], description: "How bad it is." },
        title: { type: ["string", "null"], minLength: 1, maxLength: 80 },
        count: { type: "integer", minimum: 1, maximum: 9, default: 2 },
        labels: { type: "array", maxItems: 3, items: { type: "string", pattern: "^[a-z]*$", maxLength: 9 } },
      },
    });
  });

  it("of valibot too", () => {
    const input = toStandardJsonSchema(
      v.strictObject({ id: v.pipe(v.string(), v.maxLength(9)), size: v.optional(v.picklist(["s", "m"])) }),
    );
    expect(defineTools({ open_issue: { description: "x", input } }).open_issue.input).toMatchObject({
      required: ["id"],
      properties: { id: { type: "string", maxLength: 9 }, size: { enum: ["s", "m"] } },
    });
  });

  const string = z.string().max(9);
  it.each([
    ["a refinement", z.strictObject({ a: string.refine((value) => value !== "x") })],
    ["a refinement of the whole", z.strictObject({ a: string }).refine(() => true)],
    ["a refinement of a list's items", z.strictObject({ a: z.array(string.refine(() => true)).max(2) })],
    ["a refinement behind optional", z.strictObject({ a: string.refine(() => true).optional() })],
    ["a check of one's own", z.strictObject({ a: string.check(() => undefined) })],
    ["a change of the value", z.strictObject({ a: string.trim() })],
    ["a transformation", z.strictObject({ a: string.transform(Number) })],
    ["a coercion", z.strictObject({ a: z.coerce.number() })],
    ["an expression that ignores case", z.strictObject({ a: string.regex(/^[a-z]*$/i) })],
    ["a type that is no data", z.strictObject({ a: z.date() })],
    ["a fallback", z.strictObject({ a: string.catch("x") })],
    [
      "valibot's check",
      toStandardJsonSchema(
        v.strictObject({
          a: v.pipe(
            v.string(),
            v.maxLength(9),
            v.check(() => true),
          ),
        }),
      ),
    ],
  ])("is refused where the data would say less: %s", (_, input) => {
    expect(inputFault(input)).toMatchObject({ code: "conversion", place: "/input" });
  });

  it("is refused for what the subset has no word for, at its place", () => {
    expect(inputFault(z.strictObject({ a: z.email().max(99) }))).toMatchObject({
      code: "keyword",
      place: "/input/properties/a/format",
    });
    expect(inputFault(z.strictObject({ a: z.string() }))).toMatchObject({
      code: "unbounded",
      place: "/input/properties/a",
    });
    expect(inputFault(z.object({ a: z.boolean() }))).toMatchObject({ code: "open_object", place: "/input" });
    expect(inputFault(v.strictObject({ a: v.boolean() })).code).toBe("conversion");
  });
});
