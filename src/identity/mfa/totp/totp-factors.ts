import { getUser } from '../../../directory/records/index.ts';
import { factorRecords, type TotpFactor } from '../../../directory/users/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import { type Organization, organizationEntry } from '../../../kernel/organizations/index.ts';
import { SealError } from '../../../platform/index.ts';
import { addFactor, nameOf } from '../changes/add-factor.ts';
import { telling } from '../changes/notices.ts';
import { recordUse } from '../changes/record-use.ts';
import type { Tries } from '../changes/tries.ts';
import {
  type Also,
  type Enrolled,
  type MfaDependencies,
  type Proven,
  type Refusal,
  transactByUser,
  type Whose,
} from '../dependencies.ts';
import { meansOf, usableFactors } from '../records/methods.ts';
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts';

/** A secret that becomes a factor once a code of it comes back. Nothing of it is stored before. */
export interface TotpOffer {
  /** For those who cannot scan. */
  readonly secret: string;
  readonly uri: string;
  /** The secret, sealed for this user and binding: to be sent back with the code. */
  readonly token: string;
}

const OFFER_MS = 30 * 60_000;
const TOKEN_MAX = 1000;

export class TotpFactors {
  readonly #dependencies: MfaDependencies;
  readonly #tries: Tries;

  constructor(dependencies: MfaDependencies, tries: Tries) {
    this.#dependencies = dependencies;
    this.#tries = tries;
  }

  offer(whose: Whose): TotpOffer {
    return this.#offered(whose, newTotpSecret(), this.#dependencies.clock.now() + OFFER_MS);
  }

  /** The offer of a token again, for another try; `undefined` where there is none. */
  offerAgain(whose: Whose, token: string): TotpOffer | undefined {
    const secret = this.#secretOf(whose, token);
    return secret === undefined ? undefined : { ...this.#offered(whose, secret, 0), token };
  }

  confirm(
    whose: Whose,
    { token, code, name }: { readonly token: string; readonly code: string; readonly name?: string | undefined },
    facts: RequestFacts,
  ): Promise<Enrolled | Refusal> {
    const { organization, userId } = whose;
    const { store } = organization;
    const typed = digits(code);
    const outcome = transactByUser(this.#dependencies, whose, facts, (transaction): Enrolled | Refusal => {
      const { now } = transaction;
      const secret = this.#secretOf(whose, token);
      if (secret === undefined) return { ok: false, reason: 'expired' };
      const known = factorRecords.get(store, userId)?.document.factors ?? [];
      // a second factor of the same secret would take each code once more
      if (known.some((each) => each.type === 'totp' && this.#open(organization, userId, each) === secret)) {
        return { ok: false, reason: 'known' };
      }
      const step = stepOfCode(secret, typed, now);
      if (step === undefined) return { ok: false, reason: 'wrong' };
      const id = transaction.newId();
      const sealed = this.#dependencies.sealer.seal(secret, secretField(organization, userId, id));
      const made = { id, name: nameOf('totp', name), createdAt: now };
      const factor: TotpFactor = { type: 'totp', ...made, secret: sealed, lastStep: step };
      return addFactor(transaction, whose, factor, meansOf.totp);
    });
    return telling(this.#dependencies, whose, 'added', outcome);
  }

  verify(whose: Whose, code: string, facts: RequestFacts): Promise<Proven | Refusal> {
    return this.#tries.guarded(whose, facts, 'totp', (forgiven) =>
      this.#verified(whose, digits(code), facts, forgiven),
    );
  }

  #verified(whose: Whose, code: string, facts: RequestFacts, also: Also): Promise<Proven | Refusal> {
    const { organization, userId } = whose;
    const { store } = organization;
    return transactByUser(this.#dependencies, whose, facts, (transaction): Proven | Refusal => {
      const entry = factorRecords.get(store, userId);
      const usable = usableFactors(store, entry?.document.factors ?? []);
      for (const factor of usable) {
        if (factor.type !== 'totp') continue;
        const step = stepOfCode(this.#open(organization, userId, factor), code, transaction.now);
        if (entry === undefined || step === undefined || step <= factor.lastStep) continue;
        transaction.change(also);
        return recordUse(transaction, entry, { ...factor, lastStep: step }, meansOf.totp);
      }
      return { ok: false, reason: 'wrong' };
    });
  }

  #offered(whose: Whose, secret: string, until: number): TotpOffer {
    const { engine, sealer } = this.#dependencies;
    const { organization, userId } = whose;
    const { issuer, account } = engine.read(() => ({
      issuer: organizationEntry(engine, organization.slug)?.document.name ?? organization.slug,
      account: getUser(organization.store, userId)?.document.email ?? userId,
    }));
    const token = sealer.seal(JSON.stringify({ secret, until }), offerField(whose));
    return { secret, uri: totpUri(secret, { issuer, account }), token };
  }

  #secretOf(whose: Whose, token: string): string | undefined {
    if (token.length > TOKEN_MAX) return undefined;
    try {
      const text = this.#dependencies.sealer.open(token, offerField(whose));
      // sealed by `#offered`
      const { secret, until } = JSON.parse(text) as { secret: string; until: number };
      return this.#dependencies.clock.now() < until ? secret : undefined;
    } catch (error) {
      if (error instanceof SealError) return undefined;
      throw error;
    }
  }

  #open(organization: Organization, userId: string, { id, secret }: TotpFactor): string {
    return this.#dependencies.sealer.open(secret, secretField(organization, userId, id));
  }
}

function secretField({ id: organization }: Organization, userId: string, factorId: string) {
  return { organization, record: userId, field: `totp ${factorId}` };
}

function offerField({ organization, userId, binding }: Whose) {
  return { organization: organization.id, record: userId, field: `totp offer ${binding}` };
}

/** People type codes in groups. */
export function digits(typed: string): string {
  return typed.length > 100 ? '' : typed.replace(/[\s-]+/g, '');
}
