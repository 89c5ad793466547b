import type { Store } from '#engine';
import { permissionObject } from '../../../../kernel/rights/index.ts';
import type { ModelRelations } from './model-relations.ts';

type Known = 'asked_once' | 'held' | 'unheld';

/** Permissions remembered at one revision, of all stores together. */
const KNOWN_MAX = 10_000;

/**
 * Permissions that no tuple grants to anybody, in one thread: a question with a resource need not ask whether they are
 * granted. What is known holds for one revision. A permission is looked up when it is asked about for the second time
 * at a revision, so that under many commits no look-up is in vain.
 */
export class UnheldPermissions {
  readonly #relations: ModelRelations;
  readonly #known = new Map<Store, Map<string, Known>>();
  #revision = -1;
  #count = 0;

  constructor(relations: ModelRelations) {
    this.#relations = relations;
  }

  /** Whether nobody can hold it by its own tuples. To be called inside `Engine.read`, with the revision there. */
  has(store: Store, permission: string, revision: number): boolean {
    const permissions = this.#of(store, revision);
    const known = permissions.get(permission);
    if (known === 'held' || known === 'unheld') return known === 'unheld';
    if (known === undefined) this.#count++;
    const next = known === undefined ? 'asked_once' : this.#lookUp(store, permission);
    permissions.set(permission, next);
    return next === 'unheld';
  }

  #of(store: Store, revision: number): Map<string, Known> {
    if (revision !== this.#revision || this.#count > KNOWN_MAX) {
      this.#known.clear();
      this.#count = 0;
      this.#revision = revision;
    }
    let permissions = this.#known.get(store);
    if (permissions === undefined) {
      permissions = new Map();
      this.#known.set(store, permissions);
    }
    return permissions;
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
