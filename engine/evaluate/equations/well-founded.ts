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
  /** The gates to solve. Here each is known by its place among them. */
  readonly #gates: readonly number[];
  readonly #watch: () => void;
  /** By place, where in `#readers` those begin which read it: twice a place, and one more for a negation. */
  readonly #firstReader: Int32Array;
  readonly #readers: Int32Array;
  /** By place, how many inputs have yet to say that they do not decide it. */
  readonly #waits: Int32Array;
  /** Decided, their readers not told yet. */
  readonly #told: number[] = [];
  #steps = 0;

  constructor(equations: Equations, gates: readonly number[], watch: () => void) {
    this.#equations = equations;
    this.#gates = gates;
    this.#watch = watch;
    gates.forEach((gate, place) => {
      equations.places[gate] = place;
    });
    this.#waits = new Int32Array(gates.length);
    this.#firstReader = new Int32Array(gates.length + 1);
    this.#eachOpenInput((_, read) => {
      this.#firstReader[read + 1] = (this.#firstReader[read + 1] as number) + 1;
    });
    for (let place = 0; place < gates.length; place++) {
      this.#firstReader[place + 1] = (this.#firstReader[place + 1] as number) + (this.#firstReader[place] as number);
    }
    this.#readers = new Int32Array(this.#firstReader[gates.length] as number);
    const next = this.#firstReader.slice();
    this.#eachOpenInput((place, read, negated) => {
      this.#readers[next[read] as number] = place * 2 + negated;
      next[read] = (next[read] as number) + 1;
    });
  }

  solve(): void {
    const { values, places } = this.#equations;
    this.#gates.forEach((_, place) => {
      this.#begin(place);
    });
    this.#tell();
    while (this.#dropUnfounded()) this.#tell();
    for (const gate of this.#gates) {
      if (values[gate] === OPEN) values[gate] = UNDECIDED;
      places[gate] = -1;
    }
  }

  /** Takes in what its inputs are known to be from the start. */
  #begin(place: number): void {
    const { values, places, starts, ends, inputs } = this.#equations;
    const gate = this.#gates[place] as number;
    const from = starts[gate] as number;
    const end = ends[gate] as number;
    this.#waits[place] = end - from;
    // only an `or` may read nothing
    if (end === from) this.#decide(place, FAILS);
    for (let at = from; at < end; at++) {
      const input = inputs[at] as Input;
      const value = values[input >> 1] as number;
      // One of these gates tells its readers when its turn comes.
      if (value === OPEN || value === UNDECIDED || places[input >> 1] !== -1) continue;
      this.#hear(place, (value === HOLDS) !== ((input & 1) === 1));
    }
  }

  #hear(place: number, isTrue: boolean): void {
    const gate = this.#gates[place] as number;
    if (this.#equations.values[gate] !== OPEN) return;
    const isAny = this.#equations.ops[gate] === ANY;
    if (isTrue === isAny) return this.#decide(place, isAny ? HOLDS : FAILS);
    const waits = (this.#waits[place] as number) - 1;
    this.#waits[place] = waits;
    if (waits === 0) this.#decide(place, isAny ? FAILS : HOLDS);
  }

  #decide(place: number, value: number): void {
    this.#equations.values[this.#gates[place] as number] = value;
    this.#told.push(place);
  }

  #tell(): void {
    const { values } = this.#equations;
    for (let place = this.#told.pop(); place !== undefined; place = this.#told.pop()) {
      const holds = values[this.#gates[place] as number] === HOLDS;
      const end = this.#firstReader[place + 1] as number;
      for (let at = this.#firstReader[place] as number; at < end; at++) {
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
    lacks.forEach((count, place) => {
      if (count === 0 && values[this.#gates[place] as number] === OPEN) reached.push(place);
    });
    for (let place = reached.pop(); place !== undefined; place = reached.pop()) {
      const end = this.#firstReader[place + 1] as number;
      for (let at = this.#firstReader[place] as number; at < end; at++) {
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
    lacks.forEach((lack, place) => {
      if (lack > 0) this.#decide(place, FAILS);
    });
    return this.#told.length > 0;
  }

  /** By place, how many inputs an open gate still needs if negations and doubts turn out well; one is enough for `or`. */
  #lacks(): Int32Array {
    const { values, starts, ends, inputs, ops } = this.#equations;
    const lacks = new Int32Array(this.#gates.length);
    this.#gates.forEach((gate, place) => {
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
      lacks[place] = isAny ? (helps ? 0 : 1) : rests;
    });
    return lacks;
  }

  #eachOpenInput(visit: (place: number, read: number, negated: number) => void): void {
    const { places, starts, ends, inputs } = this.#equations;
    this.#gates.forEach((gate, place) => {
      for (let at = starts[gate] as number; at < (ends[gate] as number); at++) {
        const input = inputs[at] as Input;
        const read = places[input >> 1] as number;
        if (read !== -1) visit(place, read, input & 1);
      }
    });
  }

  #step(): void {
    if ((++this.#steps & WATCH_EVERY) === 0) this.#watch();
  }
}
