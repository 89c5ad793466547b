import { z } from 'zod';
import type { Store } from '#engine';
import type { StoreChanges } from '../../../kernel/commits/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { defineRecord } from '../../../kernel/records/index.ts';
import { digestOf, randomText, SealError, type Sealer } from '../../../platform/index.ts';
import type { MfaDependencies } from '../dependencies.ts';
import { type Library, relyingParty, webAuthn } from './relying-party.ts';

/** Challenges that were answered, as long as they could be answered again. A record's id is the challenge's digest. */
export const spentChallengeRecords = defineRecord({
  collection: 'spent_challenges',
  holds: "a passkey's challenge that was answered, so that it is not answered twice",
  schema: z.strictObject({
    /** Milliseconds since the epoch. */
    until: z.number(),
  }),
  expires: { index: 'until', at: ({ until }) => until },
});

/** To sign in it stands in a page that waits for its visitor; the others follow on a click. */
const lifetimes: Readonly<Record<ChallengeScope['purpose'], number>> = {
  register: 5 * 60_000,
  prove: 5 * 60_000,
  'sign-in': 60 * 60_000,
};
/** Over the 16 random bytes that WebAuthn, 13.4.3 asks for. */
const RANDOM_LENGTH = 32;
const TEXT_MAX = 1000;

/** What a challenge is for. It works for nothing else. */
export interface ChallengeScope {
  readonly organization: Organization;
  readonly binding: string;
  readonly purpose: 'register' | 'prove' | 'sign-in';
}

/**
 * A challenge that carries its own proof: sealed for one organization, flow and purpose, with the time until which it
 * may be answered. Showing a page writes nothing; only what was answered is remembered, for as long as it is good.
 */
export function newChallenge(sealer: Sealer, scope: ChallengeScope, now: number): string {
  return sealer.seal(
    JSON.stringify({ until: now + lifetimes[scope.purpose], random: randomText(RANDOM_LENGTH) }),
    bindingOf(scope),
  );
}

/**
 * Until when a challenge could be answered; `undefined` where it is for something else, or too old.
 * @param challenge base64url of it, as client data have it
 */
function openChallenge(sealer: Sealer, scope: ChallengeScope, challenge: string, now: number): number | undefined {
  if (challenge.length > TEXT_MAX) return undefined;
  try {
    const text = sealer.open(Buffer.from(challenge, 'base64url').toString(), bindingOf(scope));
    // sealed by `newChallenge`
    const { until } = JSON.parse(text) as { until: number };
    return now < until ? until : undefined;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/** What an authenticator's answer is held to, as the library calls it. */
interface Expected {
  readonly expectedChallenge: (challenge: string) => boolean;
  readonly expectedOrigin: string;
  readonly expectedRPID: string;
}

/** An answer that holds, with the challenge that it is the answer to. */
interface Answered<T> {
  readonly verified: T;
  readonly challenge: string;
  readonly until: number;
}

/** Has the library judge an authenticator's answer. `undefined` where it does not hold, or answers something else. */
export async function answered<T>(
  { sealer, clock, baseUrl }: MfaDependencies,
  scope: ChallengeScope,
  verify: (library: Library, expected: Expected) => Promise<T | undefined>,
): Promise<Answered<T> | undefined> {
  const library = await webAuthn();
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(baseUrl);
  let challenge = '';
  const expectedChallenge = (text: string): boolean => {
    challenge = text;
    return openChallenge(sealer, scope, text, clock.now()) !== undefined;
  };
  let verified: T | undefined;
  try {
    verified = await verify(library, { expectedChallenge, expectedOrigin, expectedRPID });
  } catch {
    // it says what was wrong in words alone, which may repeat what was sent
    return undefined;
  }
  const until = openChallenge(sealer, scope, challenge, clock.now());
  return verified === undefined || until === undefined ? undefined : { verified, challenge, until };
}

/** Answers a challenge for the only time. */
export function spendChallenge(changes: StoreChanges, { challenge, until }: Omit<Answered<unknown>, 'verified'>): void {
  const id = digestOf(challenge);
  changes.expect([spentChallengeRecords.absent(changes.store, id)]);
  changes.put(spentChallengeRecords, id, { until });
}

export function isSpent(store: Store, challenge: string): boolean {
  return spentChallengeRecords.get(store, digestOf(challenge)) !== undefined;
}

function bindingOf({ organization, binding, purpose }: ChallengeScope) {
  return { organization: organization.id, record: binding, field: `webauthn ${purpose}` };
}
