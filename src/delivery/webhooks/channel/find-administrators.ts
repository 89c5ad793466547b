import { everyTuple, parseSubject, type Store } from '#engine';
import { userRecords } from '../../../directory/records/index.ts';
import { permissionObject } from '../../../kernel/rights/index.ts';

/** Whom mail is sent to. */
const FOUND_MAX = 20;
/** Tuples that are looked at: an organization can give full administration to many. */
const TUPLES_MAX = 2000;

/** What leads to full administration: `permission:settings.manage#granted`, and from there roles and groups. */
const ways: Readonly<Record<string, string>> = { role: 'assignee', group: 'member' };

/**
 * Addresses of people with full administration who can act, as far as a bounded walk over roles and groups finds them.
 * To be called inside `Engine.read`.
 */
export function findAdministrators(store: Store): string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const waiting = [{ object: permissionObject('settings.manage'), relation: 'granted' }];
  let looked = 0;
  for (const place of waiting) {
    for (const { subject, condition } of everyTuple(store, place)) {
      if (++looked > TUPLES_MAX || found.size === FOUND_MAX) return [...found];
      if (condition !== undefined) continue;
      const { type, id, relation } = parseSubject(subject);
      if (type === 'user' && relation === '') {
        const email = addressOf(store, id);
        if (email !== undefined) found.add(email);
      } else if (ways[type] === relation && !seen.has(subject)) {
        seen.add(subject);
        waiting.push({ object: `${type}:${id}`, relation });
      }
    }
  }
  return [...found];
}

function addressOf(store: Store, id: string): string | undefined {
  const user = userRecords.get(store, id)?.document;
  return user?.isActive && !user.isBlocked ? user.email : undefined;
}
