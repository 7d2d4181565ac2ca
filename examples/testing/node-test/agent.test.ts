/** With Node's own test runner: `node --import tsx --test examples/testing/node-test/agent.test.ts` */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { canonicalFp } from "agent-reliability-otel-labels";
import { assertToolSurvivesFaults, plantCanary, recordTraces } from "agent-reliability-otel-labels/testing";
import { bookSeat, tools } from "../agent.ts";

describe("the booking agent", () => {
  let traces: ReturnType<typeof recordTraces>;
  beforeEach(() => {
    traces = recordTraces();
  });
  afterEach(() => traces.close());

  it("is labelled as the contract asks", async () => {
    await bookSeat("Ada");
    await traces.assertVerified();
    assert.equal((await traces.root()).attributes["trustabl.exit_reason"], "final_answer");
  });

  it("repeats a search that found nothing once, and books last", async () => {
    await bookSeat("Ada");
    const [, second] = await traces.toolSpans("find_seats");
    assert.equal(second?.attributes["trustabl.tool.input_fp"], canonicalFp({ flight: "XY 7" }));
    assert.equal(second?.attributes["trustabl.tool.attempt"], 2);
    assert.equal(second?.attributes["trustabl.tool.error_class"], "empty");
    const [booking] = await traces.toolSpans("book_seat");
    assert.equal(booking?.attributes["trustabl.step_index"], 3);
  });

  it("lets no content into a label", async () => {
    const canary = plantCanary();
    await bookSeat(canary.argument);
    await traces.assertNoLeak(canary);
  });

  it("answers as always when labelling fails", async () => {
    assert.equal(await traces.whileLabelsFail(() => bookSeat("Ada")), "Your seat is booked.");
    await assertToolSurvivesFaults(tools.find_seats.execute!, { parameters: [{ flight: "XY 12" }] });
  });
});
