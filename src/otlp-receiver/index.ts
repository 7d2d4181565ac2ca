export type { ContentType, Rejected, TraceRequest } from "./encoding.ts";
export type { Received } from "./exchange.ts";
export { DEFAULT_PORT, type OtlpReceiver, type ReceiverOptions, startOtlpReceiver } from "./receiver.ts";
export { ReceiverError } from "./receiver-error.ts";
export { Refusal, type RefusalCode } from "./refusal.ts";
export type { IgnoredSignal, Route } from "./routes.ts";
