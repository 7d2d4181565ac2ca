/** Stops the reading of a pattern. Never leaves this folder. */
export class PatternFault extends Error {
  readonly allowed: string;

  constructor(allowed: string) {
    super(allowed);
    this.allowed = allowed;
  }
}
