import type { AddTuple, Questions } from '../data-set.ts';
import { someoneBelow } from '../drive/drive-draws.ts';
import { type DriveShape, MEMBERS_PER_GROUP } from '../drive/drive-shape.ts';
import { Memberships } from '../memberships.ts';
import { collectQuestions, type Draw, type Draws } from '../questions.ts';
import { Random, SEED } from '../random.ts';

const GRANTS_PER_USER = 27;
const PERMISSIONS_PER_ROLE = 3;
const PERMISSIONS_MAX = 4_000;

/**
 * Permissions for the users and groups of a drive: some that a user has directly, and for each group a role with a few
 * more, which its members have, and those of the groups in it.
 */
export class Rights {
  readonly #shape: DriveShape;
  readonly #permissions: number;
  /** By user. */
  readonly #grants: Int32Array;
  readonly #granted = new Set<number>();
  /** By group, whose role has the same number. */
  readonly #rolePermissions: Int32Array;
  readonly #groupsWith: number[][];
  readonly #memberships: Memberships;

  constructor(shape: DriveShape) {
    const random = new Random(SEED + 90);
    this.#shape = shape;
    this.#permissions = Math.min(PERMISSIONS_MAX, shape.groups.nodes);
    const permission = (): number => random.below(this.#permissions);
    this.#grants = Int32Array.from({ length: shape.users * GRANTS_PER_USER }, permission);
    this.#grants.forEach((each, place) => {
      this.#granted.add(Math.floor(place / GRANTS_PER_USER) * this.#permissions + each);
    });
    this.#rolePermissions = Int32Array.from({ length: shape.groups.nodes * PERMISSIONS_PER_ROLE }, permission);
    this.#groupsWith = Array.from({ length: this.#permissions }, () => []);
    this.#rolePermissions.forEach((each, place) => {
      this.#groupsWith[each]?.push(Math.floor(place / PERMISSIONS_PER_ROLE));
    });
    this.#memberships = new Memberships(shape.groups, shape.groupMembers, MEMBERS_PER_GROUP, shape.users + 1);
  }

  *tuples(add: AddTuple): Iterable<void> {
    for (const [place, permission] of this.#grants.entries()) {
      add(permissionObject(permission), 'granted', userSubject(Math.floor(place / GRANTS_PER_USER)));
      yield;
    }
    for (const [place, permission] of this.#rolePermissions.entries()) {
      const group = Math.floor(place / PERMISSIONS_PER_ROLE);
      if (place % PERMISSIONS_PER_ROLE === 0) add(`role:r${group}`, 'assignee', `group:g${group}#member`);
      add(permissionObject(permission), 'granted', `role:r${group}#assignee`);
      yield;
    }
  }

  /** Allowed ones rest on one tuple. */
  direct(count: number): Questions {
    const random = new Random(SEED + 91);
    return this.#questions(count, random, () => {
      const place = random.below(this.#grants.length);
      return this.#draw(Math.floor(place / GRANTS_PER_USER), this.#grants[place] as number);
    });
  }

  /** Allowed ones rest on a role, and on groups four deep. */
  nested(count: number): Questions {
    const random = new Random(SEED + 92);
    return this.#questions(count, random, () => {
      const place = random.below(this.#rolePermissions.length);
      const user = someoneBelow(this.#shape, ~Math.floor(place / PERMISSIONS_PER_ROLE), random);
      return this.#draw(user, this.#rolePermissions[place] as number);
    });
  }

  #questions(count: number, random: Random, allowed: Draws['allowed']): Questions {
    return collectQuestions(random, count, {
      allowed,
      denied: () => {
        const user = random.below(this.#shape.users);
        const permission = random.below(this.#permissions);
        return this.#isHeld(user, permission) ? undefined : this.#draw(user, permission);
      },
    });
  }

  #isHeld(user: number, permission: number): boolean {
    if (this.#granted.has(user * this.#permissions + permission)) return true;
    this.#memberships.mark(user);
    return (this.#groupsWith[permission] ?? []).some((group) => this.#memberships.has(group));
  }

  #draw(user: number, permission: number): Draw {
    return {
      key: user * this.#permissions + permission,
      object: permissionObject(permission),
      relation: 'granted',
      subject: userSubject(user),
    };
  }
}

function permissionObject(permission: number): string {
  return `permission:docs${permission >> 2}:${['read', 'write', 'share', 'delete'][permission & 3]}`;
}

function userSubject(user: number): string {
  return `user:u${user}`;
}
