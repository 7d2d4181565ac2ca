/** The model that the documented example takes: any chat model of LangChain. */
import { scripted } from "./agents.ts";

export const model = scripted([
  { name: "search_flights", args: { to: "JFK" }, id: "c1" },
  { name: "book_flight", args: { flight: "BA1" }, id: "c2" },
]);
