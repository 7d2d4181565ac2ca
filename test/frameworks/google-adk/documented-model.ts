/** What the model of the example in the document says. */
import { ScriptedModel } from "./scripted-model.ts";

export const model: ScriptedModel = new ScriptedModel(
  [{ name: "search_flights", args: { to: "JFK" } }],
  [{ name: "book_flight", args: { flight: "LHR-JFK" } }],
);
