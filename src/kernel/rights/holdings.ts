import { everyTuple, parseObject, parseSubject, type Store } from '#engine';
import type { RightCheck, RightsStore } from './right-check.ts';
import { isSystemPermission, permissionObject } from './system-permissions.ts';

/** Who wants to give something, in which organization. */
export interface HoldingsQuestion {
  readonly organization: RightsStore;
  readonly rights: RightCheck;
  /** `undefined` is the super administrator, who holds everything. */
  readonly subject: string | undefined;
  /** Who acts for it: nobody gives what either of the two does not hold. */
  readonly actor?: string | undefined;
  /** Scopes of the token that the asker came with: nobody gives what the token does not reach. */
  readonly scopes?: readonly string[] | undefined;
  /** What the asker holds, where that is not what its subject holds in the engine. */
  readonly holds?: ((permission: string) => boolean) | undefined;
  readonly now: number;
}

const PAGE = 10_000;

/**
 * Nobody gives what they do not hold. A system permission is held where the guard says so. A permission of the
 * organization's own is held by whoever was granted it, and by full administrators: a new permission is held by nobody
 * else, and could never be given.
 */
export function holdsPermission(question: HoldingsQuestion, permission: string): boolean {
  const { organization, rights, subject, actor, scopes, holds, now } = question;
  if (holds !== undefined) return holds(permission);
  if (subject === undefined) return true;
  if (!scopeCovers(scopes, permission)) return false;
  if (actor !== undefined && !holdsPermission({ ...question, subject: actor, actor: undefined }, permission))
    return false;
  if (isSystemPermission(permission)) return rights.holds(organization, subject, permission, now) !== 'no';
  return (
    rights.holds(organization, subject, 'settings.manage', now) !== 'no' ||
    rights.holds(organization, subject, permission, now) !== 'no'
  );
}

/**
 * The first permission of a subject or userset that the asker does not hold. A suspended subject counts as restored:
 * otherwise whoever may not touch a powerful subject could do so once it is suspended.
 */
export function missingPermission(question: HoldingsQuestion, subject: string): string | undefined {
  return missingOfAny(question, subject, () => true);
}

/** The first permission of Relata's own that a subject holds and the asker does not, also while it is suspended. */
export function missingSystemPermission(question: HoldingsQuestion, subject: string): string | undefined {
  return missingOfAny(question, subject, isSystemPermission);
}

function missingOfAny(
  question: HoldingsQuestion,
  subject: string,
  counts: (permission: string) => boolean,
): string | undefined {
  const { store } = question.organization;
  // a userset is never suspended
  const isOne = parseSubject(subject).relation === '';
  const holders = isOne && store.isSuspended(subject) ? waysOf(store, subject) : [subject];
  for (const holder of holders) {
    const missing = missingOf(question, holder, counts);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

/**
 * The first permission of Relata's own that `role:R#assignee`, `group:G#member` or `permission:P` gives and the asker
 * does not hold.
 */
export function missingSystemPermissionOf(question: HoldingsQuestion, source: string): string | undefined {
  return missingOf(question, source, isSystemPermission);
}

function missingOf(
  question: HoldingsQuestion,
  source: string,
  counts: (permission: string) => boolean,
): string | undefined {
  const prefix = permissionObject('');
  if (!source.startsWith(prefix)) return firstMissing(question, source, counts);
  const permission = source.slice(prefix.length);
  return counts(permission) && !holdsPermission(question, permission) ? permission : undefined;
}

/** What the tuples of a subject lead to by the system model: usersets that it is in, and permissions of its own. */
function* waysOf(store: Store, subject: string): Generator<string> {
  const everybody = `${parseObject(subject).type}:*`;
  for (const [type, relation, suffix] of ways) {
    for (const named of [subject, everybody]) {
      const filter = { object: `${type}:`, relation, subject: named };
      for (const { object } of everyTuple(store, filter)) yield object + suffix;
    }
  }
}

const ways = [
  ['permission', 'granted', ''],
  ['role', 'assignee', '#assignee'],
  ['group', 'member', '#member'],
  ['policy', 'applies', '#applies'],
] as const;

function firstMissing(
  question: HoldingsQuestion,
  subject: string,
  counts: (permission: string) => boolean,
): string | undefined {
  // whoever may do everything holds everything: no need to ask about each
  if (holdsPermission(question, 'settings.manage')) return undefined;
  const { store, systemModelId } = question.organization;
  for (const modelId of [systemModelId, undefined]) {
    for (const permission of permissionsOf(store, subject, modelId)) {
      if (counts(permission) && !holdsPermission(question, permission)) return permission;
    }
  }
  return undefined;
}

function* permissionsOf(store: Store, subject: string, modelId: string | undefined): Generator<string> {
  let cursor: string | undefined;
  do {
    const page = store.listObjects({
      type: 'permission',
      relation: 'granted',
      subject,
      limit: PAGE,
      modelId,
      cursor,
    });
    const prefix = permissionObject('').length;
    for (const object of page.items) yield object.slice(prefix);
    // what is given under a condition counts as given
    for (const { item } of page.conditional) yield item.slice(prefix);
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/**
 * Whether the scopes of a token reach a permission: the one that is spelled like it, or `settings.manage`, which is full
 * administration as a permission too. Without scopes the credential is no token, and nothing is narrowed. A scope never
 * gives anything: the engine must allow it as well.
 */
export function scopeCovers(scopes: readonly string[] | undefined, permission: string): boolean {
  return scopes === undefined || scopes.includes(permission) || scopes.includes('settings.manage');
}
