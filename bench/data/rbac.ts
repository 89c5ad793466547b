import type { Tuple } from '#engine';
import type { AddTuple, DataSet, Questions } from './data-set.ts';
import { collectQuestions, type Draw } from './questions.ts';
import { Random, SEED } from './random.ts';

export interface RbacSize {
  readonly users: number;
  readonly roles: number;
  readonly permissions: number;
  readonly rolesPerUser: number;
  readonly permissionsPerRole: number;
}

/** 10,000 users with ten of 500 roles each, twenty permissions to a role: 110,000 grants. */
export const RBAC: RbacSize = {
  users: 10_000,
  roles: 500,
  permissions: 2_000,
  rolesPerUser: 10,
  permissionsPerRole: 20,
};

const DSL = `model
  schema 1.1

type user

type role
  relations
    define assignee: [user]

type permission
  relations
    define granted: [user, role#assignee]
`;

const SPICEDB_SCHEMA = `definition user {}

definition role {
  relation assignee: user
}

definition permission {
  relation granted: user | role#assignee
}
`;

/** Users have roles, roles have permissions. */
export class Rbac implements DataSet {
  readonly name: string;
  readonly version = 1;
  readonly dsl = DSL;
  readonly spicedbSchema = SPICEDB_SCHEMA;
  readonly size: RbacSize;
  /** By user. */
  readonly rolesOf: readonly ReadonlySet<number>[];
  /** By role. */
  readonly permissionsOf: readonly ReadonlySet<number>[];

  constructor(size: RbacSize = RBAC) {
    const random = new Random(SEED + 10);
    this.name = `rbac-${size.users}`;
    this.size = size;
    const several = (count: number, bound: number) => (): Set<number> => {
      const set = new Set<number>();
      while (set.size < count) set.add(random.below(bound));
      return set;
    };
    this.rolesOf = Array.from({ length: size.users }, several(size.rolesPerUser, size.roles));
    this.permissionsOf = Array.from({ length: size.roles }, several(size.permissionsPerRole, size.permissions));
  }

  *tuples(add: AddTuple): Iterable<void> {
    for (const [role, permissions] of this.permissionsOf.entries()) {
      for (const permission of permissions) add(permissionName(permission), 'granted', `${roleName(role)}#assignee`);
      yield;
    }
    for (const [user, roles] of this.rolesOf.entries()) {
      for (const role of roles) add(roleName(role), 'assignee', userName(user));
      yield;
    }
  }

  isGranted(user: number, permission: number): boolean {
    for (const role of this.rolesOf[user] ?? []) if (this.permissionsOf[role]?.has(permission)) return true;
    return false;
  }

  questions(count: number): Questions {
    const random = new Random(SEED + 11);
    const { users, permissions } = this.size;
    const draw = (user: number, permission: number): Draw => ({
      key: user * permissions + permission,
      object: permissionName(permission),
      relation: 'granted',
      subject: userName(user),
    });
    const one = (set: ReadonlySet<number> | undefined): number => [...(set ?? [])][random.below(set?.size ?? 0)] as number;
    return collectQuestions(random, count, {
      allowed: () => {
        const user = random.below(users);
        return draw(user, one(this.permissionsOf[one(this.rolesOf[user])]));
      },
      denied: () => {
        const user = random.below(users);
        const permission = random.below(permissions);
        return this.isGranted(user, permission) ? undefined : draw(user, permission);
      },
    });
  }

  noise(number: number): Tuple {
    const subject = `user:passer-by-${number % 97}`;
    const { roles, permissions } = this.size;
    if (number % 2 === 0) return { object: roleName(number % roles), relation: 'assignee', subject };
    return { object: permissionName(number % permissions), relation: 'granted', subject };
  }
}

export function userName(user: number): string {
  return `user:u${user}`;
}

export function roleName(role: number): string {
  return `role:r${role}`;
}

/** Without a colon in the id, which SpiceDB does not take. */
export function permissionName(permission: number): string {
  return `permission:resource${permission >> 2}_${['read', 'write', 'share', 'delete'][permission & 3]}`;
}
