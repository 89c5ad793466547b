import type { Store } from '#engine';
import { aboutUser, factorRecords } from '../../../directory/users/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import { refused } from '../../../kernel/transactions/index.ts';
import { said } from '../../../texts/index.ts';
import { recovered } from '../changes/audit-events.ts';
import { tell, telling } from '../changes/notices.ts';
import type { Tries } from '../changes/tries.ts';
import {
  type Also,
  type MfaDependencies,
  type Proven,
  type Refusal,
  transactByUser,
  type Whose,
} from '../dependencies.ts';
import { newRecoveryCodes, readRecoveryCode, recoveryDigest } from './recovery-codes.ts';

/** Codes in place of a factor that is lost. */
export class Recovery {
  readonly #dependencies: MfaDependencies;
  readonly #tries: Tries;

  constructor(dependencies: MfaDependencies, tries: Tries) {
    this.#dependencies = dependencies;
    this.#tries = tries;
  }

  /** How many codes are left. To be called inside `Engine.read`. */
  left(store: Store, userId: string): number {
    return factorRecords.get(store, userId)?.document.recovery?.digests.length ?? 0;
  }

  verify(whose: Whose, code: string, facts: RequestFacts): Promise<Proven | Refusal> {
    const outcome = this.#tries.guarded(whose, facts, 'recovery_code', (forgiven) =>
      this.#spent(whose, code, facts, forgiven),
    );
    return telling(this.#dependencies, whose, 'recoveryUsed', outcome);
  }

  #spent(whose: Whose, typed: string, facts: RequestFacts, also: Also): Promise<Proven | Refusal> {
    const { organization, userId } = whose;
    const { store } = organization;
    const code = readRecoveryCode(typed);
    return transactByUser(this.#dependencies, whose, facts, (transaction): Proven | Refusal => {
      const entry = transaction.get(factorRecords, userId);
      const recovery = entry?.document.recovery;
      const digest = code === undefined ? undefined : recoveryDigest(userId, code);
      if (entry === undefined || recovery === undefined || !recovery.digests.some((each) => each === digest)) {
        return { ok: false, reason: 'wrong' };
      }
      const digests = recovery.digests.filter((each) => each !== digest);
      const document = { ...entry.document, recovery: { ...recovery, digests } };
      transaction.put(factorRecords, userId, document);
      transaction.add({ changes: also, ...recovered(store, userId, digests.length) });
      return { ok: true, amr: ['otp', 'mfa'] };
    });
  }

  /** New codes, to be shown once; those before them are void. */
  async regenerate(whose: Whose, facts: RequestFacts): Promise<readonly string[]> {
    const { userId } = whose;
    const fresh = await transactByUser(this.#dependencies, whose, facts, (transaction) => {
      const entry = transaction.get(factorRecords, userId);
      if (entry === undefined || entry.document.factors.length === 0) throw refused(said('refusals.noFactor'));
      const { codes, record } = newRecoveryCodes(userId, transaction.now);
      transaction.put(factorRecords, userId, { ...entry.document, recovery: record });
      transaction.audit(aboutUser(userId, 'user.updated', 'user.regenerate_recovery_codes', { severity: 'warning' }));
      return codes;
    });
    tell(this.#dependencies, whose, 'recoveryRenewed');
    return fresh;
  }
}
