import type { Context, Store } from '#engine';
import { actors } from '../../../directory/records/index.ts';
import { type Caller, lentSubject } from '../../../kernel/organizations/index.ts';
import { permissionObject } from '../../../kernel/rights/index.ts';
import { ask } from '../checks/ask.ts';
import { aboutPermission, reaches } from './reach.ts';

/** A permission, and how a caller has it. */
export interface HeldPermission {
  readonly permission: string;
  /** To whom it was granted, whatever the way; undefined where it is lent alone. */
  readonly by?: string;
  /** Id of the task for which it is lent. */
  readonly lentBy?: string;
}

export interface HeldQuestion {
  readonly caller: Caller;
  /** Who is asked about. */
  readonly subject: string;
  readonly now: number;
  /** What is known of a subject. */
  readonly contextOf: (subject: string) => Context;
}

/** The permissions that the check would allow without an object. To be called inside `Engine.read`. */
export function heldPermissions(question: HeldQuestion): HeldPermission[] {
  const { caller, subject } = question;
  const { actor, agency } = caller;
  const granted = grantedTo(question, subject);
  if (actor === undefined || subject !== caller.subject) return heldBy(subject, granted);
  const acting = grantedTo(question, actor);
  const isReached = (permission: string): boolean => reaches(caller, aboutPermission(permission, undefined));
  const lent = agency && lentSubject(agency);
  if (agency === undefined || lent === undefined) {
    const own = new Set(acting);
    const isShared = (permission: string): boolean =>
      own.has(permission) && (agency === undefined || isReached(permission));
    return heldBy(subject, granted.filter(isShared));
  }
  const held = new Map(heldBy(actor, acting).map((each) => [each.permission, each]));
  for (const permission of granted) {
    if (isReached(permission) && isLent(question, permission, lent)) {
      held.set(permission, { ...held.get(permission), permission, lentBy: agency.id });
    }
  }
  return [...held.values()];
}

function heldBy(by: string, permissions: readonly string[]): HeldPermission[] {
  return permissions.map((permission) => ({ permission, by }));
}

function isLent({ caller, now, contextOf }: HeldQuestion, permission: string, lent: string): boolean {
  const asked = { object: permissionObject(permission), relation: 'granted', subject: lent };
  return ask(caller.organization.store, { ...asked, now, context: contextOf(lent) }, now).outcome === 'allowed';
}

function grantedTo({ caller, now, contextOf }: HeldQuestion, subject: string): string[] {
  const { store } = caller.organization;
  return actors.counts(store, subject, now) ? allGranted(store, subject, contextOf(subject), now) : [];
}

function allGranted(store: Store, subject: string, context: Context, now: number): string[] {
  const slugs: string[] = [];
  const prefix = permissionObject('').length;
  let cursor: string | undefined;
  do {
    const page = store.listObjects({ type: 'permission', relation: 'granted', subject, context, now, cursor });
    for (const object of page.items) slugs.push(object.slice(prefix));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return slugs;
}
