/**
 * The error that the harness throws on purpose.
 *
 * @module
 */
import { TrustablError } from "../../errors.ts";

/** Thrown where a label is written while faults are injected. A tool or an agent must never see it. */
export class InjectedFault extends TrustablError<"injected_fault"> {
  constructor() {
    super(
      "injected_fault",
      "This error was injected while a label was written, and should not have come out.",
    );
  }
}

Object.defineProperty(InjectedFault.prototype, "name", {
  value: "InjectedFault",
  configurable: true,
  writable: true,
});
