import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { canonicalJson } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { digestOf, type Sealer } from '../../../platform/index.ts';
import type { AccessRequest, Evaluation } from '../bodies.ts';

/** What was denied to an agent, for the request that it may make of it. */
export interface Binding {
  readonly evaluationId: string;
  readonly agentId: string;
  /** Over subject, resource and action. */
  readonly digest: string;
  /** Milliseconds since the epoch, in whole seconds. */
  readonly expiresAt: number;
}

export interface BindingKeys {
  readonly sealer: Pick<Sealer, 'mac'>;
  /** Who makes such tokens, and who reads them: the same service. */
  readonly issuer: string;
  readonly audience: string;
}

const type = 'access-request-binding+jwt';
/** Nobody but this service reads it. With a secret key, a denial costs little more than without a token. */
const algorithm = 'HS256';

/** A denial as a text that the caller gives back with its request. */
export function bindingToken(
  { sealer, issuer, audience }: BindingKeys,
  organization: Organization,
  { evaluationId, agentId, digest, expiresAt }: Binding,
  now: number,
): Promise<string> {
  return new SignJWT({ binding_hash: digest, binding_context_members: [] })
    .setProtectedHeader({ alg: algorithm, typ: type })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(agentId)
    .setJti(evaluationId)
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(expiresAt / 1000)
    .sign(keyOf(sealer, organization));
}

/** What a token binds; `undefined` where it was not made here for this organization, `expired` where it is over. */
export async function readBindingToken(
  { sealer, issuer, audience }: BindingKeys,
  organization: Organization,
  text: string,
  now: number,
): Promise<Binding | 'expired' | undefined> {
  try {
    const { payload } = await jwtVerify(text, keyOf(sealer, organization), {
      algorithms: [algorithm],
      typ: type,
      issuer,
      audience,
      currentDate: new Date(now),
      requiredClaims: ['sub', 'jti', 'exp', 'binding_hash'],
    });
    return bindingOf(payload);
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'expired';
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

function bindingOf({ jti = '', sub = '', exp = 0, binding_hash: digest }: JWTPayload): Binding | undefined {
  if (typeof digest !== 'string') return undefined;
  return { evaluationId: jti, agentId: sub, digest, expiresAt: exp * 1000 };
}

/**
 * Over what was asked: subject, resource and action with their properties. Who acts for the subject may stand elsewhere in a
 * request, and is left out.
 */
export function deniedDigest({
  subject,
  resource,
  action,
}: Pick<Evaluation | AccessRequest, 'subject' | 'resource' | 'action'>) {
  const { act: _, ...properties } = subject.properties ?? {};
  const { type: subjectType, id } = subject;
  const named = { type: subjectType, id, ...(Object.keys(properties).length === 0 ? {} : { properties }) };
  return digestOf(canonicalJson({ subject: named, resource, action, context: {} }));
}

function keyOf(sealer: Pick<Sealer, 'mac'>, { id }: Organization): Uint8Array {
  return Buffer.from(sealer.mac('access request', id), 'base64url');
}
