import type { Store } from '#engine';
import { hasPolicies } from '../../../directory/index.ts';

interface Known {
  readonly revision: number;
  readonly has: boolean;
}

/**
 * Which organizations have attribute policies, in one thread: most have none, and their questions need no attributes.
 * What is known holds for one revision.
 */
export class PolicyPresence {
  readonly #known = new WeakMap<Store, Known>();

  /** To be called inside `Engine.read`. */
  has(store: Store): boolean {
    const revision = store.revision();
    const known = this.#known.get(store);
    if (known?.revision === revision) return known.has;
    const has = hasPolicies(store);
    this.#known.set(store, { revision, has });
    return has;
  }
}
