import type { EngineError } from '../../errors.ts';

/**
 * What an equation reads: twice the number of another gate, and one more where the gate is negated. Gate 0 never holds,
 * so that the two constants are inputs like any other.
 */
export type Input = number;
export const NEVER: Input = 0;
export const ALWAYS: Input = 1;

/** What a gate is: its inputs joined by `or` or by `and`. */
export const ANY = 0;
export const ALL = 1;

/** What is known of a gate. `UNDECIDED` is final as well: no order of evaluation would tell. */
export const OPEN = 0;
export const HOLDS = 1;
export const FAILS = 2;
export const UNDECIDED = 3;

/** Why a gate that reads nothing is undecided: a condition that lacks names, or an error. */
export interface Doubt {
  readonly missing: readonly string[];
  readonly error: EngineError | undefined;
}

/**
 * A system of boolean equations, one for each gate, that grows while a question is taken apart. Joins of constants are
 * folded at once. What is solved stays so when more gates are added, because no gate is ever given another equation.
 */
export class Equations {
  readonly values: number[] = [FAILS];
  readonly ops: number[] = [ANY];
  readonly inputs: Input[] = [];
  /** By gate, the index of its first input; the next gate's is not where they end. */
  readonly starts: number[] = [0];
  readonly ends: number[] = [0];
  /** By gate, its index among those which are being solved, or -1. */
  readonly indexes: number[] = [-1];
  readonly doubts: Doubt[] = [];
  readonly doubtOf = new Map<number, number>();
  readonly #likeDoubts = new Map<string, Input>();
  /** By a doubt and then by what is asked behind it. */
  readonly #behindDoubts = new Map<Input, Map<Input, Input>>();
  #fresh: number[] = [];

  get size(): number {
    return this.values.length;
  }

  /** A gate without an equation yet. */
  open(): number {
    this.values.push(OPEN);
    this.ops.push(ANY);
    this.indexes.push(-1);
    this.starts.push(0);
    this.ends.push(0);
    return this.values.length - 1;
  }

  define(gate: number, op: typeof ANY | typeof ALL, inputs: readonly Input[]): void {
    this.ops[gate] = op;
    this.starts[gate] = this.inputs.length;
    for (const input of inputs) this.inputs.push(input);
    this.ends[gate] = this.inputs.length;
    this.#fresh.push(gate);
  }

  any(inputs: readonly Input[]): Input {
    return this.#join(ANY, inputs, ALWAYS);
  }

  all(inputs: readonly Input[]): Input {
    return this.#join(ALL, inputs, NEVER);
  }

  /** A doubt and what is asked behind it: the same two are often met, and are one gate. */
  behind(doubt: Input, input: Input): Input {
    const known = this.#behindDoubts.get(doubt) ?? new Map<Input, Input>();
    this.#behindDoubts.set(doubt, known);
    const both = known.get(input) ?? this.all([doubt, input]);
    known.set(input, both);
    return both;
  }

  /** A negation of a negation is not the thing itself, since a loop through both of them is undefined. */
  not(input: Input): Input {
    const isNegated = input > ALWAYS && (input & 1) === 1;
    return (isNegated ? this.#gate(ANY, [input]) : input) ^ 1;
  }

  /** A gate that nothing can decide. */
  doubt(doubt: Doubt): Input {
    if (doubt.error !== undefined) return this.#doubtful(doubt);
    const key = doubt.missing.join(' ');
    const known = this.#likeDoubts.get(key) ?? this.#doubtful(doubt);
    this.#likeDoubts.set(key, known);
    return known;
  }

  /** The gates that were defined since this was last asked. */
  takeFresh(): readonly number[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    // One of them may turn out not to be needed, and then what it reads may never get an equation.
    this.#behindDoubts.clear();
    return fresh;
  }

  #doubtful(doubt: Doubt): Input {
    const gate = this.open();
    this.values[gate] = UNDECIDED;
    this.doubtOf.set(gate, this.doubts.push(doubt) - 1);
    return gate * 2;
  }

  #join(op: typeof ANY | typeof ALL, inputs: readonly Input[], decisive: Input): Input {
    if (inputs.includes(decisive)) return decisive;
    const open = inputs.filter((input) => input > ALWAYS);
    const [first, second] = open;
    if (first === undefined) return decisive ^ 1;
    return second === undefined ? first : this.#gate(op, open);
  }

  #gate(op: typeof ANY | typeof ALL, inputs: readonly Input[]): Input {
    const gate = this.open();
    this.define(gate, op, inputs);
    return gate * 2;
  }
}
