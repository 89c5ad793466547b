import type { Meter } from '../meter.ts';
import { ARITHMETIC, negate } from './arithmetic.ts';
import type { Evaluate } from './build.ts';
import { equal, isMember } from './equality.ts';
import { noOverload } from './failures.ts';
import { ORDERINGS } from './ordering.ts';

export function choiceOf(condition: Evaluate, then: Evaluate, otherwise: Evaluate): Evaluate {
  return (frame) => {
    const chosen = condition(frame);
    if (chosen === true) return then(frame);
    if (chosen === false) return otherwise(frame);
    throw noOverload('? :', chosen);
  };
}

/** A side that decides outranks an error of the other, whichever comes first. */
export function logicalOf(sign: '&&' | '||', left: Evaluate, right: Evaluate): Evaluate {
  const decisive = sign === '||';
  return (frame) => {
    let one: unknown;
    let failure: unknown;
    try {
      one = left(frame);
      if (one === decisive) return decisive;
    } catch (error) {
      failure = error;
    }
    const other = right(frame);
    if (other === decisive) return decisive;
    if (failure !== undefined) throw failure;
    if (typeof one === 'boolean' && typeof other === 'boolean') return !decisive;
    throw noOverload(sign, one, other);
  };
}

export function unaryOf(name: string, operand: Evaluate): Evaluate | undefined {
  if (name === 'negate') return (frame) => negate(operand(frame));
  if (name !== '!') return undefined;
  return (frame) => {
    const value = operand(frame);
    if (typeof value !== 'boolean') throw noOverload('!', value);
    return !value;
  };
}

/**
 * An operator with two sides. What numbers of one type are to each other is decided here, without a call; the types of
 * the checker are no proof, because a list of `dyn` may be joined with one of integers.
 */
export function binaryOf(name: string, left: Evaluate, right: Evaluate, meter: Meter): Evaluate | undefined {
  const quick = QUICK.get(name);
  const run = RELATIONS.get(name) ?? ARITHMETIC.get(name);
  if (run === undefined) return undefined;
  if (quick === undefined) return (frame) => run(left(frame), right(frame), meter);
  const { integers, doubles } = quick;
  return (frame) => {
    const one = left(frame);
    const other = right(frame);
    if (typeof one === 'bigint' && typeof other === 'bigint') return integers(one, other);
    if (typeof one === 'number' && typeof other === 'number') return doubles(one, other);
    return run(one, other, meter);
  };
}

interface Quick {
  readonly integers: (one: bigint, other: bigint) => boolean;
  readonly doubles: (one: number, other: number) => boolean;
}

const QUICK: ReadonlyMap<string, Quick> = new Map<string, Quick>([
  ['==', { integers: (one, other) => one === other, doubles: (one, other) => one === other }],
  ['!=', { integers: (one, other) => one !== other, doubles: (one, other) => one !== other }],
  ['<', { integers: (one, other) => one < other, doubles: (one, other) => one < other }],
  ['<=', { integers: (one, other) => one <= other, doubles: (one, other) => one <= other }],
  ['>', { integers: (one, other) => one > other, doubles: (one, other) => one > other }],
  ['>=', { integers: (one, other) => one >= other, doubles: (one, other) => one >= other }],
]);

const RELATIONS: ReadonlyMap<string, (one: unknown, other: unknown, meter: Meter) => boolean> = new Map([
  ...ORDERINGS,
  ['==', equal],
  ['!=', different],
  ['in', isMember],
]);

function different(left: unknown, right: unknown, meter: Meter): boolean {
  return !equal(left, right, meter);
}
