import * as agents from "@openai/agents";
import { openInference } from "./open-inference.ts";
import { describeAgents } from "./scenarios.ts";

describeAgents(agents, "0.20", openInference);
