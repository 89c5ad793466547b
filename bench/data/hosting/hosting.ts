import type { Tuple } from '#engine';
import type { AddTuple, DataSet, Questions } from '../data-set.ts';
import { Memberships } from '../memberships.ts';
import { collectQuestions, type Draw } from '../questions.ts';
import { Random, SEED } from '../random.ts';
import { Forest } from '../tree.ts';
import { HOSTING_DSL } from './hosting-dsl.ts';

export interface HostingSize {
  readonly users: number;
  readonly teams: number;
  readonly repositories: number;
}

export const HOSTING: HostingSize = { users: 50_000, teams: 3_100, repositories: 100_000 };

const TEAM_LEVELS = 5;
const MEMBERS_PER_TEAM = 20;
const READERS_PER_REPOSITORY = 2;
/** One user of so many is blocked. */
const BLOCKED_EACH = 100;
/** The team whose members administer every repository. */
const SECURITY_TEAM = 0;

const ORGANIZATION = 'organization:acme';

/** One organization that hosts code: teams in teams five deep, and who may read, write, maintain and administer. */
export class Hosting implements DataSet {
  readonly name: string;
  readonly version = 1;
  readonly dsl = HOSTING_DSL;
  readonly size: HostingSize;
  readonly #teams: Forest;
  readonly #teamMembers: Int32Array;
  readonly #adminTeams: Int32Array;
  readonly #writerTeams: Int32Array;
  readonly #maintainers: Int32Array;
  readonly #readers: Int32Array;
  #memberships: Memberships | undefined;

  constructor(size: HostingSize = HOSTING) {
    const random = new Random(SEED + 40);
    this.name = `hosting-${size.repositories}`;
    this.size = size;
    const many = (length: number, bound: number): Int32Array => Int32Array.from({ length }, () => random.below(bound));
    this.#teams = new Forest(size.teams, 2 ** TEAM_LEVELS - 1);
    this.#teamMembers = many(size.teams * MEMBERS_PER_TEAM, size.users);
    this.#adminTeams = many(size.repositories, size.teams);
    this.#writerTeams = many(size.repositories, size.teams);
    this.#maintainers = many(size.repositories, size.users);
    this.#readers = many(size.repositories * READERS_PER_REPOSITORY, size.users);
  }

  *tuples(add: AddTuple): Iterable<void> {
    for (let user = 0; user < this.size.users; user++) {
      add(ORGANIZATION, 'member', userName(user));
      if (user % BLOCKED_EACH === 0) add(ORGANIZATION, 'blocked', userName(user));
      yield;
    }
    add(ORGANIZATION, 'repo_admin', teamMember(SECURITY_TEAM));
    for (let team = 0; team < this.size.teams; team++) {
      const above = this.#teams.parent(team);
      if (above >= 0) add(`team:t${above}`, 'member', teamMember(team));
      const first = team * MEMBERS_PER_TEAM;
      for (const user of this.#teamMembers.subarray(first, first + MEMBERS_PER_TEAM)) {
        add(`team:t${team}`, 'member', userName(user));
      }
      yield;
    }
    for (let repository = 0; repository < this.size.repositories; repository++) {
      const object = repositoryName(repository);
      add(object, 'owner', ORGANIZATION);
      add(object, 'admin', teamMember(this.#adminTeams[repository] as number));
      add(object, 'writer', teamMember(this.#writerTeams[repository] as number));
      add(object, 'maintainer', userName(this.#maintainers[repository] as number));
      for (const user of this.#readersOf(repository)) add(object, 'reader', userName(user));
      yield;
    }
  }

  /** Half of the questions are about reading, half about pushing. */
  questions(count: number): Questions {
    const random = new Random(SEED + 41);
    const { users, repositories } = this.size;
    const draw = (repository: number, user: number, isPush: boolean): Draw => ({
      key: (repository * users + user) * 2 + (isPush ? 1 : 0),
      object: repositoryName(repository),
      relation: isPush ? 'can_push' : 'reader',
      subject: userName(user),
    });
    return collectQuestions(random, count, {
      allowed: () => {
        const repository = random.below(repositories);
        const user = this.#someoneWithAccess(repository, random);
        const isPush = random.coin();
        return this.#isAllowed(repository, user, isPush) ? draw(repository, user, isPush) : undefined;
      },
      denied: () => {
        const repository = random.below(repositories);
        const isPush = random.coin();
        // One in eight has access and is denied for another reason: a reader who would push, somebody blocked.
        const user = random.below(8) === 0 ? this.#someoneWithAccess(repository, random) : random.below(users);
        return this.#isAllowed(repository, user, isPush) ? undefined : draw(repository, user, isPush);
      },
    });
  }

  noise(number: number): Tuple {
    const subject = `user:passer-by-${number % 97}`;
    if (number % 2 === 0) return { object: `team:t${number % this.size.teams}`, relation: 'member', subject };
    return { object: repositoryName(number % this.size.repositories), relation: 'reader', subject };
  }

  #isAllowed(repository: number, user: number, isPush: boolean): boolean {
    this.#memberships ??= new Memberships(this.#teams, this.#teamMembers, MEMBERS_PER_TEAM, this.size.users);
    const memberships = this.#memberships;
    memberships.mark(user);
    const canWrite =
      memberships.has(SECURITY_TEAM) ||
      memberships.has(this.#adminTeams[repository] as number) ||
      memberships.has(this.#writerTeams[repository] as number) ||
      this.#maintainers[repository] === user;
    if (isPush) return canWrite && user % BLOCKED_EACH !== 0;
    return canWrite || this.#readersOf(repository).includes(user);
  }

  #someoneWithAccess(repository: number, random: Random): number {
    switch (random.below(4)) {
      case 0:
        return this.#someoneIn(this.#adminTeams[repository] as number, random);
      case 1:
        return this.#someoneIn(this.#writerTeams[repository] as number, random);
      case 2:
        return this.#maintainers[repository] as number;
      default:
        return this.#readersOf(repository)[random.below(READERS_PER_REPOSITORY)] as number;
    }
  }

  #someoneIn(team: number, random: Random): number {
    let inner = team;
    for (let child = team; child >= 0; child = random.coin() ? this.#teams.child(inner, random.below(2)) : -1) {
      inner = child;
    }
    return this.#teamMembers[inner * MEMBERS_PER_TEAM + random.below(MEMBERS_PER_TEAM)] as number;
  }

  #readersOf(repository: number): Int32Array {
    return this.#readers.subarray(repository * READERS_PER_REPOSITORY, (repository + 1) * READERS_PER_REPOSITORY);
  }
}

function userName(user: number): string {
  return `user:u${user}`;
}

function repositoryName(repository: number): string {
  return `repository:r${repository}`;
}

function teamMember(team: number): string {
  return `team:t${team}#member`;
}
