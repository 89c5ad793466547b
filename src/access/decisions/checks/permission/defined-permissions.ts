import type { Store } from '#engine';
import { findPermission, permissionRecords } from '../../../../directory/records/index.ts';
import { MadeOfRecords } from '../../../../kernel/records/index.ts';
import type { ModelRelations } from './model-relations.ts';
import { namesOfPermission } from './permission-names.ts';

/** Permissions remembered, of all stores together. */
const KNOWN_MAX = 10_000;
const STORES_MAX = 1_024;

interface Known {
  /** The model that it was found in. */
  modelId: string | undefined;
  readonly isDefined: Map<string, boolean>;
}

/**
 * Which permissions somebody has defined, in one thread: as a record, or as `can_<action>` of the model. What is known of
 * a store holds until a commit touches one of its permissions, or writes a model; commits of tuples leave it.
 */
export class DefinedPermissions {
  readonly #relations: ModelRelations;
  #known = nothingKnown();
  #count = 0;
  /** What is known of the store that was asked about last, at the revision of that question. */
  #last: { readonly store: Store; readonly revision: number; readonly known: Known } | undefined;

  constructor(relations: ModelRelations) {
    this.#relations = relations;
  }

  /** To be called inside `Engine.read`, with the revision there. */
  has(store: Store, permission: string, revision: number): boolean {
    const { isDefined } = this.#of(store, revision);
    return isDefined.get(permission) ?? this.#lookUp(isDefined, store, permission);
  }

  #of(store: Store, revision: number): Known {
    const last = this.#last;
    if (last?.store === store && last.revision === revision) return last.known;
    const known = this.#known.of(store);
    const modelId = store.latestModelId();
    if (known.modelId !== modelId) {
      known.isDefined.clear();
      known.modelId = modelId;
    }
    this.#last = { store, revision, known };
    return known;
  }

  #lookUp(isDefined: Known['isDefined'], store: Store, permission: string): boolean {
    const found = this.#isInModel(store, permission) || findPermission(store, permission) !== undefined;
    if (this.#count >= KNOWN_MAX) this.#forget();
    else isDefined.set(namesOfPermission(permission).slug, found);
    this.#count++;
    return found;
  }

  #forget(): void {
    this.#known = nothingKnown();
    this.#last = undefined;
    this.#count = 0;
  }

  #isInModel(store: Store, permission: string): boolean {
    const colon = permission.indexOf(':');
    return colon > 0 && this.#relations.has(store, permission.slice(0, colon), `can_${permission.slice(colon + 1)}`);
  }
}

function nothingKnown(): MadeOfRecords<Known> {
  return new MadeOfRecords<Known>(
    [permissionRecords.collection],
    () => ({ modelId: undefined, isDefined: new Map() }),
    STORES_MAX,
  );
}
