import { z } from 'zod';
import type { Engine } from '#engine';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { issuerOf } from '../issuer.ts';
import { verifyOwnJwt } from '../signing/index.ts';

/** What an ID token that comes back says. */
export interface IdTokenHint {
  readonly userId: string;
  /** The client that it was issued to. */
  readonly clientId: string;
  readonly sessionId?: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

const payloadSchema = z.object({
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  exp: z.number(),
  sid: z.string().optional(),
});

/** An ID token of this issuer, also one that has expired; `undefined` for anything else. */
export async function verifyIdTokenHint(
  { engine, baseUrl }: { readonly engine: Engine; readonly baseUrl: string },
  { slug, store }: Organization,
  text: string,
): Promise<IdTokenHint | undefined> {
  const own = await verifyOwnJwt(engine, store, text);
  const read = payloadSchema.safeParse(own?.claims);
  // access tokens and logout tokens have types of their own
  if (!read.success || own?.type !== 'JWT' || read.data.iss !== issuerOf(baseUrl, slug)) return undefined;
  const { sub, aud, sid, exp } = read.data;
  return { userId: sub, clientId: aud, expiresAt: exp * 1000, ...(sid === undefined ? {} : { sessionId: sid }) };
}
