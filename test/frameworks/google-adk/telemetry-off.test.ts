import { expect, it } from "vitest";
import { labelTools } from "../../../src/adapters/google-adk.ts";
import { withRun } from "../../../src/index.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { scenario } from "../scenario.ts";
import { agent, ask, search, searchTool } from "./agents.ts";

it(
  "leaves the tool as it is without a tracer provider, and says once that there is no span",
  scenario("Google ADK 2.0", "telemetry-off"),
  async () => {
    const messages = hearDiagnostics();
    const events = await withRun(undefined, () =>
      ask(agent([[search("c1")], [search("c2")]], { tools: labelTools([searchTool()]) })),
    );
    const results = events
      .flatMap(({ content }) => content?.parts ?? [])
      .flatMap(({ functionResponse }) => functionResponse ?? []);
    expect(results.map(({ response }) => response)).toEqual([{ found: "#x-c1#" }, { found: "#x-c2#" }]);
    expect(ownMessages(messages)).toEqual([
      expect.stringContaining('a call of the tool "search", so it was not labelled: no span is active'),
    ]);
  },
);
