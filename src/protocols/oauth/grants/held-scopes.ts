import { EngineError, type Store } from '#engine';
import { serviceScopes } from '../../../directory/permissions/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { isSystemPermission, permissionObject } from '../../../kernel/rights/index.ts';
import type { AdminDependencies } from '../../../kernel/transactions/index.ts';
import { isoTime } from '../../../platform/index.ts';
import { oauthError } from '../errors/index.ts';
import { askedScopes, carriedScopes, isScopeToken, personScopes } from './requested-scopes.ts';

/** More do not fit a token, however short they are. */
const HELD_MAX = 500;

/**
 * The scopes of a subject's own token where nobody has registered any: the requested permissions that it holds now,
 * also those under a condition that a later request decides. All that it holds where nothing was asked for. To be
 * called inside `Engine.read`.
 * @throws ProblemError `invalid_scope`
 */
export function heldScopes(
  dependencies: Pick<AdminDependencies, 'rights' | 'clock'>,
  organization: Organization,
  subject: string,
  requested: string | undefined,
): string[] {
  const now = dependencies.clock.now();
  if (requested === undefined) return carriedScopes(allHeld(organization.store, subject, now));
  return askedScopes(
    requested,
    (scope) => isPermission(scope) && isHeld(dependencies, organization, subject, scope, now),
  );
}

/** A scope with a meaning of its own in the protocol is no permission, even where a permission has that name. */
function isPermission(scope: string): boolean {
  return isScopeToken(scope) && !serviceScopes.has(scope) && !personScopes.has(scope);
}

function isHeld(
  { rights }: Pick<AdminDependencies, 'rights'>,
  organization: Organization,
  subject: string,
  slug: string,
  now: number,
): boolean {
  if (isSystemPermission(slug)) return rights.holds(organization, subject, slug, now) !== 'no';
  try {
    const question = { object: permissionObject(slug), relation: 'granted', subject, now, context: contextAt(now) };
    return organization.store.check(question).outcome !== 'denied';
  } catch (error) {
    // no permission is called so
    if (error instanceof EngineError && unnameable.has(error.code)) return false;
    throw error;
  }
}

const unnameable: ReadonlySet<EngineError['code']> = new Set(['invalid_argument', 'invalid_tuple']);

function allHeld(store: Store, subject: string, now: number): string[] {
  const question = { type: 'permission', relation: 'granted', subject, now, context: contextAt(now) };
  const { items, conditional, cursor } = store.listObjects({ ...question, limit: HELD_MAX });
  if (cursor !== undefined) {
    throw oauthError('invalid_scope', `These are more than ${HELD_MAX} permissions: ask for those that are needed.`);
  }
  const prefix = permissionObject('').length;
  return [...items, ...conditional.map(({ item }) => item)].map((object) => object.slice(prefix)).filter(isPermission);
}

function contextAt(now: number) {
  return { now: isoTime(now) };
}
