import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { targetsOf } from "../../../src/otlp-relay/forward/target.ts";
import type { OtlpRelayOptions } from "../../../src/otlp-relay/index.ts";

type Given = Partial<OtlpRelayOptions>;
const targets = (options: Given, environment: Record<string, string> = {}) =>
  targetsOf({ labelsOf: () => undefined, ...options }, environment);
const urls = (options: Given, environment: Record<string, string> = {}) =>
  Object.fromEntries([...targets(options, environment)].map(([signal, { url }]) => [signal, url.href]));
const codeOf = (options: Given, environment: Record<string, string> = {}) => {
  try {
    targets(options, environment);
    return "none";
  } catch (error) {
    return error as Error & { code: string };
  }
};

describe("targetsOf", () => {
  it("appends the paths of the signals to a base URL, with or without a path, a slash or a query", () => {
    expect(urls({ endpoint: "https://host:8443/otlp/?tenant=1#x" })).toEqual({
      traces: "https://host:8443/otlp/v1/traces?tenant=1",
      metrics: "https://host:8443/otlp/v1/metrics?tenant=1",
      logs: "https://host:8443/otlp/v1/logs?tenant=1",
      profiles: "https://host:8443/otlp/v1development/profiles?tenant=1",
    });
    expect(urls({ endpoint: "http://host" }).traces).toBe("http://host/v1/traces");
  });

  it("takes tracesUrl as it is, and knows no other endpoint then", () => {
    expect(urls({ tracesUrl: "http://host/ingest" })).toEqual({ traces: "http://host/ingest" });
    expect(urls({ tracesUrl: "http://host/ingest", endpoint: "http://other" })).toMatchObject({
      traces: "http://host/ingest",
      logs: "http://other/v1/logs",
    });
  });

  it("reads OpenTelemetry's variables, the signal's own first, and an empty one as unset", () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://general/",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://traces/exact",
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: " ",
    };
    expect(urls({}, environment)).toMatchObject({
      traces: "http://traces/exact",
      metrics: "http://general/v1/metrics",
    });
    expect(urls({ endpoint: "http://option" }, environment)).toMatchObject({
      traces: "http://option/v1/traces",
      metrics: "http://option/v1/metrics",
    });
    expect(urls({ tracesUrl: "http://option" }, environment)).toMatchObject({
      traces: "http://option/",
      logs: "http://general/v1/logs",
    });
  });

  it("reads the files of certificates that the variables name, for endpoints behind TLS", () => {
    const folder = mkdtempSync(join(tmpdir(), "targets-"));
    try {
      const file = (name: string) => {
        writeFileSync(join(folder, name), name);
        return join(folder, name);
      };
      const environment = {
        OTEL_EXPORTER_OTLP_CERTIFICATE: file("root"),
        OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: file("own root"),
        OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: file("client"),
        OTEL_EXPORTER_OTLP_CLIENT_KEY: file("key"),
      };
      const secure = targets({ endpoint: "https://host" }, environment);
      expect(secure.get("traces")?.tls).toEqual({ ca: "own root", cert: "client", key: "key" });
      expect(secure.get("logs")?.tls).toEqual({ ca: "root", cert: "client", key: "key" });
      expect(targets({ endpoint: "http://host" }, environment).get("traces")?.tls).toEqual({});
      const missing = { OTEL_EXPORTER_OTLP_CERTIFICATE: join(folder, "missing") };
      expect(codeOf({ endpoint: "http://host" }, missing)).toBe("none");
      expect(codeOf({ endpoint: "https://host" }, missing)).toMatchObject({
        code: "bad_certificate",
        message: expect.not.stringContaining(folder),
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("reads headers from the variables, percent-encoded, and those of the options instead", () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://host",
      OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Basic%20YWJj=, x-one = 1,nothing,=x",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x-one=2,x-bad=%zz",
    };
    const headers = (options: Given) => {
      const found = targets(options, environment);
      return [found.get("traces")?.headers, found.get("logs")?.headers];
    };
    const general = { authorization: "Basic YWJj=", "x-one": "1" };
    expect(headers({})).toEqual([{ ...general, "x-one": "2", "x-bad": "%zz" }, general]);
    expect(headers({ headers: { Key: "v" } })).toEqual([{ key: "v" }, { key: "v" }]);
  });

  it("refuses an endpoint that speaks gRPC, if the environment names it", () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://host:4317",
      OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    };
    expect(codeOf({}, environment)).toMatchObject({ code: "grpc_endpoint" });
    expect(codeOf({ endpoint: "http://host" }, environment)).toBe("none");
    expect(codeOf({}, { ...environment, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" })).toBe("none");
  });

  it.each<[string, Given]>([
    ["no_endpoint", {}],
    ["bad_endpoint", { endpoint: "ftp://user:secret@host" }],
    ["bad_endpoint", { endpoint: "secret" }],
    ["bad_endpoint", { tracesUrl: "" }],
    ["bad_headers", { endpoint: "http://host", headers: { "secret key": "x" } }],
    ["bad_headers", { endpoint: "http://host", headers: { key: "secret\r\nx: y" } }],
    ["bad_headers", { endpoint: "http://host", headers: { key: undefined as never } }],
  ])("says %s, and shows nothing that could be a credential", (code, options) => {
    const error = codeOf(options) as Error;
    expect(error).toMatchObject({ code });
    expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain("secret");
    expect(error.cause).toBeUndefined();
  });
});
