import * as agents from "agents-0-13-5";
import { describeAgents } from "./scenarios.ts";
import type { Agents } from "./traced.ts";

// From 0.14 on, the SDK makes task and turn spans around what it made before.
describeAgents(agents as unknown as Agents, "0.13.5");
