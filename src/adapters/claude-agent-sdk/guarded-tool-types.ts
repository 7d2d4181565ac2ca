/**
 * What a guard of in-process tools takes and gives: shapes that fit the SDK's own types.
 *
 * @module
 */
import type { MediatedTools } from "../../claims/index.ts";
import type { Contract, ContractRegistry } from "../../contracts/index.ts";
import type { HookMatcher, PermissionCallback } from "./sdk-types.ts";

export type ArgumentsIn<Entry> = Entry extends Contract<infer Arguments> ? Arguments : never;
/** What a tool answers, as the Model Context Protocol has it; the literals keep `type: "text"` from becoming any text. */
export interface AgentToolResult {
  /** Blocks of the result, as the protocol's `CallToolResult` has them; what else a block holds is passed on as it is. */
  readonly content: readonly {
    readonly type: "text" | "image" | "audio" | "resource" | "resource_link";
  }[];
}
/** What a tool answers when nothing was run. */
export type Refusal = { isError: true; content: { type: "text"; text: string }[] };

/** Options of a `ToolGuard`. */
export interface ToolGuardOptions<Registry extends ContractRegistry> {
  /** The server's key in `options.mcpServers`. */
  readonly server: string;
  /** The registry that `defineTools` made; hooks know its tools as `mcp__SERVER__NAME`. */
  readonly contracts: Registry;
  /** What `mediate` made of the same contracts, for tools whose calls carry a claim. */
  readonly mediated?: MediatedTools<Registry> | undefined;
  /**
   * Makes a zod schema that is shown as this JSON Schema and lets every call through to the contract:
   * `(schema) => z.looseObject({}).meta(schema)`.
   */
  // biome-ignore lint/suspicious/noExplicitAny: what zod takes as metadata is narrower than what a JSON Schema is
  readonly show: (schema: { [keyword: string]: any }) => unknown;
}

/** A tool for `createSdkMcpServer`. */
export interface GuardedAgentTool<Result> {
  /** The contract's name, without the server's prefix. */
  name: string;
  /** The contract's description, for the model. */
  description: string;
  /** What `show` made of the contract's JSON Schema. */
  // biome-ignore lint/suspicious/noExplicitAny: a schema of the application's own zod
  inputSchema: any;
  /**
   * Validates and runs. A call that may not run is answered with the refusal for the model; what the tool itself throws is
   * thrown on.
   */
  handler: (args: unknown, extra: unknown) => Promise<Result | Refusal>;
}

/** Options of a query, as far as they are changed. */
export interface GuardableOptions {
  /** The application's hooks, by event. They stay; the guard's own comes before those of `PreToolUse`. */
  readonly hooks?: Readonly<Record<string, readonly HookMatcher[] | undefined>> | undefined;
  /** Asks a person. It is called for the calls that need a review, and as before for others; without it, those are denied. */
  readonly canUseTool?: PermissionCallback | undefined;
}
