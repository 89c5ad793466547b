import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import type { FederatedCredential } from '../../../../directory/records/index.ts';
import { assertionAlgorithms, type KeySource, KeysUnavailableError, type RemoteKeys } from '../../remote-keys/index.ts';
import type { ClientEntry } from '../records/client-record.ts';

/** How far ahead an assertion may expire: its `jti` is kept that long. */
const LIFETIME_MAX_S = 600;
/** Workloads are given theirs by their platform, for hours. */
const FEDERATED_LIFETIME_MAX_S = 86_400;
const SKEW_S = 30;
const JTI_MAX = 256;

/** An assertion that was proved. */
export interface ProvedAssertion {
  /** By which it cannot be used again; absent where it is good until it expires. */
  readonly jti: string | undefined;
  /** When it is refused for its age, in milliseconds since the epoch, with the tolerance of clocks. */
  readonly until: number;
  readonly payload: Readonly<JWTPayload>;
}

/** Who it says has made it, and about whom. Not yet proved. */
export interface Claimed {
  readonly issuer: string;
  readonly subject: string;
}

/** Where both are the client's id, the client has made it itself (RFC 7523, 3). */
export function claimsOfAssertion(assertion: string): Claimed | undefined {
  try {
    const { sub: subject, iss: issuer } = decodeJwt(assertion);
    return issuer === undefined || subject === undefined ? undefined : { issuer, subject };
  } catch {
    return undefined;
  }
}

/** Of a client's own assertion: its keys, its id on both sides, and addresses of ours. */
export function ownRule({ id, document }: ClientEntry, audiences: readonly string[]): AssertionRule {
  return {
    keys: document,
    issuer: id,
    subject: id,
    audiences,
    required: ['exp', 'jti'],
    lifetimeMaxS: LIFETIME_MAX_S,
    isUsedOnce: true,
  };
}

/** Of an assertion that another issuer has made for one of its workloads, which shows it as often as it needs to. */
export function federatedRule({ issuer, subject, audience, jwksUri }: FederatedCredential): AssertionRule {
  return {
    keys: { jwksUri },
    issuer,
    subject,
    audiences: [audience],
    required: ['exp', 'iat'],
    lifetimeMaxS: FEDERATED_LIFETIME_MAX_S,
    isUsedOnce: false,
  };
}

/** What an assertion is held to. */
interface AssertionRule {
  readonly keys: KeySource;
  readonly issuer: string;
  /** Undefined: whomever it names. */
  readonly subject: string | undefined;
  /** Its `typ`; undefined: any. */
  readonly type?: string;
  /** It is for one or more of these and nobody else. */
  readonly audiences: readonly string[];
  readonly required: readonly string[];
  /** How far ahead it may expire, and how old it may be. */
  readonly lifetimeMaxS: number;
  /** Its `jti`, where each is good once. */
  readonly isUsedOnce: boolean;
}

/**
 * Proves an assertion (RFC 7523, 3; OpenID Connect Core, 9): signed by a key that its rule names, for the audiences
 * and nobody else, and of limited life. Keys that the assertion brings along are not looked at.
 * @param now milliseconds since the epoch
 */
export async function proveAssertion(
  rule: AssertionRule,
  assertion: string,
  keys: Pick<RemoteKeys, 'verify'>,
  now: number,
): Promise<ProvedAssertion | undefined> {
  const { issuer, subject, type, audiences, required } = rule;
  try {
    const { payload } = await keys.verify(rule.keys, (keySet) =>
      jwtVerify(assertion, keySet, {
        algorithms: [...assertionAlgorithms],
        issuer,
        ...(subject === undefined ? {} : { subject }),
        ...(type === undefined ? {} : { typ: type }),
        audience: [...audiences],
        requiredClaims: [...required],
        clockTolerance: SKEW_S,
        currentDate: new Date(now),
      }),
    );
    // an assertion that is for others as well could be used by them here
    const isForUsAlone = [payload.aud ?? []].flat().every((audience) => audiences.includes(audience));
    return isForUsAlone ? provedOf(payload, rule, now) : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof KeysUnavailableError) return undefined;
    throw error;
  }
}

function provedOf(
  payload: JWTPayload,
  { lifetimeMaxS, required, isUsedOnce }: AssertionRule,
  now: number,
): ProvedAssertion | undefined {
  const { exp, iat, jti } = payload;
  const boundMs = (lifetimeMaxS + SKEW_S) * 1000;
  if (typeof exp !== 'number' || exp * 1000 > now + boundMs) return undefined;
  const isOfNow = iat !== undefined && iat * 1000 <= now + SKEW_S * 1000 && iat * 1000 >= now - boundMs;
  if (required.includes('iat') && !isOfNow) return undefined;
  if (jti !== undefined && (typeof jti !== 'string' || jti === '' || jti.length > JTI_MAX)) return undefined;
  return { jti: isUsedOnce ? jti : undefined, until: (exp + SKEW_S) * 1000, payload };
}
