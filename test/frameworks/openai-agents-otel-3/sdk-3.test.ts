import * as agents from "@openai/agents";
import { openInference } from "../openai-agents/open-inference.ts";
import { describeAgents } from "../openai-agents/scenarios.ts";

describeAgents(agents, "0.20", openInference);
