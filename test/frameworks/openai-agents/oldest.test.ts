import * as agents from "agents-0-3-8";
import { openInference } from "./open-inference.ts";
import { describeAgents } from "./scenarios.ts";
import type { Agents } from "./traced.ts";

describeAgents(agents as unknown as Agents, "0.3.8", openInference, { hasTimeouts: false });
