import { type Engine, EngineError, parseSubject, type Store, type Tuple } from '#engine';
import { groupObject, roleObject } from '../../records/index.ts';

const relations = { role: 'assignee', group: 'member' } as const;
const objects = { role: roleObject, group: groupObject } as const;

/** The set of users in one object, exact at a revision. */
interface Kept {
  /** Never changed: another set takes its place. */
  ids: ReadonlySet<string>;
  revision: number;
}

/** Ids kept in one thread, over all sets. */
const IDS_MAX = 1_000_000;
/** More commits than this are not followed: reading the members anew costs less. */
const COMMITS_MAX = 500;
const PAGE = 10_000;

/**
 * The users who have a role by themselves, or are in a group, as sets that one thread keeps and brings up to date from
 * the commits since: a role of everybody's would take longer to read than the list that is filtered by it.
 */
export class Members {
  readonly #engine: Engine;
  /** The set asked for last is at the end. */
  readonly #kept = new Map<string, Kept>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** To be called inside `Engine.read`. While the members stay the same, so does the set. */
  of(store: Store, type: 'role' | 'group', slug: string): ReadonlySet<string> {
    const object = objects[type](slug);
    const relation = relations[type];
    const key = `${store.name}\n${object}`;
    const revision = this.#engine.revision();
    const known = this.#kept.get(key);
    this.#kept.delete(key);
    const kept =
      known !== undefined && follow(store, known, { object, relation }, revision)
        ? known
        : { ids: readAll(store, object, relation), revision };
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
function follow(store: Store, kept: Kept, of: Pick<Tuple, 'object' | 'relation'>, revision: number): boolean {
  if (kept.revision === revision) return true;
  if (revision < kept.revision || revision - kept.revision > COMMITS_MAX) return false;
  try {
    while (kept.revision < revision) {
      const page = store.changes(kept.revision, COMMITS_MAX);
      if (page.revision <= kept.revision) return false;
      const changes = page.changes.flatMap(({ tuples }) => tuples.filter(({ tuple }) => isOf(tuple, of)));
      if (changes.length > 0) {
        const ids = new Set(kept.ids);
        for (const { op, tuple } of changes) apply(ids, op, tuple);
        kept.ids = ids;
      }
      kept.revision = page.revision;
    }
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'revision_compacted') return false;
    throw error;
  }
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

function readAll(store: Store, object: string, relation: string): Set<string> {
  const ids = new Set<string>();
  for (let offset = 0; ; offset += PAGE) {
    const page = store.subjectPage({ object, relation, subjectType: 'user', offset, limit: PAGE });
    for (const id of page) ids.add(id);
    if (page.length < PAGE) return ids;
  }
}
