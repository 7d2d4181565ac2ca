/** The flight desk's tools: ordinary AI SDK tools, each function wrapped where it is defined. */
import { wrapTool } from "agent-reliability-otel-labels";
import { tool } from "ai";
import { z } from "zod";

const place = z.string().length(3);

export const tools = {
  search_flights: tool({
    description: "Search flights between two airports on a date.",
    inputSchema: z.object({ from: place, to: place, date: z.string() }),
    execute: wrapTool(
      { name: "search_flights", sideEffect: "read", isEmpty: ({ flights }) => flights.length === 0 },
      async ({ date }: { from: string; to: string; date: string }) => ({
        // The first of October is sold out.
        flights: date === "2026-10-01" ? [] : [{ flight: "XY 12", seats: 3 }],
        request_id: crypto.randomUUID(),
      }),
    ),
  }),
  search_hotels: tool({
    description: "Search hotels in a city.",
    inputSchema: z.object({ city: z.string() }),
    execute: wrapTool({ name: "search_hotels", sideEffect: "read" }, async ({ city }: { city: string }) => [
      { hotel: `Grand ${city}`, checkedAt: new Date(0) },
    ]),
  }),
  get_fare: tool({
    description: "Get the fare of a flight.",
    inputSchema: z.object({ flight: z.string() }),
    execute: wrapTool(
      { name: "get_fare", sideEffect: "read" },
      async (_fare: { flight: string }): Promise<number> => {
        throw Object.assign(new Error("the fare service is down"), { status: 503 });
      },
    ),
  }),
  book_flight: tool({
    description: "Hold a seat on a flight for a day.",
    inputSchema: z.object({ flight: z.string(), passenger: z.string() }),
    execute: wrapTool(
      { name: "book_flight", sideEffect: "write" },
      async ({ flight }: { flight: string; passenger: string }) => ({ held: flight }),
    ),
  }),
};
