import type { Change, Precondition, Store } from '#engine';
import { type AdminParts, commitPlanAs } from '../../admin/index.ts';
import { type RequestFacts, systemActor } from '../../audit/index.ts';
import type { Organization } from '../../orgs/index.ts';
import {
  type Attempt,
  type FailureEntry,
  failureCollection,
  failureId,
  failureWrite,
  getFailures,
  lockedUntil,
  oneMore,
  readLockoutRule,
} from './failure-record.ts';

/**
 * Locks an account out for an address where it fails too often. What is told does not depend on whether there is such
 * an account. An attempt is counted, on disk, before its password is looked at: of many at once no more are tried than
 * one after the other.
 */
export class Lockout {
  readonly #parts: AdminParts;

  constructor(parts: AdminParts) {
    this.#parts = parts;
  }

  /** Counts an attempt. Where it answers a time (milliseconds since the epoch), nothing must be tried before. */
  begin(organization: Organization, attempt: Attempt): Promise<number | undefined> {
    const { store } = organization;
    return commitPlanAs(this.#parts, organization, systemActor, undefined, (now) => {
      const rule = readLockoutRule(store, attempt);
      const known = getFailures(store, attempt);
      const until = lockedUntil(known?.document, rule, now);
      if (until !== undefined) return { changes: [], entries: [], result: until };
      const id = failureId(attempt);
      const record = failureWrite(id, oneMore(known?.document, rule, now), rule);
      return {
        changes: [{ op: 'put_record', store: store.name, record }],
        preconditions: [unchanged(store, id, known)],
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
    return commitPlanAs(this.#parts, organization, systemActor, undefined, () => {
      const known = getFailures(store, attempt);
      if (known === undefined) return { changes: [], entries: [], result: undefined };
      const { failures } = known.document;
      const record = failureWrite(
        known.id,
        { ...known.document, failures: failures - 1 },
        readLockoutRule(store, attempt),
      );
      return {
        changes: failures > 1 ? [{ op: 'put_record', store: store.name, record }] : this.forgiven(store, attempt),
        preconditions: [unchanged(store, known.id, known)],
        entries: [],
        result: undefined,
      };
    });
  }

  /** Of an attempt that succeeded: for the commit that starts the session. */
  forgiven(store: Store, attempt: Attempt): Change[] {
    return [{ op: 'delete_record', store: store.name, collection: failureCollection, id: failureId(attempt) }];
  }

  /** Of an attempt that failed: the one that locks out is put on record, once. Answers whether it is this one. */
  failed(organization: Organization, attempt: Attempt, facts: RequestFacts): Promise<boolean> {
    const { store } = organization;
    return commitPlanAs(this.#parts, organization, systemActor, facts, (now) => {
      const rule = readLockoutRule(store, attempt);
      const known = getFailures(store, attempt);
      const until = lockedUntil(known?.document, rule, now);
      const nothing = { changes: [], entries: [], result: false };
      if (known === undefined || until === undefined || known.document.isTold) return nothing;
      const { failures } = known.document;
      const { account, address } = attempt;
      const record = failureWrite(known.id, { ...known.document, isTold: true }, rule);
      const lockedUntilTime = new Date(until).toISOString();
      return {
        changes: [{ op: 'put_record', store: store.name, record }],
        preconditions: [unchanged(store, known.id, known)],
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
        events: [{ type: 'security.account_lockout', data: { account, ip: address, lockedUntil: lockedUntilTime } }],
        result: true,
      };
    });
  }
}

function unchanged({ name: store }: Store, id: string, known: FailureEntry | undefined): Precondition {
  const place = { store, collection: failureCollection, id };
  return known === undefined
    ? { require: 'record_absent', ...place }
    : { require: 'record_version', ...place, version: known.version };
}
