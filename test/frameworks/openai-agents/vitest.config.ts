import { suiteConfig } from "../suite-config.ts";

// The SDK traces nothing when this is "test", which vitest sets.
export default suiteConfig(import.meta.url, { env: { NODE_ENV: "development" } });
