import { suiteConfig } from "../suite-config.ts";

// Servers of their own are started here.
export default suiteConfig(import.meta.url, { testTimeout: 60_000 });
