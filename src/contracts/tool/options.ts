/**
 * What an application says about a guarded tool besides its contract.
 *
 * @module
 */
import type { TrustablError } from "../../errors.ts";
import type { ToolDefinition } from "../../tool/tool-definition.ts";
import type { ValidationOptions } from "../validation.ts";

/** Options of `tool()`: how the call is read, confirmed, answered when it is refused, and labelled. */
export interface ContractToolOptions<Arguments, Rest extends unknown[], Result>
  extends ValidationOptions,
    Pick<
      ToolDefinition<(args: Arguments, ...rest: Rest) => Result>,
      | "errorClass"
      | "isEmpty"
      | "callId"
      | "volatileKeys"
      | "fingerprint"
      | "span"
      | "trustActiveSpan"
      | "run"
    > {
  /**
   * Whether somebody outside the model has confirmed this call: asked for contracts with `confirm: true`, with the arguments
   * that the contract allowed and whatever else the framework calls the tool with. Nothing but `true` confirms; a throw does
   * not. Default: nothing is confirmed.
   */
  readonly confirmed?: ((args: Arguments, ...rest: Rest) => boolean | Promise<boolean>) | undefined;
  /**
   * What the tool gives back for a refused call, where the framework does not show a thrown error to the model. Default: the
   * error is thrown. The span's label is the same.
   */
  readonly onRefusal?: ((error: TrustablError) => unknown) | undefined;
  /** `false`: the call is labelled elsewhere, from hooks of the framework, and would be counted twice. Default `true`. */
  readonly labelled?: boolean | undefined;
}
