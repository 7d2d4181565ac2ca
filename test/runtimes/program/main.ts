/** Where there is `node:async_hooks` and a standard output: Node.js, Bun, Deno. */
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { job } from "./job.ts";

job(new AsyncLocalStorageContextManager().enable(), true).then((result) =>
  console.log(JSON.stringify(result)),
);
