import { trace } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { markToolSpan, wrapTool } from "../../../src/index.ts";
import { assertWrapperSurvivesFaults } from "../../../src/testing/index.ts";

type ToolFunction = Parameters<Parameters<typeof assertWrapperSurvivesFaults>[0]>[0];

const mark = (args: unknown) => {
  markToolSpan(trace.getActiveSpan(), { args, attempt: 1 });
};

describe("wrapTool under every fault, around every kind of tool", () => {
  it("gives the tool and its caller the very values, once, whatever breaks", async () => {
    await assertWrapperSurvivesFaults((tool) => wrapTool({ name: "probe", sideEffect: "read" }, tool));
  });

  it("does so with every option that looks at arguments, results and errors", async () => {
    const throwing = () => {
      throw new Error("the option throws");
    };
    await assertWrapperSurvivesFaults((tool) =>
      wrapTool(
        { name: "probe", isEmpty: throwing, errorClass: throwing, callId: throwing, span: throwing },
        tool,
      ),
    );
  });
});

/** Each passes where one only compares what comes out, value by value. */
const wrongWrappers: Record<string, { wrap: (tool: ToolFunction) => ToolFunction; says: RegExp }> = {
  "hands on copies of the arguments": {
    wrap: (tool) =>
      function (args, ...rest) {
        mark(args);
        return tool.call(this, { ...(args as object) }, ...rest);
      },
    says: /without any fault, a tool that returns an object: it was called with other parameters, or copies/,
  },
  "loses a parameter": {
    wrap: (tool) =>
      function (args) {
        mark(args);
        return tool.call(this, args);
      },
    says: /it was called with other parameters, or copies/,
  },
  "loses the tool's this": {
    wrap:
      (tool) =>
      (...parameters) => {
        mark(parameters[0]);
        return tool(...parameters);
      },
    says: /it was called with another this/,
  },
  "calls again after a failure": {
    wrap: (tool) =>
      function (...parameters) {
        mark(parameters[0]);
        try {
          return tool.apply(this, parameters);
        } catch {
          return tool.apply(this, parameters);
        }
      },
    says: /a tool that throws an object: it was called 2 times/,
  },
  "throws an equal error that is not the same": {
    wrap: (tool) =>
      function (...parameters) {
        mark(parameters[0]);
        try {
          return tool.apply(this, parameters);
        } catch (error) {
          throw typeof error === "object" ? { ...error } : error;
        }
      },
    says: /a tool that throws an object: it threw with another value than the tool itself/,
  },
  "looks into results without care": {
    wrap: (tool) =>
      function (...parameters) {
        mark(parameters[0]);
        const result = tool.apply(this, parameters);
        trace.getActiveSpan()?.setAttribute("trustabl.tool.output_fp", JSON.stringify(result) ?? "");
        return result;
      },
    says: /a tool that returns a cycle: it threw \(TypeError\) where the tool itself returned/,
  },
};

describe("a wrapper that is wrong", () => {
  it.each(Object.entries(wrongWrappers))("is found out when it %s", async (_what, { wrap, says }) => {
    await expect(assertWrapperSurvivesFaults(wrap)).rejects.toThrow(
      expect.objectContaining({ code: "fault_reached_tool", message: expect.stringMatching(says) }),
    );
  });

  it("cannot be tried when it writes no label", async () => {
    await expect(assertWrapperSurvivesFaults((tool) => tool)).rejects.toThrow(
      expect.objectContaining({ code: "nothing_to_test" }),
    );
  });
});
