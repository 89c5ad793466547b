import type { CheckRequest, Store } from '#engine';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { isSystemPermission, permissionObject, type RightCheck } from '../../../kernel/rights/index.ts';
import { invalid, refused, type Transaction } from '../../../kernel/transactions/index.ts';
import { isoTime } from '../../../platform/index.ts';
import { activeUser, actors, findPermission, hasRelation, outcomeOf, userSubject } from '../../records/index.ts';

/** With these an agent could give itself whatever it wants. */
export const neverLent: ReadonlySet<string> = new Set(['settings.manage', 'jit.approve']);

/** That a scope is a permission that can be lent. @throws ProblemError 400, 422 */
export function requireScope({ store }: Transaction, slug: string, path: string): void {
  if (findPermission(store, slug) === undefined) throw invalid(path, `there is no permission ${slug}`);
  if (neverLent.has(slug)) throw refused(`${slug} can never be lent.`, path);
}

export interface LendingQuestion {
  readonly organization: Organization;
  readonly rights: RightCheck;
  readonly userId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Whether a user holds a permission now, and so can lend it: for all objects, or, where some are named, on each of those
 * of its type. Decided by the engine, as the checks with an elevated token are. To be called inside `Engine.read`.
 */
export function holdsToLend(question: LendingQuestion, slug: string, resources: readonly string[] = []): boolean {
  const { organization, rights, userId, now } = question;
  if (neverLent.has(slug) || activeUser(organization.store, userId) === undefined) return false;
  if (isSystemPermission(slug)) return rights.holds(organization, userSubject(userId), slug, now) !== 'no';
  const colon = slug.indexOf(':');
  const own = colon < 1 ? [] : resources.filter((resource) => resource.startsWith(slug.slice(0, colon + 1)));
  const relation = `can_${slug.slice(colon + 1)}`;
  return own.length === 0
    ? isGranted(question, slug)
    : own.every((object) => isGranted(question, slug, object) || isRelated(question, object, relation));
}

/** The first of some permissions that a user could not lend. */
export function firstNotLendable(
  question: LendingQuestion,
  scopes: readonly string[],
  resources?: readonly string[],
): string | undefined {
  return scopes.find((slug) => !holdsToLend(question, slug, resources));
}

function isGranted(question: LendingQuestion, slug: string, resource?: string): boolean {
  return isAllowed(question, { object: permissionObject(slug), relation: 'granted' }, resource);
}

/** `can_<action>` on an object, where the model has it. */
function isRelated(question: LendingQuestion, object: string, relation: string): boolean {
  const { store } = question.organization;
  const type = object.slice(0, object.indexOf(':'));
  return hasRelation(store, type, relation) && isAllowed(question, { object, relation }, object);
}

function isAllowed(
  { organization: { store }, userId, now }: LendingQuestion,
  asked: Pick<CheckRequest, 'object' | 'relation'>,
  resource: string | undefined,
): boolean {
  const context = { ...attributesOf(store, userId, resource), now: isoTime(now) };
  return outcomeOf(store, { ...asked, subject: userSubject(userId), context, now }) === 'allowed';
}

/** What policies see of the user and of the object. */
function attributesOf(store: Store, id: string, resource: string | undefined) {
  const subject = actors.attributes(store, userSubject(id));
  if (resource === undefined) return { subject };
  const colon = resource.indexOf(':');
  return { subject, resource: { type: resource.slice(0, colon), id: resource.slice(colon + 1) } };
}
