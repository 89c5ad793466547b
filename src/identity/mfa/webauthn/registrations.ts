import type { PublicKeyCredentialCreationOptionsJSON, VerifiedRegistrationResponse } from '@simplewebauthn/server';
import { getUser } from '../../../directory/records/index.ts';
import { readSettings } from '../../../directory/settings/index.ts';
import { factorRecords, type WebAuthnFactor } from '../../../directory/users/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import { organizationEntry } from '../../../kernel/organizations/index.ts';
import { refused } from '../../../kernel/transactions/index.ts';
import { said } from '../../../texts/index.ts';
import { addFactor, nameOf } from '../changes/add-factor.ts';
import { telling } from '../changes/notices.ts';
import { type Enrolled, type MfaDependencies, type Refusal, transactByUser, type Whose } from '../dependencies.ts';
import { answered, type ChallengeScope, isSpent, newChallenge, spendChallenge } from './challenge.ts';
import { bringsCertificates, type Library, relyingParty, webAuthn } from './relying-party.ts';
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
    const { engine } = this.#dependencies;
    const { organization, userId } = whose;
    const { store } = organization;
    const isPlatform =
      response.authenticatorAttachment === 'platform' || transportsOf(response.response).includes('internal');
    if (isPlatform && !engine.read(() => readSettings(store).signIn.allowBiometrics)) {
      throw refused(said('refusals.otherDevice'));
    }
    const found = await answered(this.#dependencies, scopeOf(whose), (library, expected) =>
      verifiedBy(library, { ...expected, response, requireUserVerification: false }),
    );
    if (found === undefined) return { ok: false, reason: 'wrong' };
    const outcome = transactByUser(this.#dependencies, whose, facts, (transaction): Enrolled | Refusal => {
      if (isSpent(store, found.challenge)) return { ok: false, reason: 'expired' };
      const made = { id: transaction.newId(), name: nameOf('webauthn', name), createdAt: transaction.now };
      const factor = { ...made, ...keyOf(found.verified), isPlatform, transports: transportsOf(response.response) };
      const known = credentialsOf(factorRecords.get(store, userId)?.document.factors ?? []);
      if (known.some(({ credentialId }) => credentialId === factor.credentialId)) {
        return { ok: false, reason: 'known' };
      }
      const added = addFactor(transaction, whose, factor, meansOfKey(factor));
      if (added.ok) spendChallenge(transaction, found);
      return added;
    });
    return telling(this.#dependencies, whose, 'added', outcome);
  }
}

type VerifyOptions = Parameters<Library['verifyRegistrationResponse']>[0];

async function verifiedBy(library: Library, options: VerifyOptions): Promise<Verified | undefined> {
  if (await bringsCertificates(options.response.response.attestationObject)) return undefined;
  const { registrationInfo } = await library.verifyRegistrationResponse(options);
  return registrationInfo;
}

/** Of RFC 8176: a key that never leaves its hardware, or one that is copied between devices; somebody was there. */
export function meansOfKey({ isMultiDevice }: Pick<WebAuthnFactor, 'isMultiDevice'>): readonly string[] {
  return [isMultiDevice ? 'swk' : 'hwk', 'user', 'mfa'];
}

export function credentialsOf(factors: readonly { readonly type: string }[]): readonly WebAuthnFactor[] {
  return factors.filter((each): each is WebAuthnFactor => each.type === 'webauthn');
}

function keyOf({ aaguid, credential, credentialDeviceType, credentialBackedUp }: Verified) {
  return {
    type: 'webauthn',
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    isMultiDevice: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
    aaguid,
  } as const;
}

const knownTransports: ReadonlySet<string> = new Set(['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

function transportsOf({ transports = [] }: { readonly transports?: readonly string[] }): readonly string[] {
  return transports.filter((each) => knownTransports.has(each));
}

function scopeOf({ organization, userId, binding }: Whose): ChallengeScope {
  return { organization, binding: `${userId} ${binding}`, purpose: 'register' };
}
