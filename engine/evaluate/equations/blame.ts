import type { Doubt, Equations } from './equations.ts';
import { UNDECIDED } from './equations.ts';

/** The distinct doubts behind an undecided gate, through other undecided gates. None: a cycle alone. */
export function doubtsOf(equations: Equations, gate: number): readonly Doubt[] {
  const { values, starts, ends, inputs, doubts, doubtOf } = equations;
  const found = new Set<number>();
  const seen = new Set<number>();
  const queue: number[] = [];
  const meet = (undecided: number): void => {
    if (seen.has(undecided)) return;
    seen.add(undecided);
    const doubt = doubtOf.get(undecided);
    if (doubt === undefined) queue.push(undecided);
    else found.add(doubt);
  };
  meet(gate);
  for (let next = queue.pop(); next !== undefined && found.size < doubts.length; next = queue.pop()) {
    for (let at = starts[next] as number; at < (ends[next] as number); at++) {
      const read = (inputs[at] as number) >> 1;
      if (values[read] === UNDECIDED) meet(read);
    }
  }
  return doubts.filter((_, number) => found.has(number));
}
