/** The two policies of this deployment. Their hashes are the files' own; nothing here is invented. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Binding } from "agent-reliability-otel-labels";

const sha256 = (file: string) =>
  createHash("sha256")
    .update(readFileSync(new URL(`./policies/${file}`, import.meta.url)))
    .digest("hex");

export const policies: Binding[] = [
  {
    id: "flight-desk-sandbox",
    type: "sandbox",
    version: "3",
    sha256: sha256("sandbox.yaml"),
    required: true,
    source: "entrypoint",
  },
  {
    id: "flight-desk-content",
    type: "content_safety",
    version: "8",
    sha256: sha256("content.yaml"),
    required: false,
    source: "entrypoint",
  },
];
