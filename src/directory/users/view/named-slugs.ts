import { BoundedMap, type Store } from '#engine';
import { MadeOfRecords } from '../../../kernel/records/index.ts';
import { findGroup, findRole, groupRecords, roleRecords } from '../../records/index.ts';

interface Named {
  /** Null where there is no record of it. */
  readonly id: string | null;
  readonly slug: string;
  readonly name: string;
}

/** Of one organization: some 200 bytes each. */
const NAMES_MAX = 4_096;
const ORGANIZATIONS_MAX = 8;

/** Roles and groups by slug, read once for all users that are shown with them. */
export class NamedSlugs {
  readonly #store: Store;
  readonly #known = new BoundedMap<string, Named>(NAMES_MAX);

  constructor(store: Store) {
    this.#store = store;
  }

  role(slug: string): Named {
    return this.#named(`role ${slug}`, () => {
      const entry = findRole(this.#store, slug);
      return { id: entry?.id ?? null, slug, name: entry?.document.name ?? slug };
    });
  }

  group(slug: string): Named {
    return this.#named(`group ${slug}`, () => {
      const entry = findGroup(this.#store, slug);
      return { id: entry?.id ?? null, slug, name: entry?.document.displayName ?? slug };
    });
  }

  #named(key: string, read: () => Named): Named {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const item = read();
    this.#known.set(key, item);
    return item;
  }
}

/** The names of some organizations, which one thread keeps as long as nobody writes a role or a group there. */
export function keptNames(): MadeOfRecords<NamedSlugs> {
  const collections = [roleRecords.collection, groupRecords.collection];
  return new MadeOfRecords(collections, (store) => new NamedSlugs(store), ORGANIZATIONS_MAX);
}
