import { expect, it } from "vitest";
import { scenario } from "../../frameworks/scenario.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { defineTravel } from "./genkit-documented.ts";
import { ai, scripted } from "./scripted-genkit.ts";

it(
  "leaves Genkit's tools as they are without a tracer provider",
  scenario("Genkit 1.42", "telemetry-off"),
  async () => {
    const messages = hearDiagnostics();
    const model = scripted([{ name: "search_flights", input: { to: "JFK" }, ref: "1" }]);
    expect(await defineTravel(ai, model)("go")).toBe("done");
    expect(ownMessages(messages)).toEqual([]);
  },
);
