import type { Tuple } from '#engine';
import type { AddTuple, DataSet, Questions } from './data-set.ts';
import { DRIVE_DSL, DRIVE_SPICEDB_SCHEMA } from './drive/drive-models.ts';
import { collectQuestions, type Draw } from './questions.ts';
import { Random, SEED } from './random.ts';

export interface WideSize {
  /** Usersets of the one document, and as many groups that it does not name. */
  readonly groups: number;
  /** Each is a member of three groups, all of which the document names, or none. */
  readonly users: number;
}

export const WIDE: WideSize = { groups: 100_000, users: 1_200_000 };

const GROUPS_PER_USER = 3;

/** One document that 100,000 groups may see. The subject is in three of them, or in three others. */
export class Wide implements DataSet {
  readonly name: string;
  readonly version = 1;
  readonly dsl = DRIVE_DSL;
  readonly spicedbSchema = DRIVE_SPICEDB_SCHEMA;
  readonly size: WideSize;

  constructor(size: WideSize = WIDE) {
    this.name = `wide-${size.groups}`;
    this.size = size;
  }

  *tuples(add: AddTuple): Iterable<void> {
    const { groups, users } = this.size;
    const random = new Random(SEED + 20);
    for (let group = 0; group < groups; group++) {
      add('document:wide', 'viewer', `group:g${group}#member`);
      yield;
    }
    for (let user = 0; user < users; user++) {
      const first = this.#isInside(user) ? 0 : groups;
      for (let i = 0; i < GROUPS_PER_USER; i++) add(`group:g${first + random.below(groups)}`, 'member', `user:u${user}`);
      yield;
    }
  }

  questions(count: number): Questions {
    const random = new Random(SEED + 21);
    const draw = (isInside: boolean) => (): Draw | undefined => {
      const user = random.below(this.size.users);
      if (this.#isInside(user) !== isInside) return undefined;
      return { key: user, object: 'document:wide', relation: 'can_view', subject: `user:u${user}` };
    };
    return collectQuestions(random, count, { allowed: draw(true), denied: draw(false) });
  }

  noise(number: number): Tuple {
    const subject = `user:passer-by-${number % 97}`;
    if (number % 2 === 0) return { object: 'document:wide', relation: 'viewer', subject };
    return { object: `group:g${number % this.size.groups}`, relation: 'member', subject };
  }

  #isInside(user: number): boolean {
    return user % 2 === 0;
  }
}
