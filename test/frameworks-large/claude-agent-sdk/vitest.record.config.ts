import { suiteConfig } from "../../frameworks/suite-config.ts";

const { test, ...config } = suiteConfig(import.meta.url, { testTimeout: 60_000 });

export default { ...config, test: { ...test, include: ["record-run.ts"] } };
