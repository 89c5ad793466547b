import { BoundedMap, type RecordEntry, type Store } from '#engine';
import { MadeOfRecords } from '../../../kernel/records/index.ts';
import { findGroup, findRole, groupRecords, roleRecords } from '../../records/index.ts';

interface Named {
  /** Null where there is no record of it. */
  readonly id: string | null;
  readonly slug: string;
  readonly name: string;
}

/** Roles of one organization, and as many groups: some 200 bytes each. */
const NAMES_MAX = 4_096;
const ORGANIZATIONS_MAX = 8;

/** Roles and groups by slug, read once for all users that are shown with them. */
export class NamedSlugs {
  readonly #store: Store;
  readonly #roles = new BoundedMap<string, Named>(NAMES_MAX);
  readonly #groups = new BoundedMap<string, Named>(NAMES_MAX);

  constructor(store: Store) {
    this.#store = store;
  }

  role(slug: string): Named {
    return this.#roles.get(slug) ?? this.#keep(this.#roles, slug, findRole(this.#store, slug), ({ name }) => name);
  }

  group(slug: string): Named {
    const known = this.#groups.get(slug);
    return known ?? this.#keep(this.#groups, slug, findGroup(this.#store, slug), ({ displayName }) => displayName);
  }

  #keep<T>(
    known: Map<string, Named>,
    slug: string,
    entry: RecordEntry<T> | undefined,
    nameOf: (document: T) => string,
  ): Named {
    const item = { id: entry?.id ?? null, slug, name: entry === undefined ? slug : nameOf(entry.document) };
    known.set(slug, item);
    return item;
  }
}

/** The names of some organizations, which one thread keeps as long as nobody writes a role or a group there. */
export function keptNames(): MadeOfRecords<NamedSlugs> {
  const collections = [roleRecords.collection, groupRecords.collection];
  return new MadeOfRecords(collections, (store) => new NamedSlugs(store), ORGANIZATIONS_MAX);
}
