import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { z } from 'zod';
import { defineProblems, type ErrorRenderer, jsonText, ProblemError, problem } from '../../../http/index.ts';
import { assertionAlgorithms, KeysUnavailableError } from '../../../protocols/oauth/index.ts';
import { effectOf } from '../events/event-uris.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import type { IssuerRecord } from './records/issuer-record.ts';

/** Why a security event token is not taken (RFC 8935, 2.4). `invalid_request` is the one that is missing here. */
export const receiverProblems = defineProblems({
  invalid_key: [400, 'The signature was not made with a key of the issuer'],
  invalid_issuer: [400, 'The issuer is not trusted'],
  invalid_audience: [400, 'The token is for another audience'],
  authentication_failed: [400, 'The secret of the issuer is missing or wrong'],
  access_denied: [400, 'Events of this issuer are not accepted at the moment'],
});

export type ReceiverError = keyof typeof receiverProblems | 'invalid_request';

/** To throw where a token is not taken. */
export function refusedToken(code: ReceiverError, detail?: string): ProblemError {
  return new ProblemError(problem(code === 'invalid_request' ? code : receiverProblems[code], detail));
}

/** `{err, description}` (RFC 8935, 2.3). What goes wrong beside the protocol keeps its status, and has the nearest code. */
export const renderReceiver: ErrorRenderer = ({ kind: { code, status }, detail, options: { headers } }) => {
  const err = Object.hasOwn(receiverProblems, code) ? code : 'invalid_request';
  const body = JSON.stringify({ err, description: detail });
  return jsonText(status, body, { headers: { ...headers, 'content-language': 'en' } });
};

/** How old a token may be: so long its `jti` is kept. */
export const AGE_MAX_S = 30 * 86_400;
/** What clocks may differ by. */
export const SKEW_S = 60;
const JTI_MAX = 512;

/** Keys that a token brings along, or says where they are: nobody's. */
const keyHeaders = ['jwk', 'jku', 'x5c', 'x5u'] as const;

const payloadSchema = z.object({
  iss: z.string(),
  iat: z.number(),
  jti: z.string().min(1).max(JTI_MAX),
  /** When it happened (RFC 8417, 2.2). */
  toe: z.number().optional(),
  sub: z.string().min(1).max(2048).optional(),
  sub_id: z.unknown().optional(),
  events: z.record(z.string(), z.record(z.string(), z.unknown())),
});

/** A security event token (RFC 8417) that was proved to be the issuer's, of one event. Times are in seconds. */
export interface EventToken extends Omit<z.output<typeof payloadSchema>, 'events'> {
  readonly uri: string;
  readonly event: Readonly<Record<string, unknown>>;
}

/** Who a token says has made it. Not yet proved. @throws ProblemError `invalid_request`, `invalid_key` */
export function claimedIssuer(token: string): string {
  try {
    const header = decodeProtectedHeader(token);
    if (keyHeaders.some((name) => name in header))
      throw refusedToken('invalid_key', 'A token must not bring a key along: keys are those of the issuer.');
    const { iss } = decodeJwt(token);
    if (typeof iss === 'string') return iss;
  } catch (error) {
    if (error instanceof ProblemError) throw error;
  }
  throw refusedToken('invalid_request', 'The body is no security event token of an issuer.');
}

/**
 * Proves a token: signed by a key of its issuer, for its audience, of this month, and of one event that is known. It needs
 * no `exp`: what happened stays true (RFC 8417, 2.2).
 * @param now milliseconds since the epoch
 * @throws ProblemError with a code of RFC 8935; 503 where the keys cannot be had now
 */
export async function proveToken(
  keys: IssuerKeys,
  issuer: IssuerRecord,
  token: string,
  now: number,
): Promise<EventToken> {
  try {
    const { payload } = await keys.verify(issuer, (keySet) =>
      jwtVerify(token, keySet, {
        algorithms: [...assertionAlgorithms],
        typ: 'secevent+jwt',
        issuer: issuer.issuer,
        audience: issuer.audience,
        clockTolerance: SKEW_S,
        currentDate: new Date(now),
      }),
    );
    return readPayload(payload, now);
  } catch (error) {
    if (error instanceof KeysUnavailableError)
      throw new ProblemError(problem('unavailable', 'The keys of the issuer cannot be fetched at the moment.'));
    if (error instanceof errors.JOSEError) throw refusedToken(codeOf(error), detailOf(error));
    throw error;
  }
}

function readPayload(payload: object, now: number): EventToken {
  const read = payloadSchema.safeParse(payload);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw refusedToken('invalid_request', `${issue?.path.join('.') ?? 'The payload'} is missing or not as it must be.`);
  }
  const { events, ...claims } = read.data;
  if (claims.iat > now / 1000 + SKEW_S) throw refusedToken('invalid_request', 'iat is in the future.');
  if (claims.iat < now / 1000 - AGE_MAX_S) throw refusedToken('invalid_request', 'iat is more than a month ago.');
  const [first, ...others] = Object.entries(events);
  if (first === undefined || others.length > 0) throw refusedToken('invalid_request', 'events must have one member.');
  const [uri, event] = first;
  if (effectOf(uri) === undefined) throw refusedToken('invalid_request', 'The type of the event is not known.');
  return { ...claims, uri, event };
}

function codeOf(error: errors.JOSEError): ReceiverError {
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return 'invalid_audience';
    return error.claim === 'iss' ? 'invalid_issuer' : 'invalid_request';
  }
  return keyErrors.some((kind) => error instanceof kind) ? 'invalid_key' : 'invalid_request';
}

const keyErrors = [
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKInvalid,
  errors.JWKSInvalid,
  errors.JWKSMultipleMatchingKeys,
  errors.JWKSNoMatchingKey,
  errors.JWSSignatureVerificationFailed,
];

function detailOf(error: errors.JOSEError): string | undefined {
  if (error instanceof errors.JWTClaimValidationFailed) return `${error.claim} is missing, or another one is expected.`;
  if (error instanceof errors.JWTExpired) return 'The token has expired.';
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return 'Several keys of the issuer fit: the header must have a kid.';
  return undefined;
}
