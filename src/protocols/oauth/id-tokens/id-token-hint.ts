import { compactVerify, errors, importJWK } from 'jose';
import { z } from 'zod';
import type { Engine } from '#engine';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { issuerOf } from '../issuer.ts';
import { algorithmNames, signingKeyRecords } from '../signing/index.ts';

/** What an ID token that comes back says. */
export interface IdTokenHint {
  readonly userId: string;
  /** The client that it was issued to. */
  readonly clientId: string;
  readonly sessionId?: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

const LENGTH_MAX = 8192;
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
  if (text.length > LENGTH_MAX) return undefined;
  try {
    const { payload, protectedHeader } = await compactVerify(
      text,
      ({ kid, alg }) => {
        const key =
          typeof kid === 'string' && kid.length <= 64
            ? engine.read(() => signingKeyRecords.get(store, kid))
            : undefined;
        if (key === undefined || key.document.algorithm !== alg) throw new errors.JWKSNoMatchingKey();
        return importJWK({ ...key.document.publicJwk }, alg);
      },
      { algorithms: algorithmNames },
    );
    const read = payloadSchema.safeParse(JSON.parse(new TextDecoder().decode(payload)));
    // access tokens and logout tokens have types of their own
    if (!read.success || protectedHeader.typ !== 'JWT' || read.data.iss !== issuerOf(baseUrl, slug)) return undefined;
    const { sub, aud, sid, exp } = read.data;
    return { userId: sub, clientId: aud, expiresAt: exp * 1000, ...(sid === undefined ? {} : { sessionId: sid }) };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
