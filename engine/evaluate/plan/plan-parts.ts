import { SecondChanceCache } from '../../memory/second-chance-cache.ts';
import type { Restriction } from './plan.ts';

/** In bytes, as they are estimated. */
const BYTES_MAX = 2 * 2 ** 20;
const PART_BYTES = 400;
const BYTES_PER_CHARACTER = 3;

const NO_CONDITIONS: ReadonlySet<string> = new Set();
/** Without a condition: nearly every restriction. */
export const PLAIN: Restriction = { plain: true, conditions: NO_CONDITIONS };

/**
 * Parts of plans that say the same are one object in a thread. Most of a plan is kinds, which are numbers and given out in
 * the order of the types: plans of organizations whose models differ only in names share nearly all of it.
 */
export class PlanParts {
  readonly #parts = new SecondChanceCache<string, object>(BYTES_MAX);

  /** @param key all that the part says, and of what sort it is. The part is never changed. */
  shared<Part extends object>(key: string, make: () => Part): Part {
    const known = this.#parts.get(key);
    if (known !== undefined) return known as Part; // a key tells the sort
    const part = make();
    this.#parts.set(key, part, PART_BYTES + key.length * BYTES_PER_CHARACTER);
    return part;
  }
}
