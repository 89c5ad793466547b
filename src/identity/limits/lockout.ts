import type { Change, Store } from '#engine';
import { findUserByEmail, getUser } from '../../directory/records/index.ts';
import { type RequestFacts, systemActor } from '../../kernel/audit/index.ts';
import type { Organization } from '../../kernel/organizations/index.ts';
import { type AdminDependencies, transactAs } from '../../kernel/transactions/index.ts';
import { isoTime } from '../../platform/index.ts';
import {
  type Attempt,
  failureId,
  failureRecords,
  lockedUntil,
  oneMore,
  putFailures,
  readLockoutRule,
} from './failure-record.ts';
import { accountLockedOut } from './limit-events.ts';

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
    return transactAs(this.#dependencies, organization, systemActor, undefined, (transaction) => {
      const { now } = transaction;
      const rule = readLockoutRule(store, attempt);
      const id = failureId(attempt);
      const known = transaction.get(failureRecords, id)?.document;
      const until = lockedUntil(known, rule, now);
      if (until === undefined) transaction.change([putFailures(store, id, oneMore(known, rule, now), rule)]);
      return until;
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
    return transactAs(this.#dependencies, organization, systemActor, undefined, (transaction) => {
      const known = transaction.get(failureRecords, failureId(attempt));
      if (known === undefined) return;
      const { failures } = known.document;
      const fewer = { ...known.document, failures: failures - 1 };
      transaction.change(
        failures > 1
          ? [putFailures(store, known.id, fewer, readLockoutRule(store, attempt))]
          : this.forgiven(store, attempt),
      );
    });
  }

  /** Of an attempt that succeeded: for the commit that starts the session. */
  forgiven(store: Store, attempt: Attempt): Change[] {
    return [failureRecords.delete(store, failureId(attempt))];
  }

  /** Of an attempt that failed: the one that locks out is put on record, once. Answers whether it is this one. */
  failed(organization: Organization, attempt: Attempt, facts: RequestFacts): Promise<boolean> {
    const { store } = organization;
    return transactAs(this.#dependencies, organization, systemActor, facts, (transaction) => {
      const rule = readLockoutRule(store, attempt);
      const known = transaction.get(failureRecords, failureId(attempt));
      const until = lockedUntil(known?.document, rule, transaction.now);
      if (known === undefined || until === undefined || known.document.isTold) return false;
      const { failures } = known.document;
      const { account, address } = attempt;
      const lockedUntilTime = isoTime(until);
      const user = getUser(store, account) ?? findUserByEmail(store, account);
      transaction.change([putFailures(store, known.id, { ...known.document, isTold: true }, rule)]);
      transaction.audit({
        eventType: 'user.login_failed',
        action: 'login.lockout',
        severity: 'warning',
        result: 'failure',
        metadata: { failures, lockedUntil: lockedUntilTime },
        personal: { account },
      });
      transaction.emit(
        accountLockedOut.of({
          account,
          userId: user?.id ?? null,
          email: user?.document.email ?? null,
          ip: address === '' ? null : address,
          failures,
          lockedUntil: lockedUntilTime,
        }),
      );
      return true;
    });
  }
}
