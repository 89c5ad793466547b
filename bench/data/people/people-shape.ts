import { Random, SEED } from '../random.ts';

export interface PeopleSize {
  readonly users: number;
  readonly groups: number;
  readonly roles: number;
  readonly permissions: number;
  /** One user in so many is in the first group too. */
  readonly firstGroupEvery: number;
  readonly blockedEvery: number;
}

export const PEOPLE: PeopleSize = {
  users: 100_000,
  groups: 1_000,
  roles: 500,
  permissions: 2_000,
  firstGroupEvery: 5,
  blockedEvery: 100,
};

export const FEW_PEOPLE: PeopleSize = {
  users: 400,
  groups: 20,
  roles: 10,
  permissions: 40,
  firstGroupEvery: 2,
  blockedEvery: 20,
};

const GROUPS_PER_USER = 3;
const ROLES_PER_GROUP = 2;
const PERMISSIONS_PER_ROLE = 10;

/**
 * Who is in which group, who has which role and what the roles give, at random. The first group is a large one, and
 * everybody has the first role, as organizations have a role that comes with the account.
 */
export class PeopleShape {
  readonly size: PeopleSize;
  /** By user, so many each; the first group is never among them. */
  readonly #groups: Int32Array;
  /** By user; the first role is never among them. */
  readonly #roles: Int32Array;
  readonly #groupRoles: Int32Array;
  readonly #rolePermissions: Int32Array;

  constructor(size: PeopleSize) {
    const random = new Random(SEED + 110);
    this.size = size;
    this.#groups = distinct(random, size.users, GROUPS_PER_USER, 1, size.groups);
    this.#roles = distinct(random, size.users, 1, 1, size.roles);
    this.#groupRoles = distinct(random, size.groups, ROLES_PER_GROUP, 1, size.roles);
    this.#rolePermissions = distinct(random, size.roles, PERMISSIONS_PER_ROLE, 0, size.permissions);
  }

  isBlocked(user: number): boolean {
    return user % this.size.blockedEvery === 7;
  }

  isInFirstGroup(user: number): boolean {
    return user % this.size.firstGroupEvery === 0;
  }

  groupsOf(user: number): number[] {
    const drawn = part(this.#groups, user, GROUPS_PER_USER);
    return this.isInFirstGroup(user) ? [0, ...drawn] : drawn;
  }

  /** Those that the user has by itself. */
  rolesOf(user: number): number[] {
    return [0, this.#roles[user] as number];
  }

  rolesOfGroup(group: number): number[] {
    return part(this.#groupRoles, group, ROLES_PER_GROUP);
  }

  permissionsOf(role: number): number[] {
    return part(this.#rolePermissions, role, PERMISSIONS_PER_ROLE);
  }
}

function part(numbers: Int32Array, owner: number, each: number): number[] {
  return [...numbers.subarray(owner * each, (owner + 1) * each)];
}

/** For each owner so many different numbers, from one on and below another. */
function distinct(random: Random, owners: number, each: number, from: number, to: number): Int32Array {
  const drawn = new Int32Array(owners * each);
  for (let owner = 0; owner < owners; owner++) {
    const own = new Set<number>();
    while (own.size < each) own.add(from + random.below(to - from));
    drawn.set([...own], owner * each);
  }
  return drawn;
}
