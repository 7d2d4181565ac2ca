/**
 * Why bytes are no protobuf message that can be read.
 *
 * @module
 */
import { TrustablError } from "../../errors.ts";

/** What was wrong, for people. The codes are the contract. */
const MEANINGS = {
  truncated: "the message ends in the middle of a field",
  malformed: "the bytes are not a protobuf message",
  group: "the message uses groups, which OTLP never does",
  too_deep: "messages are nested too deep",
  too_many: "the message holds too many parts",
} as const;

/** Why bytes cannot be read. */
export type ProtobufErrorCode = keyof typeof MEANINGS;

/** Thrown by the protobuf reader, and nothing else is. Says where, never what. */
export class ProtobufError extends TrustablError<ProtobufErrorCode> {
  /** Where reading stopped, in bytes from the start. */
  readonly offset: number;

  constructor(code: ProtobufErrorCode, offset: number) {
    super(code, `${MEANINGS[code]} (at byte ${offset})`);
    this.offset = offset;
  }
}
