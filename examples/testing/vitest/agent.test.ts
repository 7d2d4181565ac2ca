/** With vitest: `npx vitest run --root examples/testing/vitest` */
import { canonicalFp } from "agent-reliability-otel-labels";
import { assertToolSurvivesFaults, plantCanary, recordTraces } from "agent-reliability-otel-labels/testing";
import "agent-reliability-otel-labels/testing/vitest";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bookSeat, tools } from "../agent.ts";

describe("the booking agent", () => {
  let traces: ReturnType<typeof recordTraces>;
  beforeEach(() => {
    traces = recordTraces();
  });
  afterEach(() => traces.close());

  it("is labelled as the contract asks", async () => {
    await bookSeat("Ada");
    await expect(traces).toPassVerification();
    await expect(traces).toHaveRunEnd("final_answer");
  });

  it("repeats a search that found nothing once, and books last", async () => {
    await bookSeat("Ada");
    await expect(traces).toHaveToolSpan("find_seats", {
      "trustabl.tool.input_fp": canonicalFp({ flight: "XY 7" }),
      "trustabl.tool.attempt": 2,
      "trustabl.tool.error_class": "empty",
    });
    await expect(traces).toHaveToolSpan("book_seat", {
      "trustabl.step_index": 3,
      "trustabl.tool.side_effect": "write",
      "trustabl.tool.error_class": undefined,
    });
  });

  it("lets no content into a label", async () => {
    const canary = plantCanary();
    await bookSeat(canary.argument);
    await traces.assertNoLeak(canary);
  });

  it("answers as always when labelling fails", async () => {
    expect(await traces.whileLabelsFail(() => bookSeat("Ada"))).toBe("Your seat is booked.");
    await assertToolSurvivesFaults(tools.find_seats.execute!, { parameters: [{ flight: "XY 12" }] });
    await assertToolSurvivesFaults(tools.book_seat.execute!, {
      parameters: [{ flight: "XY 12", passenger: "" }],
    });
  });
});
