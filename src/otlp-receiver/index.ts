export type { Rejected, TraceRequest } from "./encoding.ts";
export type { ReceiverHandlers } from "./exchange.ts";
export { decodeTraceRequest } from "./protobuf/decode.ts";
export { ProtobufError, type ProtobufErrorCode } from "./protobuf/protobuf-error.ts";
export {
  DEFAULT_PORT,
  type OtlpReceiver,
  type ReceiverLimits,
  type ReceiverOptions,
  startOtlpReceiver,
} from "./receiver.ts";
export { ReceiverError, type ReceiverErrorCode } from "./receiver-error.ts";
export { Refusal, type RefusalCode } from "./refusal.ts";
export type { IgnoredSignal } from "./routes.ts";
