/**
 * The position automaton of a pattern (Glushkov's): a position per atom, counted repetitions written out. Where no position
 * in a loop is followed by two that share a character, nor by one in two ways, matching has one way to go at every character
 * of the loop. Outside loops a position is passed once, so that its ways only multiply; they are counted, and few.
 *
 * Positions are followed as a list and not as a set: in `(a+)+` the same `a` follows in two ways, which is the difference
 * between one match and exponentially many.
 *
 * @module
 */
import { type CharacterSet, overlap } from "./character-set.ts";
import type { Expression } from "./parse.ts";
import { PatternFault } from "./pattern-fault.ts";

const MAX_POSITIONS = 1_000;
const MAX_STEPS = 100_000;
/** Ways to match one text. Each takes linear time. */
const MAX_WAYS = 64;

interface Fragment {
  readonly nullable: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const NOTHING: Fragment = { nullable: true, first: [], last: [] };

/** A place in the pattern, and what may come after it. */
interface Position {
  readonly set: CharacterSet;
  readonly inLoop: boolean;
  /** What the positions after this one may match, all together. */
  followed: CharacterSet;
  /** How many of them one character may lead to. */
  ways: number;
}

export class Automaton {
  readonly #positions: Position[] = [];
  #openLoops = 0;
  #steps = 0;
  #ways = 1;

  /** @throws PatternFault when a text could be matched in too many ways, or the pattern is too large to tell */
  accept(expression: Expression): void {
    const start: Position = { set: 0n, inLoop: false, followed: 0n, ways: 1 };
    this.#lead(start, this.#build(expression).first);
  }

  #build(expression: Expression): Fragment {
    switch (expression.kind) {
      case "atom":
        return this.#position(expression.set);
      case "sequence":
        return expression.parts.reduce<Fragment>(
          (before, part) => this.#concatenate(before, this.#build(part)),
          NOTHING,
        );
      case "choice":
        return this.#choose(expression.branches.map((branch) => this.#build(branch)));
      case "repeat":
        return this.#repeat(expression.body, expression.min, expression.max);
    }
  }

  #position(set: CharacterSet): Fragment {
    if (this.#positions.length >= MAX_POSITIONS) {
      throw new PatternFault(
        `a pattern has at most ${MAX_POSITIONS} characters and classes with its counted repetitions written out; use + and maxLength instead`,
      );
    }
    const position = this.#positions.push({ set, inLoop: this.#openLoops > 0, followed: 0n, ways: 1 }) - 1;
    return { nullable: false, first: [position], last: [position] };
  }

  #concatenate(one: Fragment, other: Fragment): Fragment {
    this.#follow(one.last, other.first);
    return {
      nullable: one.nullable && other.nullable,
      first: one.nullable ? [...one.first, ...other.first] : one.first,
      last: other.nullable ? [...one.last, ...other.last] : other.last,
    };
  }

  #choose(branches: readonly Fragment[]): Fragment {
    if (branches.filter((branch) => branch.nullable).length > 1) {
      throw new PatternFault("at most one of the alternatives of a group matches the empty text");
    }
    return {
      nullable: branches.some((branch) => branch.nullable),
      first: branches.flatMap((branch) => branch.first),
      last: branches.flatMap((branch) => branch.last),
    };
  }

  #repeat(body: Expression, min: number, max: number): Fragment {
    let whole = NOTHING;
    const needed = max === Number.POSITIVE_INFINITY ? Math.max(min - 1, 0) : min;
    for (let count = 0; count < needed; count++) whole = this.#concatenate(whole, this.#bodyOf(body));
    if (max === Number.POSITIVE_INFINITY) {
      this.#openLoops++;
      const loop = this.#bodyOf(body);
      this.#openLoops--;
      this.#follow(loop.last, loop.first);
      return this.#concatenate(whole, min === 0 ? { ...loop, nullable: true } : loop);
    }
    // From the inside out: x{0,3} is (x(x(x)?)?)?, in which every x has one x that may follow.
    let optional = NOTHING;
    for (let count = min; count < max; count++) {
      optional = { ...this.#concatenate(this.#bodyOf(body), optional), nullable: true };
    }
    return this.#concatenate(whole, optional);
  }

  #bodyOf(body: Expression): Fragment {
    const fragment = this.#build(body);
    if (fragment.nullable) {
      throw new PatternFault("what is repeated matches at least one character each time");
    }
    return fragment;
  }

  #follow(from: readonly number[], to: readonly number[]): void {
    for (const position of from) this.#lead(this.#positions[position]!, to);
  }

  #lead(from: Position, to: readonly number[]): void {
    this.#steps += to.length;
    if (this.#steps > MAX_STEPS) throw new PatternFault("a pattern of fewer alternatives and repetitions");
    for (const position of to) {
      const { set } = this.#positions[position]!;
      if (overlap(from.followed, set)) this.#count(from);
      from.followed |= set;
    }
  }

  #count(from: Position): void {
    this.#ways = (this.#ways / from.ways) * ++from.ways;
    if (from.inLoop || this.#ways > MAX_WAYS) {
      throw new PatternFault(
        "the next character has to decide what is matched: no two alternatives in a repetition, and no repetition and what follows it, may start with the same character",
      );
    }
  }
}
