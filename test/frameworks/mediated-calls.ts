/** What a tool behind the mediation step has to keep in every framework, whatever its own way of asking a person is. */
import { describe, expect, it } from "vitest";
import type { MediationOptions } from "../../src/claims/index.ts";
import { canonicalFp } from "../../src/index.ts";
import type { Application } from "./application.ts";
import { aligned, comment, misaligned, type TriageDesk, unsure } from "./triage-desk.ts";

export const NEEDS_REVIEW = "Not run: the call needs a review.";
export const MISMATCH = "Not run: the claim does not match the arguments.";

/** A model's call of the mediated tool. */
export interface ModelCall {
  readonly id: string;
  readonly args: object;
}

/** An agent of one framework whose comments are behind the step. `Waiting` is what a run gives that waits for a person. */
export interface MediatedAgent<Waiting> {
  readonly desk: TriageDesk;
  /** What the model was told, by call id. */
  told(): Record<string, unknown>;
  /** The tools as the model saw them. */
  shown(): unknown;
  /** Runs the agent, until it is done or waits. */
  ask(): Promise<Waiting>;
  /** A person agrees; the run goes on. `meanwhile` happens between the agreement and that. */
  agree(waiting: Waiting, meanwhile?: () => void): Promise<unknown>;
  /** Why the run stopped. */
  stopped(run: Waiting): string;
}

/** One framework. */
export interface MediatedFramework<Waiting> {
  readonly name: string;
  /** An agent whose model makes these calls in one turn, and then answers. */
  readonly agent: (
    calls: readonly ModelCall[],
    options?: Partial<MediationOptions>,
  ) => MediatedAgent<Waiting>;
  readonly application: () => Application;
  /** What `stopped` says when a person is asked, and when the run is done. */
  readonly waits: string;
  readonly done: string;
}

export const expectNothingDone = ({ effects }: TriageDesk): void => expect(effects).toEqual([]);

export function describeMediatedCalls<Waiting>(framework: MediatedFramework<Waiting>): void {
  const agentFor = (args: object, options?: Partial<MediationOptions>) =>
    framework.agent([{ id: "call_1", args }], options);
  const labels = async () => (await framework.application().labelsByCall()).call_1;
  const expectNoFindings = async () => expect(await framework.application().findings()).toEqual([]);

  describe(`a mediated tool of ${framework.name}`, () => {
    it("runs an aligned call, without the claim", async () => {
      const { desk, ask, told } = agentFor(aligned);
      await ask();
      expect(desk.effects).toEqual([comment]);
      expect(told()).toEqual({ call_1: "commented" });
      expect(desk.decisions().at(-1)).toEqual(["call", "allow", false]);
      expect(await labels()).toMatchObject({
        input_fp: canonicalFp(comment),
        output_fp: canonicalFp("commented"),
        side_effect: "write",
      });
      expect(await labels()).not.toHaveProperty("error_class");
      await expectNoFindings();
    });

    it("shows the model the contract with the claim", async () => {
      const { desk, ask, shown } = agentFor(aligned);
      await ask();
      expect(shown()).toEqual({ add_comment: desk.mediated.shown.add_comment.jsonSchema() });
    });

    it("tells the model of a denial, and asks nobody", async () => {
      const { desk, ask, told, stopped } = agentFor(misaligned);
      expect(stopped(await ask())).toBe(framework.done);
      expectNothingDone(desk);
      expect(told().call_1).toContain(MISMATCH);
      expect(desk.decisions()).toEqual([
        ["before", "deny", false],
        ["call", "deny", false],
      ]);
      expect(await labels()).toMatchObject({ error_class: "auth" });
      await expectNoFindings();
    });

    it("labels a call without a claim as one of a wrong form", async () => {
      const { desk, ask, told } = agentFor(comment);
      await ask();
      expectNothingDone(desk);
      expect(told().call_1).toContain("the claim is missing or malformed");
      expect(await labels()).toMatchObject({ error_class: "schema" });
    });

    it("waits for a person, and runs once approved", async () => {
      const { desk, ask, agree, told, stopped } = agentFor(unsure);
      const waiting = await ask();
      expect(stopped(waiting)).toBe(framework.waits);
      expectNothingDone(desk);
      await agree(waiting);
      expect(desk.effects).toEqual([comment]);
      expect(told()).toEqual({ call_1: "commented" });
      expect(desk.decisions().at(-1)).toEqual(["call", "allow", true]);
      expect(await labels()).toMatchObject({ output_fp: canonicalFp("commented") });
      await expectNoFindings();
    });

    it("denies an approved call when the facts have changed since", async () => {
      const { desk, ask, agree, told } = agentFor(unsure);
      await agree(await ask(), desk.closeRoute);
      expectNothingDone(desk);
      expect(told().call_1).toContain("Not run: the claim does not match the route.");
      expect(await labels()).toMatchObject({ error_class: "auth" });
      await expectNoFindings();
    });

    it("decides on each of two calls in one turn", async () => {
      const { desk, ask, told } = framework.agent([
        { id: "call_1", args: misaligned },
        { id: "call_2", args: aligned },
      ]);
      await ask();
      expect(desk.effects).toEqual([comment]);
      expect(told()).toEqual({ call_1: expect.stringContaining(MISMATCH), call_2: "commented" });
      const { call_1, call_2 } = await framework.application().labelsByCall();
      expect(call_1).toMatchObject({ error_class: "auth" });
      expect(call_2).not.toHaveProperty("error_class");
      await expectNoFindings();
    });

    it("asks for a review when facts cannot be resolved", async () => {
      const { desk, ask, stopped } = agentFor(aligned, { resolveFacts: throws });
      expect(stopped(await ask())).toBe(framework.waits);
      expectNothingDone(desk);
    });

    it("denies when the decision cannot be recorded", async () => {
      const { desk, ask, told } = agentFor(aligned, { onDecision: throws });
      await ask();
      expectNothingDone(desk);
      expect(told().call_1).toContain("Not run: the call was denied.");
      expect(await labels()).toMatchObject({ error_class: "auth" });
    });
  });
}

/** For functions of the application that fail. */
export const throws = (): never => {
  throw new Error("no");
};
