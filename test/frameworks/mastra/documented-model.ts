/** The model that the documented example takes: any model of Mastra. */
import { call, scriptedModel } from "./scripted-model.ts";

export const model = scriptedModel([
  [call("call_1", "search_flights", { to: "JFK" })],
  [call("call_2", "book_flight", { flight: "LHR-JFK" })],
]);
