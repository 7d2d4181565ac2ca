/** SDK 2: a server answers a call with a question, and the client sends the call again with what it was asked for. */
import { Client, type Transport } from "@modelcontextprotocol/client";
import { acceptedContent, inputRequired, type McpServer } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { z } from "zod";
import { labelClient } from "../../../src/adapters/mcp.ts";
import { canonicalFp } from "../../../src/index.ts";
import { instrumentClients, SDKS, type Sdk } from "./sdks.ts";
import { expectNoOtherLabels, expectPass, heard, inRun, labelsOf, takeSpans } from "./tracing.ts";

instrumentClients();
const answer = z.object({ sure: z.boolean() });
let handled = 0;

function registerDeploy(server: McpServer): void {
  server.registerTool("deploy", { inputSchema: z.object({ to: z.string() }) }, async ({ to }, ctx) => {
    handled++;
    if (acceptedContent(ctx.mcpReq.inputResponses, "confirm", answer)?.sure === true) {
      return { content: [{ type: "text", text: `deployed to ${to}` }] };
    }
    const confirm = inputRequired.elicit({ message: "Sure?", requestedSchema: answer });
    return inputRequired({ inputRequests: { confirm } });
  });
}

it("takes a call that is sent again, with the input that its server asked for, for one call", async () => {
  const [, sdk] = SDKS as [Sdk, Sdk];
  const served = await sdk.http((server) => registerDeploy(server as unknown as McpServer));
  const client = labelClient(
    new Client(
      { name: "demo", version: "1" },
      { versionNegotiation: { mode: "auto" }, capabilities: { elicitation: { form: {} } } },
    ),
    { deploy: { sideEffect: "irreversible" } },
  );
  client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { sure: true } }));
  const messages = await heard(async () => {
    await client.connect(served.transport as Transport);
    // Older revisions of the protocol ask in a request of the server's own.
    expect(client.getProtocolEra()).toBe("modern");
    await inRun(() => client.callTool({ name: "deploy", arguments: { to: "x" } }));
    await client.close();
  });
  served.close();
  expect(handled).toBe(2);
  const spans = takeSpans();
  const [span, ...more] = spans.filter(({ name }) => name === "deploy.tool");
  expect(more).toEqual([]);
  expect(labelsOf(span)).toMatchObject({
    "trustabl.tool.attempt": 1,
    "trustabl.tool.input_fp": canonicalFp({ to: "x" }),
    "trustabl.tool.output_fp": canonicalFp({ content: [{ type: "text", text: "deployed to x" }] }),
  });
  expectNoOtherLabels(spans, span === undefined ? [] : [span]);
  expectPass(spans);
  expect(messages).toEqual([]);
});
