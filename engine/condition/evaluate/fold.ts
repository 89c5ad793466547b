import type { FoldKind } from '../language/syntax.ts';
import type { Meter } from '../meter.ts';
import { Uint } from '../values/uint.ts';
import type { Evaluate, Frame } from './build.ts';
import { noOverload } from './failures.ts';
import { ERROR_COST } from './matcher.ts';

export interface FoldParts {
  readonly kind: FoldKind;
  readonly range: Evaluate;
  /** Keys of a map are kept as integers, and are unsigned where their type says so. */
  readonly hasUintKeys: boolean;
  readonly slot: number;
  readonly condition: Evaluate | undefined;
  readonly body: Evaluate;
  /** Nodes that one iteration visits. */
  readonly price: number;
}

/** What a macro over items does. Each iteration is paid for. */
export function buildFold(parts: FoldParts, meter: Meter): Evaluate {
  const { kind, range, hasUintKeys } = parts;
  const run = RUNS[kind];
  return (frame) => {
    const over = range(frame);
    if (Array.isArray(over)) return run(parts, over, frame, meter);
    if (!(over instanceof Map)) throw noOverload(kind, over);
    meter.spend(over.size);
    const keys = [...over.keys()];
    return run(parts, hasUintKeys ? keys.map((key: bigint) => new Uint(key)) : keys, frame, meter);
  };
}

type Run = (parts: FoldParts, items: readonly unknown[], frame: Frame, meter: Meter) => unknown;

const RUNS: Readonly<Record<FoldKind, Run>> = {
  all: (parts, items, frame, meter) => !quantify(parts, items, frame, meter, false),
  exists: (parts, items, frame, meter) => quantify(parts, items, frame, meter, true),
  exists_one(parts, items, frame, meter) {
    let count = 0;
    for (const item of items) if (holds(parts, parts.body, item, frame, meter)) count++;
    return count === 1;
  },
  filter: (parts, items, frame, meter) => items.filter((item) => holds(parts, parts.body, item, frame, meter)),
  map(parts, items, frame, meter) {
    const { condition, body, slot, price } = parts;
    const mapped: unknown[] = [];
    for (const item of items) {
      if (condition === undefined) {
        meter.spend(price);
        frame[slot] = item;
      } else if (!holds(parts, condition, item, frame, meter)) continue;
      mapped.push(body(frame));
    }
    return mapped;
  },
};

/** Is there an item whose answer is `wanted`? One that answers so outranks an error of another. */
function quantify(
  { body, slot, price }: FoldParts,
  items: readonly unknown[],
  frame: Frame,
  meter: Meter,
  wanted: boolean,
): boolean {
  let failure: unknown;
  for (const item of items) {
    meter.spend(price);
    frame[slot] = item;
    try {
      const answer = body(frame);
      if (answer === wanted) return true;
      if (typeof answer !== 'boolean') throw noOverload('a predicate', answer);
    } catch (error) {
      meter.spend(ERROR_COST);
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return false;
}

function holds({ slot, price }: FoldParts, predicate: Evaluate, item: unknown, frame: Frame, meter: Meter): boolean {
  meter.spend(price);
  frame[slot] = item;
  const answer = predicate(frame);
  if (typeof answer !== 'boolean') throw noOverload('a predicate', answer);
  return answer;
}
