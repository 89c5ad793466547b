import { createLocalJWKSet, errors, type JSONWebKeySet } from 'jose';
import type { OwnKeys } from '../../../directory/records/index.ts';
import { type Clock, type OutboundGuard, type PublicJwks, verifyingKeys } from '../../../platform/index.ts';
import { FetchedDocuments } from './fetched-documents.ts';

/** Signatures with a key that its holder alone has. */
export const assertionAlgorithms = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
  'EdDSA',
  'Ed25519',
] as const;

/** Where somebody's keys are: registered, or to be fetched. */
export type KeySource = Pick<OwnKeys, 'jwks' | 'jwksUri'>;

type KeySet = ReturnType<typeof createLocalJWKSet>;

/** The keys could not be fetched: nothing is said of the signature. */
export class KeysUnavailableError extends Error {
  constructor() {
    super('the keys cannot be fetched');
    this.name = 'KeysUnavailableError';
  }
}

/** The public keys of clients and of other issuers: registered ones, or those at their `jwks_uri`, kept for some minutes. */
export class RemoteKeys {
  readonly #documents: FetchedDocuments<PublicJwks>;

  constructor(outbound: OutboundGuard, clock: Clock) {
    this.#documents = new FetchedDocuments(outbound, clock, verifyingKeys);
  }

  /**
   * Proves something by the keys of a source, and once more by newer keys where the known ones do not fit.
   * @param verify throws a `JOSEError` where it is not proved
   * @throws JOSEError as `verify` does; KeysUnavailableError
   */
  async verify<T>(source: KeySource, verify: (keys: KeySet) => Promise<T>): Promise<T> {
    let misfit: unknown = new KeysUnavailableError();
    for (const again of [false, true]) {
      const keys = await this.#keysOf(source, again);
      if (keys === undefined) break;
      try {
        // parsed by `jwksSchema`, whose members are those of the type
        return await verify(createLocalJWKSet(keys as unknown as JSONWebKeySet));
      } catch (error) {
        if (!mayBeNew(error)) throw error;
        misfit = error;
      }
    }
    throw misfit;
  }

  async #keysOf({ jwks, jwksUri }: KeySource, again: boolean): Promise<PublicJwks | undefined> {
    if (jwksUri === undefined) return again ? undefined : jwks;
    return (await this.#documents.of(jwksUri, again))?.document;
  }
}

function mayBeNew(error: unknown): boolean {
  return error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed;
}
