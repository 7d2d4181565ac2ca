import * as agents from "agents-0-3-8";
import { describeAgents } from "./scenarios.ts";
import type { Agents } from "./traced.ts";

describeAgents(agents as unknown as Agents, "0.3.8", { hasTimeouts: false });
