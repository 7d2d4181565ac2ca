/** The model that the documented example takes: any model of Strands. */
import { call, ScriptedModel } from "./scripted-model.ts";

export const model = () =>
  new ScriptedModel([
    [call("call_1", "search_flights", { to: "JFK" })],
    [call("call_2", "book_flight", { flight: "LHR-JFK" })],
  ]);
