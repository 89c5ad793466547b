import { ANY, type Equations, FAILS, HOLDS, type Input, OPEN, UNDECIDED } from './equations.ts';

const WATCH_EVERY = 0xfff;

/**
 * Solves what is new among the equations by their well-founded model (Van Gelder, Ross and Schlipf 1991), in two steps
 * by turns: what follows from the values of its inputs takes its value, until nothing more follows; and what could not
 * even hold if every negation and every doubt turned out well, because it rests on itself alone, fails. What is left
 * then is undecided. A turn is linear in what is still open, and each but the last decides something.
 *
 * `watch` is called now and then, and throws where time is up.
 */
export function solve(equations: Equations, watch: () => void): void {
  new Solver(equations, equations.takeFresh(), watch).solve();
}

class Solver {
  readonly #equations: Equations;
  /** The gates to solve. Here each is known by its index among them. */
  readonly #gates: readonly number[];
  readonly #watch: () => void;
  /** By index, where its readers begin in `#readers`: each is twice an index, and one more for a negation. */
  readonly #firstReader: Int32Array;
  readonly #readers: Int32Array;
  /** By index, how many inputs have yet to say that they do not decide it. */
  readonly #waits: Int32Array;
  /** Decided, their readers not told yet. */
  readonly #told: number[] = [];
  #steps = 0;

  constructor(equations: Equations, gates: readonly number[], watch: () => void) {
    this.#equations = equations;
    this.#gates = gates;
    this.#watch = watch;
    gates.forEach((gate, index) => {
      equations.indexes[gate] = index;
    });
    this.#waits = new Int32Array(gates.length);
    this.#firstReader = new Int32Array(gates.length + 1);
    this.#eachOpenInput((_, read) => {
      this.#firstReader[read + 1] = (this.#firstReader[read + 1] as number) + 1;
    });
    for (let index = 0; index < gates.length; index++) {
      this.#firstReader[index + 1] = (this.#firstReader[index + 1] as number) + (this.#firstReader[index] as number);
    }
    this.#readers = new Int32Array(this.#firstReader[gates.length] as number);
    const next = this.#firstReader.slice();
    this.#eachOpenInput((index, read, negated) => {
      this.#readers[next[read] as number] = index * 2 + negated;
      next[read] = (next[read] as number) + 1;
    });
  }

  solve(): void {
    const { values, indexes } = this.#equations;
    this.#gates.forEach((_, index) => {
      this.#begin(index);
    });
    this.#tell();
    while (this.#dropUnfounded()) this.#tell();
    for (const gate of this.#gates) {
      if (values[gate] === OPEN) values[gate] = UNDECIDED;
      indexes[gate] = -1;
    }
  }

  /** Takes in what its inputs are known to be from the start. */
  #begin(index: number): void {
    const { values, indexes, starts, ends, inputs } = this.#equations;
    const gate = this.#gates[index] as number;
    const from = starts[gate] as number;
    const end = ends[gate] as number;
    this.#waits[index] = end - from;
    // only an `or` may read nothing
    if (end === from) this.#decide(index, FAILS);
    for (let at = from; at < end; at++) {
      const input = inputs[at] as Input;
      const value = values[input >> 1] as number;
      // One of these gates tells its readers when its turn comes.
      if (value === OPEN || value === UNDECIDED || indexes[input >> 1] !== -1) continue;
      this.#hear(index, (value === HOLDS) !== ((input & 1) === 1));
    }
  }

  #hear(index: number, isTrue: boolean): void {
    const gate = this.#gates[index] as number;
    if (this.#equations.values[gate] !== OPEN) return;
    const isAny = this.#equations.ops[gate] === ANY;
    if (isTrue === isAny) return this.#decide(index, isAny ? HOLDS : FAILS);
    const waits = (this.#waits[index] as number) - 1;
    this.#waits[index] = waits;
    if (waits === 0) this.#decide(index, isAny ? FAILS : HOLDS);
  }

  #decide(index: number, value: number): void {
    this.#equations.values[this.#gates[index] as number] = value;
    this.#told.push(index);
  }

  #tell(): void {
    const { values } = this.#equations;
    for (let index = this.#told.pop(); index !== undefined; index = this.#told.pop()) {
      const holds = values[this.#gates[index] as number] === HOLDS;
      const end = this.#firstReader[index + 1] as number;
      for (let at = this.#firstReader[index] as number; at < end; at++) {
        const reader = this.#readers[at] as number;
        this.#hear(reader >> 1, holds !== ((reader & 1) === 1));
        this.#step();
      }
    }
  }

  /** Fails every open gate that could not hold even in the best case. False where there is none. */
  #dropUnfounded(): boolean {
    const { values } = this.#equations;
    const lacks = this.#lacks();
    const reached: number[] = [];
    lacks.forEach((count, index) => {
      if (count === 0 && values[this.#gates[index] as number] === OPEN) reached.push(index);
    });
    for (let index = reached.pop(); index !== undefined; index = reached.pop()) {
      const end = this.#firstReader[index + 1] as number;
      for (let at = this.#firstReader[index] as number; at < end; at++) {
        const reader = this.#readers[at] as number;
        const other = reader >> 1;
        const lack = lacks[other] as number;
        this.#step();
        if ((reader & 1) === 1 || lack === 0 || values[this.#gates[other] as number] !== OPEN) continue;
        lacks[other] = this.#equations.ops[this.#gates[other] as number] === ANY ? 0 : lack - 1;
        if (lacks[other] === 0) reached.push(other);
      }
    }
    // of a gate that is decided, nothing is counted as lacking
    lacks.forEach((lack, index) => {
      if (lack > 0) this.#decide(index, FAILS);
    });
    return this.#told.length > 0;
  }

  /** By index, how many inputs an open gate still needs if negations and doubts turn out well; one is enough for `or`. */
  #lacks(): Int32Array {
    const { values, starts, ends, inputs, ops } = this.#equations;
    const lacks = new Int32Array(this.#gates.length);
    this.#gates.forEach((gate, index) => {
      if (values[gate] !== OPEN) return;
      const isAny = ops[gate] === ANY;
      let rests = 0;
      let helps = false;
      for (let at = starts[gate] as number; at < (ends[gate] as number); at++) {
        const input = inputs[at] as Input;
        const value = values[input >> 1];
        if (value === OPEN && (input & 1) === 0) rests++;
        else if (value === OPEN || value === UNDECIDED) helps = true;
        this.#step();
      }
      lacks[index] = isAny ? (helps ? 0 : 1) : rests;
    });
    return lacks;
  }

  #eachOpenInput(visit: (index: number, read: number, negated: number) => void): void {
    const { indexes, starts, ends, inputs } = this.#equations;
    this.#gates.forEach((gate, index) => {
      for (let at = starts[gate] as number; at < (ends[gate] as number); at++) {
        const input = inputs[at] as Input;
        const read = indexes[input >> 1] as number;
        if (read !== -1) visit(index, read, input & 1);
      }
    });
  }

  #step(): void {
    if ((++this.#steps & WATCH_EVERY) === 0) this.#watch();
  }
}
