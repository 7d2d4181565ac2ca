/** What the documented example of claims takes: the application's mediation step, and what its tool does. */
import { triageMediation } from "../triage-claims.ts";

export const { mediated } = triageMediation();

export const addComment = async ({ issue_id }: { issue_id: string }) => ({
  content: [{ type: "text" as const, text: `commented on ${issue_id}` }],
});
