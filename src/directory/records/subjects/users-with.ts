import { everyTuple, parseSubject, type Store } from '#engine';
import { permissionObject } from '../../../kernel/rights/index.ts';
import { activeUser, type UserEntry } from './users.ts';

/** Tuples that are looked at: an organization can give a permission to many. */
const TUPLES_MAX = 2000;

/** What leads from a permission to users: roles and groups. */
const ways: Readonly<Record<string, string>> = { role: 'assignee', group: 'member' };

/**
 * Users who can act and hold one of some permissions without a condition, as far as a bounded walk over roles and groups
 * finds them; each once. To be called inside `Engine.read`.
 */
export function* usersWith(store: Store, permissions: readonly string[]): Generator<UserEntry> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const waiting = permissions.map((slug) => ({ object: permissionObject(slug), relation: 'granted' }));
  let looked = 0;
  for (const userset of waiting) {
    for (const { subject, condition } of everyTuple(store, userset)) {
      if (++looked > TUPLES_MAX) return;
      if (condition !== undefined) continue;
      const { type, id, relation } = parseSubject(subject);
      if (type === 'user' && relation === '' && !found.has(id)) {
        found.add(id);
        const user = activeUser(store, id);
        if (user !== undefined) yield user;
      } else if (ways[type] === relation && !seen.has(subject)) {
        seen.add(subject);
        waiting.push({ object: `${type}:${id}`, relation });
      }
    }
  }
}
