import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { beforeAll, describe, expect, it } from "vitest";
import { type Binding, bindAuthority } from "../../src/labels/policy-binding.ts";
import { loadPolicies } from "../../src/policies/index.ts";
import { described, flip, POLICY, read, temporaryFolder, write, writePolicy } from "./support/deployment.ts";
import { ed25519Key, sha256, sign } from "./support/openssl.ts";

const folder = temporaryFolder();

beforeAll(() => {
  const key = ed25519Key(folder);
  writePolicy(folder);
  write(folder, "good.sig", sign(folder, key, POLICY));
  write(folder, "bad.sig", flip(read(folder, "good.sig"), 7));
  const trust = { keys: [{ id: "release", public_key: key.publicPem }] };
  const entry = (id: string, signature: string) => ({
    ...described,
    id,
    format: "ed25519",
    signature,
    trust,
  });
  const policies = [entry("first", "good.sig"), entry("rejected", "bad.sig"), entry("last", "good.sig")];
  write(folder, "policies.json", JSON.stringify({ policies }));
});

describe("the events on the exported root span", () => {
  it("carry exactly the verified values; for the rejected policy there is none", async () => {
    const { verified, failed } = await loadPolicies(`${folder}/policies.json`);
    expect(failed.map(({ id }) => id)).toEqual(["rejected"]);
    const exporter = new InMemorySpanExporter();
    const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const root = provider.getTracer("test").startSpan("invoke_agent");
    bindAuthority(root, verified);
    root.end();
    const events = exporter.getFinishedSpans()[0]?.events ?? [];
    const attributes = (id: string) => ({
      "trustabl.policy.binding.id": id,
      "trustabl.policy.binding.type": "sandbox",
      "trustabl.policy.binding.sha256": sha256(folder, "egress.yaml"),
      "trustabl.policy.binding.version": "3.1.0",
      "trustabl.policy.binding.required": true,
      "trustabl.policy.binding.source": "sidecar",
    });
    expect(events.map((event) => [event.name, { ...event.attributes }])).toEqual([
      ["trustabl.policy.binding", attributes("first")],
      ["trustabl.policy.binding", attributes("last")],
    ]);
  });

  it("are what the root door needs and no more: loaded policies have the shape that a run takes", async () => {
    /** Written out here as the root door has it, which imports nothing of Node. */
    interface PolicySet {
      readonly verified: readonly Binding[];
      readonly failed: readonly { readonly id: string; readonly required: boolean; readonly code: string }[];
    }
    const set: PolicySet = await loadPolicies(`${folder}/policies.json`);
    expect(set.failed.filter(({ required }) => required).map(({ id, code }) => [id, code])).toEqual([
      ["rejected", "signature_invalid"],
    ]);
  });
});
