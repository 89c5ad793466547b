import type { Tuple } from '#engine';
import type { AddTuple, DataSet, Questions } from './data-set.ts';
import { DRIVE_DSL, DRIVE_SPICEDB_SCHEMA } from './drive/drive-models.ts';
import { collectQuestions, type Draw } from './questions.ts';
import { Random, SEED } from './random.ts';

export interface DeepSize {
  readonly chains: number;
  readonly membersPerChain: number;
}

export const DEEP: DeepSize = { chains: 50_000, membersPerChain: 12 };

/** Groups from the one that is asked about to the one that has the members, both counted. */
const LEVELS = 20;

/** Chains of groups, each in the next, twenty of them; the members are all in the innermost one. */
export class Deep implements DataSet {
  readonly name: string;
  readonly version = 1;
  readonly dsl = DRIVE_DSL;
  readonly spicedbSchema = DRIVE_SPICEDB_SCHEMA;
  readonly size: DeepSize;

  constructor(size: DeepSize = DEEP) {
    this.name = `deep-${size.chains}`;
    this.size = size;
  }

  *tuples(add: AddTuple): Iterable<void> {
    const { chains, membersPerChain } = this.size;
    for (let chain = 0; chain < chains; chain++) {
      for (let level = 1; level < LEVELS; level++) {
        add(groupName(chain, level - 1), 'member', `${groupName(chain, level)}#member`);
      }
      for (let member = 0; member < membersPerChain; member++) {
        add(groupName(chain, LEVELS - 1), 'member', `user:u${chain * membersPerChain + member}`);
      }
      yield;
    }
  }

  questions(count: number): Questions {
    const { chains, membersPerChain } = this.size;
    const users = chains * membersPerChain;
    const random = new Random(SEED + 31);
    const draw = (chain: number, user: number): Draw => ({
      key: chain * users + user,
      object: groupName(chain, 0),
      relation: 'member',
      subject: `user:u${user}`,
    });
    return collectQuestions(random, count, {
      allowed: () => {
        const user = random.below(users);
        return draw(Math.floor(user / membersPerChain), user);
      },
      denied: () => {
        const user = random.below(users);
        const chain = random.below(chains);
        return chain === Math.floor(user / membersPerChain) ? undefined : draw(chain, user);
      },
    });
  }

  noise(number: number): Tuple {
    const chain = number % this.size.chains;
    return { object: groupName(chain, number % LEVELS), relation: 'member', subject: `user:passer-by-${number % 97}` };
  }
}

function groupName(chain: number, level: number): string {
  return `group:c${chain}-${level}`;
}
