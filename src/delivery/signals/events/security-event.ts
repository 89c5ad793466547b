import { z } from 'zod';

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
