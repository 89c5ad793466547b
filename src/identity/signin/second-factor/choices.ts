import { factorRecords } from '../../../directory/users/index.ts';
import type { PlainKey, Texts } from '../../../texts/index.ts';
import { type FactorView, listFactors, usableFactors } from '../../mfa/index.ts';
import type { SignInDependencies } from '../dependencies.ts';
import type { OnTheWay } from './on-the-way.ts';

/** One way to prove a second factor. Applications are one, and so are keys: which one it was, the answer says. */
export interface Choice {
  /** `totp`, `webauthn`, `recovery`, or the id of a factor that is sent codes. */
  readonly id: string;
  readonly type: FactorView['type'] | 'recovery';
  /** Half hidden. */
  readonly to?: string | undefined;
}

export const methodNames = {
  totp: 'secondFactor.totp',
  webauthn: 'secondFactor.webauthn',
  sms: 'secondFactor.sms',
  email: 'secondFactor.email',
  recovery: 'secondFactor.recovery',
} as const satisfies Readonly<Record<Choice['type'], PlainKey>>;

/** What a way is called. */
export function labelOf(t: Texts, { type, to }: Choice): string {
  if (to !== undefined && type === 'sms') return t('secondFactor.smsTo', { to });
  if (to !== undefined && type === 'email') return t('secondFactor.emailTo', { to });
  return t(methodNames[type]);
}

/** The ways that a user has, the one that was used last before the others. */
export function choicesOf({ engine, mfa }: SignInDependencies, { whose, flow }: OnTheWay): Choice[] {
  const { organization, userId } = whose;
  const { store } = organization;
  return engine.read(() => {
    const usable = new Set(
      usableFactors(store, factorRecords.get(store, userId)?.document.factors ?? []).map(({ id }) => id),
    );
    const factors = listFactors(store, userId)
      .filter(({ id }) => usable.has(id))
      .toSorted((left, right) => (right.lastUsedAt ?? right.createdAt) - (left.lastUsedAt ?? left.createdAt));
    const choices = new Map(newProofs(factors, flow).map((each) => [choiceId(each), choiceOf(each)]));
    if (mfa.recovery.left(store, userId) > 0) {
      choices.set('recovery', { id: 'recovery', type: 'recovery' });
    }
    return [...choices.values()];
  });
}

/** Who has just shown to read the account's mail shows nothing new by a code in it, and is asked for something else. */
function newProofs(factors: readonly FactorView[], { document: { proven } }: OnTheWay['flow']): readonly FactorView[] {
  const isByMail = proven?.method === 'password' && proven.verifiedEmail !== undefined;
  const others = factors.filter(({ type }) => type !== 'email');
  return isByMail && others.length > 0 ? others : factors;
}

function choiceId({ id, type }: FactorView): string {
  return type === 'sms' || type === 'email' ? id : type;
}

function choiceOf(factor: FactorView): Choice {
  const { type, to } = factor;
  return { id: choiceId(factor), type, to };
}
