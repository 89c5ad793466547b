import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { existing, invalid, type Transaction, transact } from '../../../kernel/transactions/index.ts';
import { slugsOf, type UserEntry, userRecords, userSubject } from '../../records/index.ts';
import type { UserDependencies } from '../dependencies.ts';
import { requireUser } from '../find-user.ts';
import { type Givable, type GivenKind, givablesOf } from './given.ts';
import type { Target } from './update-user.ts';

/** Gives a user one role, group or permission. Nothing happens where the user has it already. */
export function giveOne(
  dependencies: UserDependencies,
  caller: Caller,
  facts: RequestFacts,
  target: Target,
  kind: GivenKind,
  givenId: string,
): Promise<UserEntry> {
  return change(dependencies, caller, facts, target, kind, ({ store }) => {
    const given = kind.byId(store, givenId);
    if (given === undefined) throw invalid(kind.idName, `there is no such ${kind.type}`);
    return { give: [given], take: [] };
  });
}

/** Takes one away. @throws ProblemError 404 where the user does not have it */
export function takeOne(
  dependencies: UserDependencies,
  caller: Caller,
  facts: RequestFacts,
  target: Target,
  kind: GivenKind,
  givenId: string,
): Promise<UserEntry> {
  return change(dependencies, caller, facts, target, kind, ({ store }) => ({
    give: [],
    take: [existing(kind.byId(store, givenId)).slug],
  }));
}

/** Gives exactly these, and takes every other one away. */
export function replaceGiven(
  dependencies: UserDependencies,
  caller: Caller,
  facts: RequestFacts,
  target: Target,
  kind: GivenKind,
  slugs: readonly string[],
): Promise<UserEntry> {
  return change(dependencies, caller, facts, target, kind, ({ store }, user) => {
    const wanted = givablesOf(kind, store, slugs);
    const kept = new Set(wanted.map(({ slug }) => slug));
    const taken = slugsOf(store, userSubject(user.id), kind.type).filter((slug) => !kept.has(slug));
    return { give: wanted, take: taken };
  });
}

interface Wish {
  readonly give: readonly Givable[];
  /** Slugs: what is taken away need not have a record any more. */
  readonly take: readonly string[];
}

async function change(
  dependencies: UserDependencies,
  caller: Caller,
  facts: RequestFacts,
  { reference, family }: Target,
  kind: GivenKind,
  wish: (transaction: Transaction, user: UserEntry) => Wish,
): Promise<UserEntry> {
  const { store } = caller.organization;
  const id = await transact(dependencies, caller, facts, (transaction) => {
    transaction.require(kind.right);
    const user = requireUser(store, reference, family);
    const { give, take } = wish(transaction, user);
    // what the user keeps, the caller need not hold
    const given = give.filter((each) => !each.isHad(transaction, user));
    for (const each of given) each.give(transaction, user);
    for (const slug of take) kind.take(transaction, slug, user);
    if (given.length + take.length > 0) {
      // of two changes at once, the second one sees the first
      transaction.rely(userRecords, user);
      transaction.put(userRecords, user.id, { ...user.document, updatedAt: transaction.now });
    }
    return user.id;
  });
  return dependencies.engine.read(() => existing(userRecords.get(store, id)));
}
