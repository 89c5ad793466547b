import type { PublicKeyCredentialCreationOptionsJSON, VerifiedRegistrationResponse } from '@simplewebauthn/server';
import { getUser } from '../../../directory/records/index.ts';
import { readSettings } from '../../../directory/settings/index.ts';
import { factorRecords, type WebAuthnFactor } from '../../../directory/users/index.ts';
import { type RequestFacts, userActing } from '../../../kernel/audit/index.ts';
import { organizationEntry } from '../../../kernel/organizations/index.ts';
import { refused, transactAs } from '../../../kernel/transactions/index.ts';
import { said } from '../../../texts/index.ts';
import { nameOf, planAddition } from '../changes/add-factor.ts';
import { telling } from '../changes/notices.ts';
import type { Enrolled, MfaDependencies, Refusal, Whose } from '../dependencies.ts';
import { type ChallengeScope, isSpent, newChallenge, openChallenge, spendChallenge } from './challenge.ts';
import { bringsCertificates, relyingParty, webAuthn } from './relying-party.ts';
import { readRegistration } from './responses.ts';

type Verified = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

/** Registers passkeys and security keys. */
export class Registrations {
  readonly #dependencies: MfaDependencies;

  constructor(dependencies: MfaDependencies) {
    this.#dependencies = dependencies;
  }

  /** What the browser hands to `navigator.credentials.create`. */
  async options(whose: Whose): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { engine, sealer, clock, baseUrl } = this.#dependencies;
    const { organization, userId } = whose;
    const { store } = organization;
    const { generateRegistrationOptions } = await webAuthn();
    const { name, user, known, biometrics } = engine.read(() => ({
      name: organizationEntry(engine, organization.slug)?.document.name ?? organization.slug,
      user: getUser(store, userId)?.document,
      known: credentialsOf(factorRecords.get(store, userId)?.document.factors ?? []),
      biometrics: readSettings(store).signIn.allowBiometrics,
    }));
    return generateRegistrationOptions({
      rpName: name,
      rpID: relyingParty(baseUrl).id,
      userName: user?.email ?? userId,
      userDisplayName: user?.name ?? '',
      userID: new Uint8Array(Buffer.from(userId)),
      challenge: newChallenge(sealer, scopeOf(whose), clock.now()),
      attestationType: 'none',
      excludeCredentials: known.map(({ credentialId, transports }) => ({
        id: credentialId,
        transports: [...transports],
      })),
      authenticatorSelection: {
        residentKey: 'preferred',
        userVerification: 'preferred',
        ...(biometrics ? {} : { authenticatorAttachment: 'cross-platform' }),
      },
      timeout: 300_000,
    });
  }

  /** @param answer of the browser, as JSON */
  async confirm(
    whose: Whose,
    { answer, name }: { readonly answer: string; readonly name?: string | undefined },
    facts: RequestFacts,
  ): Promise<Enrolled | Refusal> {
    const response = readRegistration(answer);
    if (response === undefined) return { ok: false, reason: 'wrong' };
    const scope = scopeOf(whose);
    const { engine, clock, sealer } = this.#dependencies;
    const { organization, userId } = whose;
    const { store } = organization;
    const isPlatform =
      response.authenticatorAttachment === 'platform' || transportsOf(response.response).includes('internal');
    if (isPlatform && !engine.read(() => readSettings(store).signIn.allowBiometrics)) {
      throw refused(said('refusals.otherDevice'));
    }
    const challenge: { text?: string } = {};
    const verified = await this.#verified(response, (text) => {
      challenge.text = text;
      return openChallenge(sealer, scope, text, clock.now()) !== undefined;
    });
    const text = challenge.text ?? '';
    const until = openChallenge(sealer, scope, text, clock.now());
    if (verified === undefined || until === undefined) return { ok: false, reason: 'wrong' };
    const actor = userActing(userId);
    const outcome = transactAs(this.#dependencies, organization, actor, facts, (transaction): Enrolled | Refusal => {
      const { now } = transaction;
      if (isSpent(store, text)) return { ok: false, reason: 'expired' };
      const factor = factorOf(verified, { id: this.#dependencies.audit.newId(), name: nameOf('webauthn', name), now });
      const known = credentialsOf(factorRecords.get(store, userId)?.document.factors ?? []);
      if (known.some(({ credentialId }) => credentialId === factor.credentialId)) {
        return { ok: false, reason: 'known' };
      }
      const plan = planAddition(
        whose,
        { ...factor, isPlatform, transports: transportsOf(response.response) },
        meansOfKey(factor),
        now,
      );
      if (plan.changes.length > 0) spendChallenge(transaction, text, until);
      return transaction.include(plan);
    });
    return telling(this.#dependencies, whose, 'added', outcome);
  }

  async #verified(
    response: Parameters<Awaited<ReturnType<typeof webAuthn>>['verifyRegistrationResponse']>[0]['response'],
    expectedChallenge: (text: string) => boolean,
  ): Promise<Verified | undefined> {
    const { verifyRegistrationResponse } = await webAuthn();
    const { id, origin } = relyingParty(this.#dependencies.baseUrl);
    try {
      if (await bringsCertificates(response.response.attestationObject)) return undefined;
      const { registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: id,
        requireUserVerification: false,
      });
      return registrationInfo;
    } catch {
      // it says what was wrong in words alone, which may repeat what was sent
      return undefined;
    }
  }
}

/** Of RFC 8176: a key that never leaves its hardware, or one that is copied between devices; somebody was there. */
export function meansOfKey({ isMultiDevice }: Pick<WebAuthnFactor, 'isMultiDevice'>): readonly string[] {
  return [isMultiDevice ? 'swk' : 'hwk', 'user', 'mfa'];
}

export function credentialsOf(factors: readonly { readonly type: string }[]): readonly WebAuthnFactor[] {
  return factors.filter((each): each is WebAuthnFactor => each.type === 'webauthn');
}

function factorOf(
  { aaguid, credential, credentialDeviceType, credentialBackedUp }: Verified,
  { id, name, now }: { readonly id: string; readonly name: string; readonly now: number },
): WebAuthnFactor {
  return {
    type: 'webauthn',
    id,
    name,
    createdAt: now,
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: [],
    isPlatform: false,
    isMultiDevice: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
    aaguid,
  };
}

const knownTransports: ReadonlySet<string> = new Set(['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

function transportsOf({ transports = [] }: { readonly transports?: readonly string[] }): readonly string[] {
  return transports.filter((each) => knownTransports.has(each));
}

function scopeOf({ organization, userId, binding }: Whose): ChallengeScope {
  return { organization, binding: `${userId} ${binding}`, purpose: 'register' };
}
