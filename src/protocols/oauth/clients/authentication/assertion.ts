import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import type { ClientEntry } from '../records/client-record.ts';
import type { ClientKeys } from './client-keys.ts';

/** Signatures with a key that the client alone has. */
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

/** How far ahead an assertion may expire: so long its `jti` is kept. */
const LIFETIME_MAX_S = 600;
const SKEW_S = 30;
const JTI_MAX = 256;

/** An assertion that was proved to be the client's, and that nobody may use again. */
export interface ProvedAssertion {
  readonly jti: string;
  /** Milliseconds since the epoch, with the tolerance of clocks: from then on it is refused by its age. */
  readonly until: number;
}

/** Whose it claims to be: `sub`, which must be the client's id (RFC 7523, 3). Not yet proved. */
export function claimedClient(assertion: string): string | undefined {
  try {
    const { sub, iss } = decodeJwt(assertion);
    return sub === iss ? sub : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Proves a client assertion (RFC 7523, 3; OpenID Connect Core, 9): signed by a key of the client, for the audiences and
 * nobody else, of limited life and with a `jti`. Keys that the assertion brings along are not looked at.
 * @param now milliseconds since the epoch
 */
export async function proveAssertion(
  client: ClientEntry,
  assertion: string,
  audiences: readonly string[],
  keys: ClientKeys,
  now: number,
): Promise<ProvedAssertion | undefined> {
  for (const again of [false, true]) {
    const found = await keys.of(client, again);
    if (found === undefined) return undefined;
    try {
      // parsed by `jwksSchema`, whose members are those of the type
      const keySet = createLocalJWKSet(found as unknown as JSONWebKeySet);
      const { payload } = await jwtVerify(assertion, keySet, {
        algorithms: [...assertionAlgorithms],
        issuer: client.id,
        subject: client.id,
        audience: [...audiences],
        requiredClaims: ['exp', 'jti'],
        clockTolerance: SKEW_S,
        currentDate: new Date(now),
      });
      // what is meant for others as well, they could use here
      const isForUsAlone = [payload.aud ?? []].flat().every((audience) => audiences.includes(audience));
      return isForUsAlone ? provedOf(payload, now) : undefined;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      const mayBeNew =
        error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed;
      if (!mayBeNew) return undefined;
    }
  }
  return undefined;
}

function provedOf({ exp, jti }: JWTPayload, now: number): ProvedAssertion | undefined {
  if (typeof exp !== 'number' || typeof jti !== 'string' || jti === '' || jti.length > JTI_MAX) return undefined;
  if (exp * 1000 > now + (LIFETIME_MAX_S + SKEW_S) * 1000) return undefined;
  return { jti, until: (exp + SKEW_S) * 1000 };
}
