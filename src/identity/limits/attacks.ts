import type { Store } from '#engine';
import { auditedAs, type RequestFacts, systemActor } from '../../kernel/audit/index.ts';
import { commit } from '../../kernel/commits/index.ts';
import { type DataOf, recordEvent } from '../../kernel/events/index.ts';
import type { Organization } from '../../kernel/organizations/index.ts';
import type { AdminDependencies } from '../../kernel/transactions/index.ts';
import { addressKey } from '../../platform/index.ts';
import { readLockoutRule } from './failure-record.ts';
import { bruteForce } from './limit-events.ts';
import { RateTable } from './rates/rate-table.ts';

/** Failures are counted in windows of this length, which begin at whole multiples of it. */
const ATTACK_WINDOW_MS = 900_000;
/** How many times the failures that lock one account out for one address make an attack on it from everywhere. */
const ACCOUNT_TIMES = 3;
/** The same of one address, whichever accounts it tries. */
const ADDRESS_TIMES = 5;

/** Somebody who could not sign in. */
export interface FailedAttempt {
  /** The user's address, what was typed, or a code for it. */
  readonly account: string;
  readonly userId: string | null;
  readonly email: string | null;
}

/**
 * Sees attacks that guess passwords: what the lockout of one account and address does not see, because they come from
 * many addresses or try many accounts. It counts in memory of all threads and stops nobody: an account that everybody
 * could lock would be closed to its owner. What it finds is told once in a window, with an audit entry.
 */
export class Attacks {
  readonly #dependencies: AdminDependencies;
  readonly #failures: RateTable;

  /** @param memory of `createRateMemory` */
  constructor(dependencies: AdminDependencies, memory: SharedArrayBuffer) {
    this.#dependencies = dependencies;
    this.#failures = new RateTable(memory, ATTACK_WINDOW_MS);
  }

  /** How many attempts of an account have failed in this window, from all addresses. */
  failuresOf(store: Store, account: string): number {
    return this.#failures.count(accountKey(store, account), this.#dependencies.clock.now());
  }

  /** Counts an attempt that failed, or was refused because too many had. */
  async failed(organization: Organization, attempt: FailedAttempt, facts: RequestFacts): Promise<void> {
    const { store } = organization;
    const { engine, clock } = this.#dependencies;
    const now = clock.now();
    const { maxAttempts } = engine.read(() => readLockoutRule(store));
    const address = facts.clientAddress();
    const ip = address === '' ? null : address;
    const ofAccount = this.#failures.add(accountKey(store, attempt.account), now);
    if (ofAccount === maxAttempts * ACCOUNT_TIMES) {
      await this.#tell(organization, facts, { target: 'account', ...attempt, ip, failures: ofAccount });
    }
    if (ip === null) return;
    const ofAddress = this.#failures.add(`address\n${store.name}\n${addressKey(address)}`, now);
    if (ofAddress !== maxAttempts * ADDRESS_TIMES) return;
    const nobody = { account: null, userId: null, email: null };
    await this.#tell(organization, facts, { target: 'address', ...nobody, ip, failures: ofAddress });
  }

  async #tell(organization: Organization, facts: RequestFacts, found: Found): Promise<void> {
    const windowSeconds = ATTACK_WINDOW_MS / 1000;
    const { target, account, userId, failures } = found;
    const { engine, audit } = this.#dependencies;
    const entry = auditedAs(audit, organization, systemActor, facts, {
      eventType: 'user.login_failed',
      action: 'login.brute_force',
      severity: 'error',
      result: 'failure',
      ...(userId === null ? {} : { targetType: 'user', targetId: userId }),
      metadata: { target, failures, windowSeconds },
      ...(account === null ? {} : { personal: { account } }),
    });
    const event = recordEvent(audit, organization.store, bruteForce.of({ ...found, windowSeconds }));
    await commit(engine, organization.store, (changes) => changes.change([...entry, event]));
  }
}

type Found = Omit<DataOf<typeof bruteForce>, 'windowSeconds'>;

function accountKey({ name }: Store, account: string): string {
  return `account\n${name}\n${account.normalize('NFC').trim().toLowerCase()}`;
}
