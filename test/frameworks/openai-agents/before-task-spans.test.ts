import * as agents from "agents-0-13-5";
import { openInference } from "./open-inference.ts";
import { describeAgents } from "./scenarios.ts";
import type { Agents } from "./traced.ts";

// From 0.14 on, the SDK makes task and turn spans around what it made before.
describeAgents(agents as unknown as Agents, "0.13.5", openInference);
