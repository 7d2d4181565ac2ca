import { describe, expect, it } from "vitest";
import { canonicalFp } from "../../../src/index.ts";
import { useContextManager } from "../../support/tracing.ts";
import { type Any, inputSchema, modes } from "./agent.ts";
import { Application } from "./request.ts";
import { call } from "./scripted-model.ts";

useContextManager();

// AI SDK 5 has no approvals.
describe.each(modes.filter(({ version }) => version.major > 5))(
  "an approval with $title",
  ({ answer, shows }) => {
    it(
      "labels a call once it is approved, and makes none of a refused one",
      shows("approval-granted", "approval-refused"),
      async () => {
        for (const approved of [true, false]) {
          const application = new Application();
          let executed = 0;
          const options = {
            tools: {
              danger: {
                inputSchema,
                needsApproval: true,
                execute: async () => {
                  executed += 1;
                  return "deleted";
                },
              },
            },
          };
          const messages: Any[] = [{ role: "user", content: "go" }];
          const asked = await answer(application, {
            ...options,
            script: [[call("call_1", "danger")]],
            messages,
          });
          expect([executed, application.labelsByCall()]).toEqual([0, {}]);
          const { approvalId } = asked.content.find(({ type }: Any) => type === "tool-approval-request");
          messages.push(...asked.response.messages, {
            role: "tool",
            content: [{ type: "tool-approval-response", approvalId, approved }],
          });
          await answer(application, { ...options, script: ["done"], messages });
          expect(executed).toBe(approved ? 1 : 0);
          expect(application.labelsByCall()).toEqual(
            approved
              ? {
                  call_1: expect.objectContaining({
                    attempt: 1,
                    step_index: 0,
                    output_fp: canonicalFp("deleted"),
                  }),
                }
              : {},
          );
          const roots = application.spans().filter(({ name }) => name === "invoke_agent helper");
          expect(roots.map(({ attributes }) => attributes["trustabl.exit_reason"])).toEqual([
            "final_answer",
            "final_answer",
          ]);
          application.expectVerified(approved ? "pass" : "nothing-to-check");
        }
      },
    );
  },
);
