import { suiteConfig } from "../../frameworks/suite-config.ts";

export default suiteConfig(import.meta.url, { testTimeout: 60_000 });
