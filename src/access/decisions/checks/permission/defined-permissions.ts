import type { Store } from '#engine';
import { findPermission } from '../../../../directory/records/index.ts';
import { KnownAtRevision } from './known-at-revision.ts';
import type { ModelRelations } from './model-relations.ts';

/**
 * Which permissions somebody has defined, in one thread: as a record, or as `can_<action>` of the model. What is known
 * holds for one revision.
 */
export class DefinedPermissions {
  readonly #relations: ModelRelations;
  readonly #known = new KnownAtRevision<boolean>();

  constructor(relations: ModelRelations) {
    this.#relations = relations;
  }

  /** To be called inside `Engine.read`, with the revision there. */
  has(store: Store, permission: string, revision: number): boolean {
    const known = this.#known.of(store, revision).get(permission);
    if (known !== undefined) return known;
    const isDefined = this.#isInModel(store, permission) || findPermission(store, permission) !== undefined;
    return this.#known.set(store, permission, isDefined);
  }

  #isInModel(store: Store, permission: string): boolean {
    const colon = permission.indexOf(':');
    return colon > 0 && this.#relations.has(store, permission.slice(0, colon), `can_${permission.slice(colon + 1)}`);
  }
}
