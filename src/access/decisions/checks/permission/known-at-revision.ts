import type { Store } from '#engine';

/** Permissions remembered at one revision. */
const KNOWN_MAX = 10_000;

/** What one thread knows of permissions, by their stores. It holds for one revision. */
export class KnownAtRevision<Known> {
  readonly #known = new Map<Store, Map<string, Known>>();
  #revision = -1;
  #count = 0;

  /** What is known of the permissions of a store. */
  of(store: Store, revision: number): ReadonlyMap<string, Known> {
    if (revision !== this.#revision || this.#count > KNOWN_MAX) this.#forget(revision);
    return this.#mapOf(store);
  }

  set(store: Store, permission: string, known: Known): Known {
    const permissions = this.#mapOf(store);
    if (!permissions.has(permission)) this.#count++;
    permissions.set(permission, known);
    return known;
  }

  #mapOf(store: Store): Map<string, Known> {
    let permissions = this.#known.get(store);
    if (permissions === undefined) {
      permissions = new Map();
      this.#known.set(store, permissions);
    }
    return permissions;
  }

  #forget(revision: number): void {
    this.#known.clear();
    this.#count = 0;
    this.#revision = revision;
  }
}
