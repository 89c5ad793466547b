import type { Store } from '#engine';
import { type Asking, requireHeldThrough } from '../../../kernel/transactions/index.ts';
import { policyObject, policyRecords, type UserRecord, userAttributes } from '../../records/index.ts';

/** Every change moves it: nothing that somebody chose. */
const ownTime = 'updatedAt';

/** Names of the attributes that policies see differently. */
export function changedAttributes(before: UserRecord, after: UserRecord): ReadonlySet<string> {
  const [old, next] = [userAttributes(before), userAttributes(after)];
  const names = new Set([...Object.keys(old), ...Object.keys(next)]);
  const isSame = (name: string): boolean => JSON.stringify(old[name]) === JSON.stringify(next[name]);
  return new Set([...names].filter((name) => name !== ownTime && !isSame(name)));
}

/**
 * Attributes decide where a policy asks for them: whoever sets one that an enabled policy names must hold what that
 * policy grants, or could give it to anybody.
 * @throws ProblemError 403
 */
export function requireHeldThroughPolicies(asking: Asking, changed: ReadonlySet<string>): void {
  if (changed.size === 0) return;
  for (const { id, document } of policyRecords.all(asking.caller.organization.store)) {
    if (document.enabled && asksFor(document.condition, changed)) {
      requireHeldThrough(asking, `${policyObject(id)}#applies`);
    }
  }
}

/**
 * Whether an enabled policy asks for one of these: then it is not for the user to say. To be called inside `Engine.read`.
 */
export function isDecidedBy(store: Store, names: ReadonlySet<string>): boolean {
  for (const { document } of policyRecords.all(store))
    if (document.enabled && asksFor(document.condition, names)) return true;
  return false;
}

/** Any other use of the whole map than `subject.name` may look at everything. */
const wholeSubject = /\bsubject\b(?!\s*\.)/;

/** Errs on the side of yes: a name in a text counts as well. */
function asksFor(condition: string, names: ReadonlySet<string>): boolean {
  return wholeSubject.test(condition) || (condition.match(/\w+/g) ?? []).some((word) => names.has(word));
}
