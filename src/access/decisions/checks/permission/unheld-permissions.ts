import type { Store } from '#engine';
import { permissionObject } from '../../../../kernel/rights/index.ts';
import { KnownAtRevision } from './known-at-revision.ts';
import type { ModelRelations } from './model-relations.ts';

type Known = 'asked_once' | 'held' | 'unheld';

/**
 * Permissions that no tuple grants to anybody, in one thread: where a resource is asked about as well, the question
 * whether they are granted is answered before it is put. What is known holds for one revision. It is looked up when a
 * permission is asked about for the second time at a revision, so that under many commits nothing is looked up in vain.
 */
export class UnheldPermissions {
  readonly #relations: ModelRelations;
  readonly #known = new KnownAtRevision<Known>();

  constructor(relations: ModelRelations) {
    this.#relations = relations;
  }

  /** Whether nobody can hold it by its own tuples. To be called inside `Engine.read`, with the revision there. */
  has(store: Store, permission: string, revision: number): boolean {
    const known = this.#known.of(store, revision).get(permission);
    if (known === 'held' || known === 'unheld') return known === 'unheld';
    const next = known === undefined ? 'asked_once' : this.#lookUp(store, permission);
    return this.#known.set(store, permission, next) === 'unheld';
  }

  /** Tuples that have expired, or that the model no longer allows, count as holding: only none at all is sure. */
  #lookUp(store: Store, permission: string): Known {
    if (!this.#relations.isDirect(store, 'permission', 'granted')) return 'held';
    const { tuples, cursor } = store.readTuples({
      object: permissionObject(permission),
      relation: 'granted',
      limit: 1,
    });
    return tuples.length === 0 && cursor === undefined ? 'unheld' : 'held';
  }
}
