/** SHA-256 of a text that arrives in pieces. */
export interface Sha256Stream {
  /** Adds well-formed text. A surrogate pair must not be cut in two between pieces. */
  update(piece: string): void;
  /** 64 lower-case hexadecimal characters. Ends the stream. */
  digest(): string;
}
