import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
  VerifiedAuthenticationResponse,
} from '@simplewebauthn/server';
import { readSettings } from '../../../directory/settings/index.ts';
import { type FactorEntry, factorRecords, type WebAuthnFactor } from '../../../directory/users/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { recordUse } from '../changes/record-use.ts';
import type { Tries } from '../changes/tries.ts';
import { type MfaDependencies, type Proven, type Refusal, transactByUser, type Whose } from '../dependencies.ts';
import { usableFactors } from '../records/methods.ts';
import { answered, type ChallengeScope, isSpent, newChallenge, spendChallenge } from './challenge.ts';
import { credentialsOf, meansOfKey } from './registrations.ts';
import { relyingParty } from './relying-party.ts';
import { readAssertion } from './responses.ts';

type Assertion = VerifiedAuthenticationResponse['authenticationInfo'];

/** Who signed in with a passkey alone. */
export interface PasskeySignIn extends Proven {
  readonly userId: string;
}

/** Where a passkey is asked for before it is known whose it is. */
export type Anybody = Omit<Whose, 'userId'>;

/** Asks passkeys and security keys: after a password, or in place of one. */
export class Assertions {
  readonly #dependencies: MfaDependencies;
  readonly #tries: Tries;

  constructor(dependencies: MfaDependencies, tries: Tries) {
    this.#dependencies = dependencies;
    this.#tries = tries;
  }

  /** What the browser hands to `navigator.credentials.get`, for a user who is known. */
  options(whose: Whose): PublicKeyCredentialRequestOptionsJSON {
    const { engine } = this.#dependencies;
    const { store } = whose.organization;
    const known = engine.read(() => usableKeys(store, factorRecords.get(store, whose.userId)));
    return this.#options(proofScope(whose), {
      allowCredentials: known.map(({ credentialId, transports }) => ({
        id: credentialId,
        type: 'public-key',
        transports: [...transports],
      })),
      userVerification: 'preferred',
    });
  }

  /** The same for whoever holds a passkey: the browser lets them choose. */
  signInOptions(anybody: Anybody): PublicKeyCredentialRequestOptionsJSON {
    return this.#options(signInScope(anybody), { userVerification: 'required' });
  }

  /** @param answer of the browser, as JSON */
  async verify(whose: Whose, answer: string, facts: RequestFacts): Promise<Proven | Refusal> {
    const response = readAssertion(answer);
    if (response === undefined) return this.#failed(whose, wrong, facts);
    const outcome = await this.#answered(whose, response, 'prove', facts);
    return outcome.ok ? outcome : this.#failed(whose, outcome, facts);
  }

  /**
   * Who holds the passkey that answers: they are named by the passkey itself, and proven by it and by what opened it
   * (a finger, a face, a PIN), which are two factors.
   */
  async signIn(anybody: Anybody, answer: string, facts: RequestFacts): Promise<PasskeySignIn | Refusal> {
    const response = readAssertion(answer);
    const handle = response?.response.userHandle;
    if (response === undefined || handle === undefined) return wrong;
    const userId = Buffer.from(handle, 'base64url').toString();
    if (!/^[\w-]{1,64}$/.test(userId)) return wrong;
    const { store } = anybody.organization;
    const { allowPasskeys } = this.#dependencies.engine.read(() => readSettings(store).signIn);
    if (!allowPasskeys) return { ok: false, reason: 'expired' };
    const whose = { ...anybody, userId };
    const outcome = await this.#answered(whose, response, 'sign-in', facts);
    if (outcome.ok) return { ...outcome, userId };
    const isUsers = this.#dependencies.engine.read(() =>
      keyFor(store, factorRecords.get(store, userId), response.id, 'sign-in'),
    );
    // a name that anybody can send is nobody's failure
    return isUsers === undefined ? wrong : this.#failed(whose, outcome, facts);
  }

  #options(
    scope: ChallengeScope,
    details: Partial<PublicKeyCredentialRequestOptionsJSON>,
  ): PublicKeyCredentialRequestOptionsJSON {
    const { sealer, clock, baseUrl } = this.#dependencies;
    const challenge = Buffer.from(newChallenge(sealer, scope, clock.now())).toString('base64url');
    return { ...details, rpId: relyingParty(baseUrl).id, challenge, timeout: 300_000 };
  }

  async #answered(
    whose: Whose,
    response: AuthenticationResponseJSON,
    purpose: 'prove' | 'sign-in',
    facts: RequestFacts,
  ): Promise<Proven | Refusal> {
    const { store } = whose.organization;
    const { userId } = whose;
    const key = this.#dependencies.engine.read(() =>
      keyFor(store, factorRecords.get(store, userId), response.id, purpose),
    );
    if (key === undefined) return wrong;
    const scope = purpose === 'prove' ? proofScope(whose) : signInScope(whose);
    const found = await answered(this.#dependencies, scope, async ({ verifyAuthenticationResponse }, expected) => {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...expected,
        response,
        credential: credentialOf(key),
        requireUserVerification: purpose === 'sign-in',
      });
      return verified ? authenticationInfo : undefined;
    });
    if (found === undefined) return wrong;
    return transactByUser(this.#dependencies, whose, facts, (transaction): Proven | Refusal => {
      if (isSpent(store, found.challenge)) return { ok: false, reason: 'expired' };
      const entry = factorRecords.get(store, userId);
      const current = keyFor(store, entry, response.id, purpose);
      if (entry === undefined || current === undefined || current.publicKey !== key.publicKey) {
        return wrong;
      }
      if (!counts(current.counter, found.verified.newCounter)) return copied;
      spendChallenge(transaction, found);
      const used = usedKey(current, found.verified);
      return recordUse(transaction, entry, used, meansOfKey(current));
    });
  }

  #failed(whose: Whose, refusal: Refusal, facts: RequestFacts): Refusal {
    const details = refusal === copied ? { counter: 'did not grow' } : {};
    return this.#tries.failed(whose, facts, 'webauthn', refusal, details);
  }
}

const wrong: Refusal = { ok: false, reason: 'wrong' };
/** A counter that does not grow says that there are two of an authenticator (WebAuthn, 7.2, step 21). */
const copied: Refusal = { ok: false, reason: 'wrong' };

/** The counter is judged in the commit that keeps the new one. */
function credentialOf({ credentialId, publicKey }: WebAuthnFactor) {
  return { id: credentialId, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 };
}

/** Authenticators that do not count say 0 always. */
function counts(before: number, after: number): boolean {
  return after > before || (before === 0 && after === 0);
}

function usedKey(
  factor: WebAuthnFactor,
  { newCounter, credentialDeviceType, credentialBackedUp }: Assertion,
): WebAuthnFactor {
  return {
    ...factor,
    counter: newCounter,
    isMultiDevice: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
  };
}

type Store = Organization['store'];

function usableKeys(store: Store, entry: FactorEntry | undefined): readonly WebAuthnFactor[] {
  return credentialsOf(usableFactors(store, entry?.document.factors ?? []));
}

/** To sign in with it alone, the method need not be one of the second factors that the organization allows. */
function keyFor(
  store: Store,
  entry: FactorEntry | undefined,
  credentialId: string,
  purpose: 'prove' | 'sign-in',
): WebAuthnFactor | undefined {
  const keys = purpose === 'prove' ? usableKeys(store, entry) : credentialsOf(entry?.document.factors ?? []);
  const key = keys.find((each) => each.credentialId === credentialId);
  const isRefused = purpose === 'sign-in' && key?.isPlatform === true && !readSettings(store).signIn.allowBiometrics;
  return isRefused ? undefined : key;
}

function proofScope({ organization, userId, binding }: Whose): ChallengeScope {
  return { organization, binding: `${userId} ${binding}`, purpose: 'prove' };
}

function signInScope({ organization, binding }: Anybody): ChallengeScope {
  return { organization, binding, purpose: 'sign-in' };
}
