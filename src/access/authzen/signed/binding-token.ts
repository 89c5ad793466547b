import { z } from 'zod';
import { canonicalJson } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { digestOf, isoTime } from '../../../platform/index.ts';
import { signJwt, verifyOwnJwt } from '../../../protocols/oauth/index.ts';
import { decisionPoint } from '../addresses.ts';
import type { AccessRequest, Evaluation } from '../bodies.ts';
import type { AuthZenDependencies } from '../dependencies.ts';

/** What was denied to an agent, for the request that it may make of it. */
export interface Binding {
  readonly evaluationId: string;
  readonly agentId: string;
  /** Over subject, resource and action. */
  readonly digest: string;
  /** Milliseconds since the epoch, in whole seconds. */
  readonly expiresAt: number;
}

type Signing = Pick<AuthZenDependencies, 'engine' | 'keys' | 'clock' | 'baseUrl'>;

const type = 'access-request-binding+jwt';

/**
 * A denial as a text that the caller gives back with its request (Access Request and Approval Profile, "Denial Binding
 * Claims"): whoever has the public keys can verify it.
 */
export async function bindingToken(
  { keys, clock, baseUrl }: Signing,
  organization: Organization,
  { evaluationId, agentId, digest, expiresAt }: Binding,
): Promise<string> {
  const { issuer, requests } = decisionPoint(baseUrl, organization.slug);
  const claims = {
    iss: issuer,
    aud: requests,
    sub: agentId,
    jti: evaluationId,
    iat: Math.floor(clock.now() / 1000),
    exp: expiresAt / 1000,
    denial_expires_at: isoTime(expiresAt),
    evaluation_id: evaluationId,
    binding_hash: digest,
    binding_context_members: [],
  };
  return signJwt(await keys.signer(organization, 'ES256'), { type, claims });
}

const claimsSchema = z.object({
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  exp: z.int(),
  evaluation_id: z.string(),
  binding_hash: z.string(),
});

/** What a token binds; `undefined` where it was not made here for this organization, `expired` where it is over. */
export async function readBindingToken(
  { engine, clock, baseUrl }: Signing,
  { store, slug }: Organization,
  text: string,
): Promise<Binding | 'expired' | undefined> {
  const own = await verifyOwnJwt(engine, store, text);
  const read = claimsSchema.safeParse(own?.claims);
  const { issuer, requests } = decisionPoint(baseUrl, slug);
  if (!read.success || own?.type !== type || read.data.iss !== issuer || read.data.aud !== requests) return undefined;
  const { sub, exp, evaluation_id: evaluationId, binding_hash: digest } = read.data;
  if (clock.now() >= exp * 1000) return 'expired';
  return { evaluationId, agentId: sub, digest, expiresAt: exp * 1000 };
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
