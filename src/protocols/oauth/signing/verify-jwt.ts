import { compactVerify, errors, importJWK } from 'jose';
import type { Engine, Store } from '#engine';
import { algorithmNames } from './algorithms.ts';
import { signingKeyRecords } from './key-record.ts';

/** What a JWT says that a key of the organization has signed; nothing of it is judged yet. */
interface OwnJwt {
  readonly type: string | undefined;
  readonly claims: unknown;
}

const LENGTH_MAX = 8192;
const KID_MAX = 64;

/** A JWT that a key of the organization has signed, over or not; `undefined` for anything else. */
export async function verifyOwnJwt(
  engine: Pick<Engine, 'read'>,
  store: Store,
  text: string,
): Promise<OwnJwt | undefined> {
  if (text.length > LENGTH_MAX) return undefined;
  try {
    const { payload, protectedHeader } = await compactVerify(
      text,
      ({ kid, alg }) => {
        const known = typeof kid === 'string' && kid.length <= KID_MAX;
        const key = known ? engine.read(() => signingKeyRecords.get(store, kid)) : undefined;
        if (key === undefined || key.document.algorithm !== alg) throw new errors.JWKSNoMatchingKey();
        return importJWK({ ...key.document.publicJwk }, alg);
      },
      { algorithms: algorithmNames },
    );
    return { type: protectedHeader.typ, claims: JSON.parse(new TextDecoder().decode(payload)) };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
