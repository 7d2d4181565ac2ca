/** What the documented example of a mediated tool takes: `mediate()` as in the document of the claims, a person, any model. */
import { triageDesk, unsure } from "../triage-desk.ts";
import { ScriptedModel } from "./scripted-model.ts";

export const { mediated } = triageDesk();
export const asked: unknown[] = [];
export const isApproved = async (call: unknown): Promise<boolean> => {
  asked.push(call);
  return true;
};
export const triageModel = new ScriptedModel([{ name: "add_comment", args: { ...unsure }, id: "call_1" }]);
