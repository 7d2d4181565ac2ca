import * as agents from "@openai/agents";
import { describeAgents } from "./scenarios.ts";

describeAgents(agents, "0.20");
