import { getUser } from '../../../directory/records/index.ts';
import { type Factor, factorRecords } from '../../../directory/users/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { OrganizationTransaction } from '../../../kernel/transactions/index.ts';
import { equalSecrets } from '../../../platform/index.ts';
import { addFactor, nameOf } from '../changes/add-factor.ts';
import { telling } from '../changes/notices.ts';
import { recordUse } from '../changes/record-use.ts';
import type { Tries } from '../changes/tries.ts';
import {
  type Enrolled,
  type MfaDependencies,
  type Proven,
  type Refusal,
  transactByUser,
  type Whose,
} from '../dependencies.ts';
import { meansOf } from '../records/methods.ts';
import { hidden } from '../records/views.ts';
import { digits } from '../totp/totp-factors.ts';
import {
  type CodePurpose,
  type CodeRecord,
  codeId,
  codeRecords,
  codeTimes,
  getCode,
  TRIES_MAX,
} from './code-record.ts';
import { type Sent, sendCode } from './send-code.ts';

/** A code on its way to be typed. */
export type Pending = Omit<Sent, 'ok'>;

/** Codes by short message and mail: each works once, for a few minutes, where it was asked for. */
export class Codes {
  readonly #dependencies: MfaDependencies;
  readonly #tries: Tries;

  constructor(dependencies: MfaDependencies, tries: Tries) {
    this.#dependencies = dependencies;
    this.#tries = tries;
  }

  /** @throws ProblemError 422 where nobody delivers, 503 where it was not delivered */
  send(whose: Whose, purpose: CodePurpose, facts: RequestFacts): Promise<Sent | Refusal> {
    return sendCode(this.#dependencies, whose, purpose, facts);
  }

  /** A code that was sent and can still be typed; `undefined` where another one must be sent. Inside `Engine.read`. */
  pending(whose: Whose, purpose: CodePurpose): Pending | undefined {
    const known = getCode(whose.organization.store, codeId(whose, purpose))?.document;
    if (known?.sealed === undefined) return undefined;
    const expiresAt = known.sentAt + codeTimes.lifeMs;
    return this.#dependencies.clock.now() < expiresAt ? { to: hidden(known.to), expiresAt } : undefined;
  }

  /** Proves a factor by the code that was sent for it. */
  verify(whose: Whose, factorId: string, code: string, facts: RequestFacts): Promise<Proven | Refusal> {
    const purpose: CodePurpose = { prove: factorId };
    const { organization, userId } = whose;
    const { store } = organization;
    return this.#tries.guarded(whose, facts, 'code', (also) =>
      this.#spend(whose, purpose, code, facts, (transaction, { to }): Proven | Refusal => {
        const entry = factorRecords.get(store, userId);
        const factor = entry?.document.factors.find(({ id }) => id === factorId);
        const isSent = factor?.type === 'sms' || factor?.type === 'email';
        if (entry === undefined || !isSent || !isStill(whose, factor, to)) return { ok: false, reason: 'expired' };
        transaction.change(also);
        return recordUse(transaction, entry, factor, meansOf[factor.type]);
      }),
    );
  }

  /** Registers the number or address to which a code was sent. */
  confirm(
    whose: Whose,
    type: 'sms' | 'email',
    { code, name }: { readonly code: string; readonly name?: string | undefined },
    facts: RequestFacts,
  ): Promise<Enrolled | Refusal> {
    const { organization, userId } = whose;
    const purpose: CodePurpose = type === 'sms' ? { enrol: type, number: '' } : { enrol: type };
    const outcome = this.#spend(whose, purpose, code, facts, (transaction, { to }): Enrolled | Refusal => {
      const { now } = transaction;
      const known = factorRecords.get(organization.store, userId)?.document.factors ?? [];
      if (known.some((each) => each.type === type && (each.type !== 'sms' || each.number === to))) {
        return { ok: false, reason: 'known' };
      }
      const basis = { id: this.#dependencies.audit.newId(), name: nameOf(type, name), createdAt: now, lastUsedAt: now };
      const factor: Factor = type === 'sms' ? { ...basis, type, number: to } : { ...basis, type };
      if (!isStill(whose, factor, to)) return { ok: false, reason: 'expired' };
      return addFactor(transaction, whose, factor, meansOf[type]);
    });
    return telling(this.#dependencies, whose, 'added', outcome);
  }

  /** In one commit: the code goes, or one more wrong try is counted, and what follows from the right one. */
  #spend<T>(
    whose: Whose,
    purpose: CodePurpose,
    typed: string,
    facts: RequestFacts,
    then: (transaction: OrganizationTransaction, code: CodeRecord) => T | Refusal,
  ): Promise<T | Refusal> {
    const { organization } = whose;
    const id = codeId(whose, purpose);
    return transactByUser(this.#dependencies, whose, facts, (transaction): T | Refusal => {
      const known = transaction.rely(codeRecords, getCode(organization.store, id));
      const sealed = known?.document.sealed;
      if (known === undefined || sealed === undefined || transaction.now >= known.document.sentAt + codeTimes.lifeMs) {
        return { ok: false, reason: 'expired' };
      }
      const code = this.#dependencies.sealer.open(sealed, { organization: organization.id, record: id, field: 'code' });
      if (!equalSecrets(code, digits(typed))) {
        const { sealed: _, ...spent } = known.document;
        const tries = spent.tries + 1;
        transaction.put(codeRecords, id, { ...spent, tries, ...(tries < TRIES_MAX ? { sealed } : {}) });
        return { ok: false, reason: tries < TRIES_MAX ? 'wrong' : 'expired' };
      }
      const result = then(transaction, known.document);
      if (transaction.changes.length > 0) transaction.delete(codeRecords, id);
      return result;
    });
  }
}

/** Whether the code went where the factor's codes go now. */
function isStill({ organization: { store }, userId }: Whose, factor: Factor, to: string): boolean {
  if (factor.type === 'sms') return factor.number === to;
  return getUser(store, userId)?.document.email === to;
}
