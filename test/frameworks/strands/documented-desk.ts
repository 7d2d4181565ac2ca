/** What the documented example of a mediated tool takes: `mediate()` as in the document of the claims, a person, any model. */
import type { JSONValue } from "@strands-agents/sdk";
import { triageDesk, unsure } from "../triage-desk.ts";
import { call, ScriptedModel } from "./scripted-model.ts";

export const { mediated } = triageDesk();
export const asked: unknown[] = [];
export const ask = async (question: unknown): Promise<JSONValue> => {
  asked.push(question);
  return "yes";
};
export const model = new ScriptedModel([[call("call_1", "add_comment", unsure)], "commented"]);
