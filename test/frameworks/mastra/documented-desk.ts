/** What the documented example of a mediated tool takes: `mediate()` as in the document of the claims, a person, any model. */
import { triageDesk, unsure } from "../triage-desk.ts";
import { call, scriptedModel } from "./scripted-model.ts";

export const { mediated } = triageDesk();
export const asked: unknown[] = [];
export const isApproved = async ({
  toolName,
  args,
}: {
  toolName: string;
  args: unknown;
}): Promise<boolean> => {
  asked.push([toolName, args]);
  return true;
};
export const model = scriptedModel([[call("call_1", "add_comment", unsure)], "commented"]);
