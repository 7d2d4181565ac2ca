import type { AnyServer } from "./sdks.ts";

export function registerTools(server: AnyServer): void;
