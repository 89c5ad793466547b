import type { Questions } from '../data/data-set.ts';
import { secondsSince } from './clock.ts';

/**
 * Questions a second of two lookups in a `Map`, one for each name: the least that an engine must do that turns names
 * into numbers before it decides anything.
 */
export function mapLookupsPerSecond({ requests }: Questions): number {
  const numbers = new Map<string, number>();
  for (const { object, subject } of requests) numbers.set(object, numbers.size).set(subject, numbers.size);
  let best = 0;
  let sum = 0;
  for (let round = 0; round < 3; round++) {
    const startedAt = process.hrtime.bigint();
    for (const { object, subject } of requests) {
      sum += (numbers.get(object) as number) + (numbers.get(subject) as number);
    }
    best = Math.max(best, requests.length / secondsSince(startedAt));
  }
  if (!(sum > 0)) throw new Error('the names were not found');
  return best;
}
