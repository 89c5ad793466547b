import type { Store } from '#engine';
import type { RightCheck, RightsStore } from './right-check.ts';
import { isSystemPermission, permissionObject } from './system-permissions.ts';

/** Who wants to give something, in which organization. */
export interface HoldingsQuestion {
  readonly organization: RightsStore;
  readonly rights: RightCheck;
  /** `undefined` is the super administrator, who holds everything. */
  readonly subject: string | undefined;
  readonly now: number;
}

const PAGE = 10_000;

/**
 * Nobody gives what they do not hold. A system permission is held where the guard says so. A permission of the
 * organization's own is held by whom it was granted to, and by full administrators: it did not exist before one of them
 * made it, so that otherwise nobody could ever give it.
 */
export function holdsPermission(question: HoldingsQuestion, permission: string): boolean {
  const { organization, rights, subject, now } = question;
  if (subject === undefined) return true;
  if (isSystemPermission(permission)) return rights.holds(organization, subject, permission, now) !== 'no';
  return (
    rights.holds(organization, subject, 'settings.manage', now) !== 'no' ||
    rights.holds(organization, subject, permission, now) !== 'no'
  );
}

/** A role is held by whom holds all that it gives. Answers the first permission that is not held. */
export function holdsRole(question: HoldingsQuestion, role: string): string | undefined {
  return missingPermission(question, `role:${role}#assignee`);
}

/** A membership is held by whom holds all that the group's members are given. */
export function holdsGroup(question: HoldingsQuestion, group: string): string | undefined {
  return missingPermission(question, `group:${group}#member`);
}

/** The first permission given to a userset that the asker does not hold. */
export function missingPermission(question: HoldingsQuestion, userset: string): string | undefined {
  return firstMissing(question, userset, () => true);
}

/** The first permission of Relata's own that a subject holds and the asker does not. */
export function missingSystemPermission(question: HoldingsQuestion, subject: string): string | undefined {
  return firstMissing(question, subject, isSystemPermission);
}

function firstMissing(
  question: HoldingsQuestion,
  subject: string,
  counts: (permission: string) => boolean,
): string | undefined {
  if (question.subject === undefined) return undefined;
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
      ...(modelId === undefined ? {} : { modelId }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    const prefix = permissionObject('').length;
    for (const object of page.items) yield object.slice(prefix);
    // what is given under a condition is given
    for (const { item } of page.conditional) yield item.slice(prefix);
    cursor = page.cursor;
  } while (cursor !== undefined);
}
