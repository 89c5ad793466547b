import type { Change, Store } from '#engine';
import { findUserByEmail, getUser } from '../../../directory/records/index.ts';
import { type RequestFacts, systemActor } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { type AdminDependencies, commitPlanAs } from '../../../kernel/transactions/index.ts';
import { isoTime } from '../../../platform/index.ts';
import {
  type Attempt,
  failureId,
  failureRecords,
  getFailures,
  lockedUntil,
  oneMore,
  putFailures,
  readLockoutRule,
} from './failure-record.ts';
import { accountLockedOut } from './lockout-event.ts';

/**
 * Locks an account out for an address where it fails too often. What is told does not depend on whether there is such
 * an account. An attempt is counted, on disk, before its password is looked at: of many at once no more are tried than
 * one after the other.
 */
export class Lockout {
  readonly #dependencies: AdminDependencies;

  constructor(dependencies: AdminDependencies) {
    this.#dependencies = dependencies;
  }

  /** Counts an attempt. Where it answers a time (milliseconds since the epoch), nothing must be tried before. */
  begin(organization: Organization, attempt: Attempt): Promise<number | undefined> {
    const { store } = organization;
    return commitPlanAs(this.#dependencies, organization, systemActor, undefined, (now) => {
      const rule = readLockoutRule(store, attempt);
      const known = getFailures(store, attempt);
      const until = lockedUntil(known?.document, rule, now);
      if (until !== undefined) return { changes: [], entries: [], result: until };
      const id = failureId(attempt);
      return {
        changes: [putFailures(store, id, oneMore(known?.document, rule, now), rule)],
        preconditions: [failureRecords.asRead(store, id, known)],
        entries: [],
        result: undefined,
      };
    });
  }

  /** Looks at an attempt. Where that cannot be done, as when too many others wait, it does not count. */
  async looked<T>(organization: Organization, attempt: Attempt, look: () => Promise<T>): Promise<T> {
    try {
      return await look();
    } catch (error) {
      await this.#giveBack(organization, attempt);
      throw error;
    }
  }

  #giveBack(organization: Organization, attempt: Attempt): Promise<void> {
    const { store } = organization;
    return commitPlanAs(this.#dependencies, organization, systemActor, undefined, () => {
      const known = getFailures(store, attempt);
      if (known === undefined) return { changes: [], entries: [], result: undefined };
      const { failures } = known.document;
      const fewer = { ...known.document, failures: failures - 1 };
      return {
        changes:
          failures > 1
            ? [putFailures(store, known.id, fewer, readLockoutRule(store, attempt))]
            : this.forgiven(store, attempt),
        preconditions: [failureRecords.same(store, known)],
        entries: [],
        result: undefined,
      };
    });
  }

  /** Of an attempt that succeeded: for the commit that starts the session. */
  forgiven(store: Store, attempt: Attempt): Change[] {
    return [failureRecords.delete(store, failureId(attempt))];
  }

  /** Of an attempt that failed: the one that locks out is put on record, once. Answers whether it is this one. */
  failed(organization: Organization, attempt: Attempt, facts: RequestFacts): Promise<boolean> {
    const { store } = organization;
    return commitPlanAs(this.#dependencies, organization, systemActor, facts, (now) => {
      const rule = readLockoutRule(store, attempt);
      const known = getFailures(store, attempt);
      const until = lockedUntil(known?.document, rule, now);
      const nothing = { changes: [], entries: [], result: false };
      if (known === undefined || until === undefined || known.document.isTold) return nothing;
      const { failures } = known.document;
      const { account, address } = attempt;
      const lockedUntilTime = isoTime(until);
      const user = getUser(store, account) ?? findUserByEmail(store, account);
      return {
        changes: [putFailures(store, known.id, { ...known.document, isTold: true }, rule)],
        preconditions: [failureRecords.same(store, known)],
        entries: [
          {
            eventType: 'user.login_failed',
            action: 'login.lockout',
            severity: 'warning',
            result: 'failure',
            metadata: { failures, lockedUntil: lockedUntilTime },
            personal: { account },
          },
        ],
        events: [
          accountLockedOut.of({
            account,
            userId: user?.id ?? null,
            email: user?.document.email ?? null,
            ip: address === '' ? null : address,
            failures,
            lockedUntil: lockedUntilTime,
          }),
        ],
        result: true,
      };
    });
  }
}
