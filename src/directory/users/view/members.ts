import { type Followed, type Follower, parseSubject, type Store, type StoreChangeEntry, type Tuple } from '#engine';
import { groupObject, roleObject, userIdsOf } from '../../records/index.ts';

const relations = { role: 'assignee', group: 'member' } as const;
const objects = { role: roleObject, group: groupObject } as const;

/** The set of users in one object, exact where its follower stands. */
interface Kept {
  /** Never changed: it is replaced as a whole. */
  ids: ReadonlySet<string>;
  readonly follower: Follower<Followed<StoreChangeEntry>>;
}

/** Ids kept in one thread, over all sets. */
const IDS_MAX = 1_000_000;
/** More commits of the store than this are not followed: reading the members anew costs less. */
const COMMITS_MAX = 500;
/** Nor is the store followed past more commits of all. */
const LAG_MAX = 50_000;

/**
 * The users who have a role by themselves, or are in a group, as sets that one thread keeps and brings up to date from
 * the commits since: a role of everybody's would take longer to read than the list that is filtered by it.
 */
export class Members {
  /** The set asked for last is at the end. */
  readonly #kept = new Map<string, Kept>();

  /** To be called inside `Engine.read`. While the members stay the same, so does the set. */
  of(store: Store, type: 'role' | 'group', slug: string): ReadonlySet<string> {
    const object = objects[type](slug);
    const relation = relations[type];
    const key = `${store.name}\n${object}`;
    const known = this.#kept.get(key);
    this.#kept.delete(key);
    const kept =
      known !== undefined && follow(known, { object, relation })
        ? known
        : { ids: new Set(userIdsOf(store, type, slug)), follower: store.follow(COMMITS_MAX) };
    this.#kept.set(key, kept);
    this.#makeRoom(key);
    return kept.ids;
  }

  #makeRoom(newest: string): void {
    let ids = 0;
    for (const kept of this.#kept.values()) ids += kept.ids.size;
    for (const [key, kept] of this.#kept) {
      if (ids <= IDS_MAX) return;
      if (key === newest) continue;
      ids -= kept.ids.size;
      this.#kept.delete(key);
    }
  }
}

/** False where the commits since are too many, or no longer there: then the set says nothing. */
function follow(kept: Kept, of: Pick<Tuple, 'object' | 'relation'>): boolean {
  const { follower } = kept;
  if (follower.lag < 0 || follower.lag > LAG_MAX) return false;
  for (let commits = 0; follower.lag > 0; ) {
    const found = follower.next();
    if (found.isBehind) return false;
    commits += found.changes.length;
    if (commits > COMMITS_MAX) return false;
    const changes = found.changes.flatMap(({ tuples }) => tuples.filter(({ tuple }) => isOf(tuple, of)));
    if (changes.length > 0) {
      const ids = new Set(kept.ids);
      for (const { op, tuple } of changes) apply(ids, op, tuple);
      kept.ids = ids;
    }
    follower.advance(found);
  }
  return true;
}

function isOf(tuple: Tuple, { object, relation }: Pick<Tuple, 'object' | 'relation'>): boolean {
  return tuple.object === object && tuple.relation === relation;
}

function apply(ids: Set<string>, op: 'write' | 'delete', { subject }: Tuple): void {
  const { type, id, relation } = parseSubject(subject);
  if (type !== 'user' || relation !== '') return;
  if (op === 'write') ids.add(id);
  else ids.delete(id);
}
