import type { Store } from '#engine';

/** Where users stand: in a role or a group. */
export interface Holding {
  readonly object: string;
  readonly relation: 'assignee' | 'member';
}

const SETS_MAX = 16;
const PAGE = 10_000;

interface Known {
  readonly revision: number;
  readonly ids: ReadonlySet<string>;
}

/**
 * The ids of all users of a role or group, for lists that are searched or sorted: those need to know of any user
 * whether it belongs. Read once for each revision that is asked about; a plain list needs none.
 */
export class MemberSets {
  readonly #known = new Map<string, Known>();

  /** To be called inside `Engine.read`. */
  of(store: Store, { object, relation }: Holding): ReadonlySet<string> {
    const key = `${store.name}\n${object}`;
    const revision = store.revision();
    const known = this.#known.get(key);
    if (known?.revision === revision) return known.ids;
    const ids = new Set<string>();
    for (let offset = 0; ; offset += PAGE) {
      const page = store.subjectPage({ object, relation, subjectType: 'user', offset, limit: PAGE });
      for (const id of page) ids.add(id);
      if (page.length < PAGE) break;
    }
    this.#known.delete(key);
    if (this.#known.size >= SETS_MAX) this.#known.clear();
    this.#known.set(key, { revision, ids });
    return ids;
  }
}
