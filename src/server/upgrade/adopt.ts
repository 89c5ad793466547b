import { type Change, everyTuple, parseObject, parseSubject, type Store } from '#engine';
import {
  findGroup,
  findPermission,
  findRole,
  firstOwnNumber,
  groupRecords,
  type NamedByTuple,
  namedGroup,
  namedPermission,
  namedRole,
  putPermission,
  rivalGroup,
  rivalPermission,
  rivalRole,
  roleRecords,
  slugKey,
} from '../../directory/records/index.ts';
import { adminRole, systemPermissions } from '../../kernel/rights/index.ts';

/** What tuples name and has no record. */
export interface Orphans {
  readonly role: readonly NamedByTuple[];
  readonly group: readonly NamedByTuple[];
  readonly permission: readonly NamedByTuple[];
}

type Type = keyof Orphans;

const types = ['role', 'group', 'permission'] as const;
const lookups = {
  role: { find: findRole, rival: rivalRole },
  group: { find: findGroup, rival: rivalGroup },
  permission: { find: findPermission, rival: rivalPermission },
} as const;

/** Names of the system's, in every case: nothing else gets them. */
const systemKeys: Readonly<Record<Type, ReadonlySet<string>>> = {
  role: new Set([slugKey(adminRole)]),
  group: new Set(),
  permission: new Set(Object.keys(systemPermissions).map(slugKey)),
};

/**
 * Reads every tuple of rights once. What has the name of a role or permission of the system in other case stays without a
 * record. To be called inside a snapshot.
 */
export function findOrphans(store: Store): Orphans {
  const found = {
    role: new Found(store, 'role'),
    group: new Found(store, 'group'),
    permission: new Found(store, 'permission'),
  };
  const meet = ({ type, id }: { readonly type: string; readonly id: string }): void => {
    if (type === 'role' || type === 'group' || type === 'permission') found[type].meet(id);
  };
  for (const type of types) {
    for (const tuple of everyTuple(store, { object: `${type}:` })) {
      const subject = parseSubject(tuple.subject);
      meet(parseObject(tuple.object));
      if (subject.relation !== '*') meet(subject);
    }
  }
  return { role: found.role.named, group: found.group.named, permission: found.permission.named };
}

/** Those of one type. */
class Found {
  readonly named: NamedByTuple[] = [];
  readonly #store: Store;
  readonly #type: Type;
  readonly #met = new Set<string>();
  readonly #keys = new Set<string>();

  constructor(store: Store, type: Type) {
    this.#store = store;
    this.#type = type;
  }

  meet(id: string): void {
    if (this.#met.has(id)) return;
    this.#met.add(id);
    const key = slugKey(id);
    const { find, rival } = lookups[this.#type];
    if (systemKeys[this.#type].has(key) || find(this.#store, id) !== undefined) return;
    this.named.push({ id, isVariant: this.#keys.has(key) || rival(this.#store, id) !== undefined });
    this.#keys.add(key);
  }
}

/** Records for them. `numbers` has one for each permission. */
export function adoptedRecords(
  at: Pick<Store, 'name'>,
  { role, group, permission }: Orphans,
  numbers: readonly number[],
  newId: () => string,
  now: number,
): Change[] {
  return [
    ...role.map((each) => roleRecords.put(at, newId(), namedRole(each, now))),
    ...group.map((each) => groupRecords.put(at, newId(), namedGroup(each, now))),
    ...permission.map((each, index) => {
      const number = firstOwnNumber - 1 + (numbers[index] ?? 0);
      return putPermission(at, namedPermission(each, number, now));
    }),
  ];
}
