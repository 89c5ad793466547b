import { userActing } from '../../../directory/records/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Attempt } from '../../limits/index.ts';
import type { Also, MfaDependencies, Proven, Refusal, Whose } from '../dependencies.ts';
import { emailOf } from './audit-events.ts';
import { mfaFailed } from './mfa-events.ts';
import { tell } from './notices.ts';

/** From all addresses together so many times the failures that one address may make. */
const ANYWHERE_TIMES = 5;
const USER_AGENT_MAX = 512;

/**
 * Bounds guesses at codes. They are counted, on disk, before they are looked at: for the user and address by the
 * organization's rule of lockout, and for the user from everywhere by a multiple of it. Both pass with time, and neither
 * holds for what cannot be guessed: passkeys and security keys.
 */
export class Tries {
  readonly #dependencies: MfaDependencies;

  constructor(dependencies: MfaDependencies) {
    this.#dependencies = dependencies;
  }

  /** @param attempt is handed what the commit of a success must take along */
  async guarded(
    whose: Whose,
    facts: RequestFacts,
    type: string,
    attempt: (forgiven: Also) => Promise<Proven | Refusal>,
  ): Promise<Proven | Refusal> {
    const { lockout } = this.#dependencies;
    const { organization, userId } = whose;
    const counted: Attempt[] = [
      { account: userId, address: facts.clientAddress() },
      { account: userId, address: '', times: ANYWHERE_TIMES },
    ];
    for (const each of counted) {
      const until = await lockout.begin(organization, each);
      if (until !== undefined) return this.failed(whose, facts, type, { ok: false, reason: 'wait', until });
    }
    const outcome = await attempt(counted.flatMap((each) => lockout.forgiven(organization.store, each)));
    if (outcome.ok) return outcome;
    let hasLockedOut = false;
    for (const each of counted) hasLockedOut = (await lockout.failed(organization, each, facts)) || hasLockedOut;
    // whoever guesses here has proved a first factor: its owner should know
    if (hasLockedOut) tell(this.#dependencies, whose, 'guessed');
    return this.failed(whose, facts, type, outcome);
  }

  failed(
    { organization, userId }: Whose,
    facts: RequestFacts,
    type: string,
    refusal: Refusal,
    details: Readonly<Record<string, unknown>> = {},
  ): Refusal {
    const { engine, failures } = this.#dependencies;
    const about = {
      userId,
      email: engine.read(() => emailOf(organization.store, userId)),
      type,
      reason: refusal.reason,
      ip: facts.clientAddress(),
      userAgent: facts.header('user-agent').slice(0, USER_AGENT_MAX),
    };
    failures.note(organization, { ...userActing(userId), email: about.email ?? undefined }, facts, {
      eventType: 'auth.mfa.failure',
      action: 'mfa.verify',
      targetId: userId,
      targetType: 'user',
      metadata: { type, reason: refusal.reason, ...details },
      event: (count) => mfaFailed.of({ ...about, count }),
    });
    return refusal;
  }
}
