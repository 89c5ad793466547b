import { z } from 'zod';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { issuerUrls, type SigningKeys, signJwt } from '../../../protocols/oauth/index.ts';
import type { StreamEntry } from '../records/stream-record.ts';

/** An event on its way into a security event token (RFC 8417): all that the token says, but whose it is. */
export const securityEventSchema = z.strictObject({
  /** Of the event that it was made of. */
  eventId: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  uri: z.string(),
  details: z.record(z.string(), z.unknown()).readonly(),
  subject: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('user'),
      userId: z.string(),
      /** One session alone. */
      sessionId: z.string().exactOptional(),
      /** How the user is named, where that is not the id. */
      email: z.string().exactOptional(),
    }),
    z.strictObject({ kind: z.literal('organization') }),
    z.strictObject({ kind: z.literal('stream') }),
  ]),
});

export type SecurityEvent = z.output<typeof securityEventSchema>;

/** `jti` of a token: the same however often it is sent. */
export function tokenIdOf(streamId: string, eventId: string): string {
  return `${streamId}.${eventId}`;
}

export interface SigningServices {
  readonly keys: SigningKeys;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

/**
 * A security event token (RFC 8417) by the profile of SSF 1.0, 4.1: its type is explicit, it names its subject by `sub_id`
 * and has neither `sub` nor `exp`, so that it is never taken for another token.
 */
export async function signEvent(
  { keys, baseUrl }: SigningServices,
  organization: Organization,
  { id: streamId, document: { clientId } }: Pick<StreamEntry, 'id' | 'document'>,
  { eventId, at, uri, details, subject }: SecurityEvent,
): Promise<string> {
  const { issuer } = issuerUrls(baseUrl, organization.slug);
  return signJwt(await keys.signer(organization, 'RS256'), {
    type: 'secevent+jwt',
    claims: {
      iss: issuer,
      iat: Math.floor(at / 1000),
      jti: tokenIdOf(streamId, eventId),
      aud: clientId,
      txn: eventId,
      sub_id: subjectIdentifier(issuer, organization.slug, streamId, subject),
      events: { [uri]: details },
    },
  });
}

/** RFC 9493, and for what is more than a user the complex subject of SSF 1.0, 3.2. */
function subjectIdentifier(issuer: string, slug: string, streamId: string, subject: SecurityEvent['subject']): object {
  if (subject.kind === 'stream') return { format: 'opaque', id: streamId };
  if (subject.kind === 'organization') return { format: 'complex', tenant: { format: 'opaque', id: slug } };
  const { userId, sessionId, email } = subject;
  const user = email === undefined ? { format: 'iss_sub', iss: issuer, sub: userId } : { format: 'email', email };
  return sessionId === undefined ? user : { format: 'complex', user, session: { format: 'opaque', id: sessionId } };
}
