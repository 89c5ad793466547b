import type { AddTuple, Questions } from '../data-set.ts';
import { collectQuestions, type Draw } from '../questions.ts';
import { Random, SEED } from '../random.ts';
import { DEPARTMENTS, FAMILY_NAMES, GIVEN_NAMES } from './names.ts';
import { PeopleShape, type PeopleSize } from './people-shape.ts';

/** What a record of a user says. Times are milliseconds since the epoch. */
export interface Person {
  readonly number: number;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly isActive: boolean;
  readonly isBlocked: boolean;
  readonly mfaEnabled: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastLoginAt?: number;
  readonly loginCount: number;
}

const FIRST_CREATED_AT = Date.UTC(2025, 0, 1);
const CREATED_EVERY_MS = 60_000;
const LOGINS_MS = 300 * 86_400_000;
const ACTIONS = ['read', 'write', 'share', 'delete'];

/** An organization's people, groups, roles and permissions, all from the fixed seed. */
export class People {
  readonly shape: PeopleShape;
  /** Of users, in the order of their creation. */
  readonly persons: readonly Person[];
  readonly userIds: readonly string[];
  readonly groupIds: readonly string[];
  readonly roleIds: readonly string[];

  constructor(size: PeopleSize) {
    const random = new Random(SEED + 111);
    this.shape = new PeopleShape(size);
    const ids = (count: number): string[] => Array.from({ length: count }, (_, place) => idAt(createdAt(place), random));
    this.userIds = ids(size.users);
    this.groupIds = ids(size.groups);
    this.roleIds = ids(size.roles);
    this.persons = this.userIds.map((_, user) => person(user, this.shape.isBlocked(user), random));
  }

  *tuples(add: AddTuple): Iterable<void> {
    const { users, groups, roles } = this.shape.size;
    for (let user = 0; user < users; user++) {
      const subject = this.userSubject(user);
      for (const group of this.shape.groupsOf(user)) add(`group:${groupName(group)}`, 'member', subject);
      for (const role of this.shape.rolesOf(user)) add(`role:${roleSlug(role)}`, 'assignee', subject);
      yield;
    }
    for (let group = 0; group < groups; group++) {
      for (const role of this.shape.rolesOfGroup(group)) {
        add(`role:${roleSlug(role)}`, 'assignee', `group:${groupName(group)}#member`);
      }
      yield;
    }
    for (let role = 0; role < roles; role++) {
      for (const permission of this.shape.permissionsOf(role)) {
        add(`permission:${permissionSlug(permission)}`, 'granted', `role:${roleSlug(role)}#assignee`);
      }
      yield;
    }
  }

  userSubject(user: number): string {
    return `user:${this.userIds[user]}`;
  }

  /** How many users there are of whom this is true. */
  count(test: (person: Person, user: number) => boolean): number {
    return this.persons.reduce((sum, each, user) => (test(each, user) ? sum + 1 : sum), 0);
  }

  /** Permissions of users who are not blocked. Allowed ones rest on a role that one of the user's groups has. */
  questions(count: number): Questions {
    const { users, permissions } = this.shape.size;
    const random = new Random(SEED + 112);
    const someone = (): number => {
      for (;;) {
        const user = random.below(users);
        if (!this.shape.isBlocked(user)) return user;
      }
    };
    const oneOf = (numbers: readonly number[]): number => numbers[random.below(numbers.length)] as number;
    const draw = (user: number, permission: number): Draw => ({
      key: user * permissions + permission,
      object: `permission:${permissionSlug(permission)}`,
      relation: 'granted',
      subject: this.userSubject(user),
    });
    return collectQuestions(random, count, {
      allowed: () => {
        const user = someone();
        const role = oneOf(this.shape.rolesOfGroup(oneOf(this.shape.groupsOf(user))));
        return draw(user, oneOf(this.shape.permissionsOf(role)));
      },
      denied: () => {
        const user = someone();
        const permission = random.below(permissions);
        return this.#holds(user, permission) ? undefined : draw(user, permission);
      },
    });
  }

  /** Slugs; through roles of the user and of its groups. */
  permissionsHeldBy(user: number): string[] {
    return this.#rolesReaching(user).flatMap((role) => this.shape.permissionsOf(role).map(permissionSlug));
  }

  #holds(user: number, permission: number): boolean {
    return this.#rolesReaching(user).some((role) => this.shape.permissionsOf(role).includes(permission));
  }

  #rolesReaching(user: number): number[] {
    const { shape } = this;
    return [...shape.rolesOf(user), ...shape.groupsOf(user).flatMap((group) => shape.rolesOfGroup(group))];
  }
}

export function groupName(group: number): string {
  return `group-${padded(group)}`;
}

export function roleSlug(role: number): string {
  return `role-${padded(role)}`;
}

export function permissionSlug(permission: number): string {
  return `area${padded(permission >> 2)}:${ACTIONS[permission & 3]}`;
}

export function createdAt(place: number): number {
  return FIRST_CREATED_AT + place * CREATED_EVERY_MS;
}

function padded(number: number): string {
  return String(number).padStart(4, '0');
}

function person(user: number, isBlocked: boolean, random: Random): Person {
  const oneOf = (words: readonly string[]): string => words[random.below(words.length)] as string;
  const givenName = oneOf(GIVEN_NAMES);
  const familyName = oneOf(FAMILY_NAMES);
  const created = createdAt(user);
  const hasLoggedIn = random.below(5) > 0;
  return {
    number: user + 1,
    email: `${givenName}.${familyName}.${user}@example.com`.toLowerCase(),
    emailVerified: random.below(10) > 0,
    name: `${givenName} ${familyName}`,
    givenName,
    familyName,
    isActive: true,
    isBlocked,
    mfaEnabled: random.below(3) === 0,
    metadata: { department: oneOf(DEPARTMENTS), level: random.below(5) },
    createdAt: created,
    updatedAt: created,
    ...(hasLoggedIn ? { lastLoginAt: created + random.below(LOGINS_MS / 1000) * 1000 } : {}),
    loginCount: hasLoggedIn ? 1 + random.below(500) : 0,
  };
}

/** A UUID of version 7 (RFC 9562, 5.7) of this time. */
function idAt(time: number, random: Random): string {
  const clock = time.toString(16).padStart(12, '0');
  const hex = (digits: number): string => random.below(16 ** digits).toString(16).padStart(digits, '0');
  return `${clock.slice(0, 8)}-${clock.slice(8)}-7${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`;
}
