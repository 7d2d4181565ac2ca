/** What the documented example of claims takes: a mediation step of the application, and its model. */
import { commentClaim, triageMediation } from "../triage-claims.ts";
import { scripted } from "./agents.ts";

export const { mediated } = triageMediation();

export const model = scripted([
  { name: "add_comment", args: { issue_id: "7", text: "seen", claim: commentClaim("7") }, id: "c1" },
]);
