import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  agreeing,
  FAMILIES,
  type Situation,
  VOCABULARY,
  withPayloadEvidence,
} from "../../src/claims/conformance/families.ts";
import { conformanceCases } from "../../src/claims/conformance/suite.ts";
import { VARIANTS } from "../../src/claims/conformance/variants.ts";
import { type Configuration, type DecideInput, type Decision, decideAs } from "../../src/claims/decide.ts";
import { digestOfText } from "../../src/claims/digest.ts";
import { OUTCOMES, type Outcome } from "../../src/claims/outcome.ts";
import { REASONS } from "../../src/claims/reasons.ts";

const RUNS = { numRuns: 3_000 };
const rank = (decision: Decision): number => OUTCOMES.indexOf(decision.outcome);

const inputOf = (situation: Situation): DecideInput => ({
  claim: situation.claim,
  call: { tool: situation.contract.name, arguments: situation.arguments },
  contract: situation.contract,
  facts: situation.facts,
  vocabulary: VOCABULARY,
});
const decided = (
  situation: Situation,
  more: Partial<DecideInput> = {},
  configuration: Configuration = "full",
) => decideAs({ ...inputOf(situation), ...more }, "trustabl", configuration);

/** A family's call with up to four of the variants at once. */
const situations = fc
  .tuple(fc.constantFrom(...FAMILIES), fc.subarray(Object.values(VARIANTS), { maxLength: 4 }))
  .map(([family, variants]) => {
    const situation = agreeing(family);
    for (const { change } of variants) change(situation);
    withPayloadEvidence(situation);
    return situation;
  });

const changed = (situation: Situation, change: (copy: Situation) => void): Situation => {
  const copy = structuredClone(situation);
  change(copy);
  return copy;
};

/** Holds a law over the situations and one more value. */
function law<More>(
  more: fc.Arbitrary<More>,
  holds: (situation: Situation, more: More) => boolean | undefined,
): void {
  fc.assert(fc.property(situations, more, holds), RUNS);
}

const nothing = fc.constant(undefined);

function deepFreeze(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
}

describe("a decision", () => {
  it("is never below what existing authorization says", () => {
    law(fc.constantFrom(...OUTCOMES), (situation, baseline) => {
      return rank(decided(situation, { baseline })) >= OUTCOMES.indexOf(baseline);
    });
  });

  it("never loosens when existing authorization gets stricter", () => {
    law(nothing, (situation) => {
      const ranks = OUTCOMES.map((baseline) => rank(decided(situation, { baseline })));
      expect(ranks).toEqual([...ranks].sort());
    });
  });

  it("is not changed by the summary, and neither is its record", () => {
    law(fc.string({ maxLength: 256 }), (situation, summary) => {
      const other = changed(situation, ({ claim }) => {
        claim.summary = summary;
      });
      expect(decided(other)).toEqual(decided(situation));
    });
  });

  it("never loosens when the claim declares more risk or uncertainty", () => {
    law(fc.constantFrom("risk_tier" as const, "uncertainty" as const), (situation, member) => {
      if (!(member in situation.claim)) return;
      const ranks = (["low", "medium", "high"] as const).map((level) =>
        rank(
          decided(
            changed(situation, ({ claim }) => {
              claim[member] = level;
            }),
          ),
        ),
      );
      expect(ranks).toEqual([...ranks].sort());
    });
  });

  it("never loosens when the server raises a tool's risk, and is no allow at high risk", () => {
    law(nothing, (situation) => {
      const raised = decided(situation, { contract: { ...situation.contract, risk: "high" } });
      return raised.outcome !== "allow" && rank(raised) >= rank(decided(situation));
    });
  });

  it("is never allow when a fact is lost", () => {
    law(fc.constantFrom("intent", "policy", "route", "context", "tool", "effect"), (situation, lost) => {
      const { contract, facts } = situation;
      const without =
        lost === "tool"
          ? { contract: undefined }
          : lost === "effect"
            ? { contract: { ...contract, effect: undefined } }
            : { facts: { ...facts, [lost]: undefined } };
      return decided(situation, without).outcome !== "allow";
    });
  });

  it("never loosens when the call touches more", () => {
    law(fc.tuple(fc.nat(1_000_000), fc.string({ minLength: 1, maxLength: 8 })), (situation, [items, id]) => {
      const more = changed(situation, (copy) => {
        copy.arguments.limit += items;
        copy.arguments.ids.push(`x${id}`);
      });
      return rank(decided(more)) >= rank(decided(situation));
    });
  });

  it("never loosens when the intent or the route gets narrower", () => {
    law(fc.nat(5), (situation, which) => {
      const narrower = changed(situation, ({ facts: { intent, route } }) => {
        if (which === 0) intent.operations = intent.operations.slice(1);
        if (which === 1) intent.resourceIds = [];
        if (which === 2) intent.maxItems = 0;
        if (which === 3) route.tools = [];
        if (which === 4) intent.classes = [];
        if (which === 5) intent.destinations = [];
      });
      return rank(decided(narrower)) >= rank(decided(situation));
    });
  });

  it("never loosens when the run has used one more untrusted input", () => {
    law(fc.string(), (situation, content) => {
      const more = changed(situation, ({ facts: { context } }) => {
        context.used.push({ source: "page", digest: digestOfText(`page ${content.toWellFormed()}`) });
      });
      return rank(decided(more)) >= rank(decided(situation));
    });
  });

  it("does not depend on the order of lists and members", () => {
    law(nothing, (situation) => {
      const reversed = changed(situation, ({ claim, arguments: args }) => {
        claim.evidence_refs.reverse();
        claim.untrusted_context.reverse();
        claim.expected_effect.resource_ids.reverse();
        for (const [name, member] of Object.entries(claim).reverse()) {
          Reflect.deleteProperty(claim, name);
          claim[name] = member;
        }
        args.ids.reverse();
      });
      return decided(reversed).outcome === decided(situation).outcome;
    });
  });

  it("stays deny on a hard case, whatever soft or harmless is added", () => {
    const hard = conformanceCases().filter(({ kind }) => kind === "hard");
    const additions = ["uncertainty", "risk_tier", "summary", "evidence"] as const;
    fc.assert(
      fc.property(fc.constantFrom(...hard), fc.subarray([...additions]), (one, added) => {
        const more = changed(one, ({ claim }) => {
          if (added.includes("uncertainty")) claim.uncertainty = "high";
          if (added.includes("risk_tier")) claim.risk_tier = "high";
          if (added.includes("summary")) claim.summary = "fine";
          if (added.includes("evidence"))
            claim.evidence_refs = claim.evidence_refs.filter(({ type }) => type !== "payload");
        });
        return decided(more).outcome === "deny";
      }),
      RUNS,
    );
  });

  it("is as strict with all facts as with the arguments alone, and that as without a claim's checks", () => {
    law(nothing, (situation) => {
      const ranks = (["free_form", "schema", "payload", "full"] as const).map((configuration) =>
        rank(decided(situation, {}, configuration)),
      );
      expect(ranks).toEqual([...ranks].sort());
    });
  });

  it("is no allow, and throws nothing, whatever value is given for a claim", () => {
    law(
      fc.anything({
        withNullPrototype: true,
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSparseArray: true,
      }),
      (situation, claim) => decided(situation, { claim }).outcome !== "allow",
    );
  });

  it("throws nothing, and allows nothing, whatever value is given for the facts, the arguments or the contract", () => {
    law(
      fc.tuple(fc.constantFrom("facts", "call", "contract", "vocabulary", "baseline"), fc.anything()),
      (situation, [member, value]) => {
        if (member === "baseline" && (value === undefined || OUTCOMES.includes(value as Outcome))) return;
        expect(decided(situation, { [member]: value }).outcome).not.toBe("allow");
      },
    );
  });

  it("is pure: frozen inputs give the same decision twice", () => {
    law(nothing, (situation) => {
      deepFreeze(situation);
      expect(decided(situation)).toEqual(decided(situation));
    });
  });

  it("has no text of the claim or of the arguments in its record or its reason", () => {
    law(fc.stringMatching(/^[A-Z]{12}$/), (situation, text) => {
      const planted = changed(situation, (copy) => {
        copy.claim.summary = text;
        copy.claim.selected_tool = text;
        copy.claim[`x_${text}`] = text;
        copy.arguments.ids = [text];
      });
      const { record, reason } = decided(planted);
      expect(JSON.stringify([record, reason])).not.toContain(text);
    });
  });

  it("gives a reason of a closed set, and none when it allows", () => {
    law(nothing, (situation) => {
      const { outcome, reason } = decided(situation);
      return outcome === "allow" ? reason === undefined : reason !== undefined && reason in REASONS;
    });
  });

  it("is never looser with a claim than without one", () => {
    law(fc.constantFrom("required" as const, "none" as const), (situation, claim) => {
      const contract = { ...situation.contract, claim };
      const without = decided(situation, { contract, claim: undefined });
      if (claim === "required") return without.outcome === "deny";
      return rank(decided(situation, { contract })) >= rank(without);
    });
  });
});
