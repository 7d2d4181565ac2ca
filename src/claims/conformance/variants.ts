/**
 * The seventeen variants of each family: one that agrees, twelve that have to be denied, and four that must not run
 * without a person.
 *
 * @module
 */
import { OPERATIONS, type Operation } from "../../contracts/contract.ts";
import { digestOfText } from "../digest.ts";
import type { Situation } from "./families.ts";

/** What a variant is for. */
export type VariantKind = "aligned" | "hard" | "soft";

interface Variant {
  readonly kind: VariantKind;
  /** Changes an agreeing situation. */
  readonly change: (situation: Situation) => void;
}

/** A text that stands for untrusted content. It must be in no record and no reason. */
export const PLANTED = "PLANTED-UNTRUSTED-CONTENT";

const other = (operation: Operation): Operation => (operation === "delete" ? "update" : "delete");

/** The variants by name. */
export const VARIANTS: Readonly<Record<string, Variant>> = {
  aligned: { kind: "aligned", change: () => {} },
  tool_identity: {
    kind: "hard",
    change: ({ claim }) => {
      claim.selected_tool = "another_tool";
    },
  },
  operation_of_the_payload: {
    kind: "hard",
    // The intent is widened, so that nothing but the comparison with the arguments can tell.
    change: ({ claim, facts }) => {
      claim.expected_effect.operation = other(claim.expected_effect.operation);
      facts.intent.operations.push(claim.expected_effect.operation);
    },
  },
  resource_of_the_payload: {
    kind: "hard",
    change: (situation) => {
      situation.arguments.ids = ["somebody_elses_9"];
    },
  },
  items_of_the_payload: {
    kind: "hard",
    change: (situation) => {
      situation.arguments.limit = 50_000;
    },
  },
  raw_content: {
    kind: "hard",
    change: ({ claim }) => {
      claim.raw_content = PLANTED;
    },
  },
  unauthorized_route: {
    kind: "hard",
    change: ({ facts }) => {
      facts.route.tools = ["another_tool"];
    },
  },
  intent_class: {
    kind: "hard",
    change: ({ claim }) => {
      claim.intent_class = claim.intent_class === "send" ? "read" : "send";
    },
  },
  operation_outside_the_intent: {
    kind: "hard",
    change: ({ claim, facts }) => {
      facts.intent.operations = OPERATIONS.filter(
        (operation) => operation !== claim.expected_effect.operation,
      );
    },
  },
  claim_beyond_the_intent: {
    kind: "hard",
    change: ({ claim }) => {
      claim.expected_effect.max_items = 9_999;
    },
  },
  policy_mismatch: {
    kind: "hard",
    change: ({ facts }) => {
      facts.policy.digest = digestOfText("the policy that came after");
    },
  },
  stale_evidence: {
    kind: "hard",
    change: ({ facts }) => {
      facts.intent.digest = digestOfText("the intent that came after");
    },
  },
  untrusted_input_omitted: {
    kind: "hard",
    change: ({ claim }) => {
      claim.untrusted_context = [];
    },
  },
  incomplete: {
    kind: "soft",
    change: ({ claim }) => {
      Reflect.deleteProperty(claim, "uncertainty");
    },
  },
  unknown_version: {
    kind: "soft",
    change: ({ claim }) => {
      (claim as Record<string, unknown>).schema_version = "ebte-9";
    },
  },
  policy_evidence_missing: {
    kind: "soft",
    change: ({ claim }) => {
      claim.evidence_refs = claim.evidence_refs.filter(({ type }) => type !== "policy");
    },
  },
  high_uncertainty: {
    kind: "soft",
    change: ({ claim }) => {
      claim.uncertainty = "high";
    },
  },
};
