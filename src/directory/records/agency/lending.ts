import { type CheckRequest, EngineError, parseObject, type Store } from '#engine';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { isOfTheStore, permissionObject, type RightCheck } from '../../../kernel/rights/index.ts';
import { isoTime } from '../../../platform/index.ts';
import { userSubject } from '../subjects/users.ts';

/** What an agency is and reaches. It stays as it was made, until it ends. */
export interface AgencyTerms {
  /** In whose name the agent acts. */
  readonly userId: string;
  readonly agentId: string;
  readonly scopes: readonly string[];
  readonly resources?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly until: number;
}

export interface LendingQuestion {
  readonly organization: Organization;
  readonly rights: RightCheck;
  readonly now: number;
}

/** Time may change the answer: it is asked again in the next millisecond. */
const SOON_MS = 1;

/**
 * Until when a lender is known to hold something of what was lent, if nothing is committed; `undefined` where the lender
 * holds nothing of it. What hangs on a condition that cannot be judged without a question counts as held: the question
 * is decided by itself. To be called inside `Engine.read`.
 */
export function lendsUntil(question: LendingQuestion, terms: AgencyTerms): number | undefined {
  const { organization, rights, now } = question;
  const lender = userSubject(terms.userId);
  let isHeld = false;
  for (const scope of terms.scopes) {
    const right = rights.holds(organization, lender, scope, now);
    if (right === 'until_a_commit') return terms.until;
    isHeld ||= right === 'now' || mayBe(question, { object: permissionObject(scope), relation: 'granted' }, lender);
  }
  return isHeld || mayReachSome(question, terms, lender) ? Math.min(terms.until, now + SOON_MS) : undefined;
}

/** `can_<action>` on one of the objects that was lent for. */
function mayReachSome(question: LendingQuestion, { scopes, resources = [] }: AgencyTerms, lender: string): boolean {
  const { store } = question.organization;
  return resources.some((object) => {
    const { type } = parseObject(object);
    return scopes.some((scope) => {
      if (!scope.startsWith(`${type}:`)) return false;
      const relation = `can_${scope.slice(type.length + 1)}`;
      return hasRelation(store, type, relation) && mayBe(question, { object, relation }, lender);
    });
  });
}

/** Whether objects of a type have a relation, by the latest model of the organization. */
export function hasRelation(store: Store, type: string, relation: string): boolean {
  const modelId = store.latestModelId();
  return modelId !== undefined && store.model(modelId).model.types.get(type)?.relations.has(relation) === true;
}

function mayBe(
  { organization: { store }, now }: LendingQuestion,
  asked: Pick<CheckRequest, 'object' | 'relation'>,
  subject: string,
): boolean {
  return outcomeOf(store, { ...asked, subject, context: { now: isoTime(now) }, now }) !== 'denied';
}

/** What the engine decides. What it cannot decide is not held; a store that cannot be read is no answer. */
export function outcomeOf(store: Store, request: CheckRequest): ReturnType<Store['check']>['outcome'] {
  try {
    return store.check(request).outcome;
  } catch (error) {
    if (!(error instanceof EngineError) || isOfTheStore(error)) throw error;
    return 'denied';
  }
}
