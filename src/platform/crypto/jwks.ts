import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { z } from 'zod';

/** Public keys of a client or an agent (RFC 7517), as they are stored. */
export const storedJwksSchema = z.strictObject({
  keys: z.array(z.record(z.string(), z.unknown()).readonly()).readonly(),
});

export type PublicJwks = Readonly<z.output<typeof storedJwksSchema>>;

const KEYS_MAX = 20;
const RSA_BITS_MIN = 2048;

const text = z.string().max(4096);

const members = {
  kty: z.enum(['RSA', 'EC', 'OKP']),
  use: z.string().max(20).optional(),
  key_ops: z.array(z.string().max(20)).max(10).optional(),
  alg: z.string().max(20).optional(),
  kid: z.string().max(256).optional(),
  crv: z.enum(['P-256', 'P-384', 'P-521', 'Ed25519']).optional(),
  n: text.optional(),
  e: text.optional(),
  x: text.optional(),
  y: text.optional(),
};

/** Others are ignored (RFC 7517, 4), except those of a private key: whoever sends one has lost it. */
const jwk = z.object({ ...members, d: z.undefined('must not be a private key').optional() }).meta({ id: 'Jwk' });

/** `jwks` of a body: public keys that can verify. */
export const jwksSchema = z.object({
  keys: z
    .array(
      jwk.refine(isUsable, {
        message: `must be a public key: RSA of at least ${RSA_BITS_MIN} bits, EC or Ed25519`,
      }),
    )
    .min(1)
    .max(KEYS_MAX),
});

/** Of a document that was fetched, which may hold keys for other purposes: those that can verify. */
export function verifyingKeys(document: unknown): PublicJwks | undefined {
  const listed = z.object({ keys: z.array(z.unknown()).max(100) }).safeParse(document);
  if (!listed.success) return undefined;
  const keys = listed.data.keys.flatMap((each) => {
    const one = jwk.refine(isUsable).safeParse(each);
    return one.success ? [one.data] : [];
  });
  return { keys: keys.slice(0, KEYS_MAX) };
}

function isUsable({ d: _, ...key }: z.output<typeof jwk>): boolean {
  try {
    const { asymmetricKeyDetails, asymmetricKeyType } = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
    return asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS_MIN;
  } catch {
    return false;
  }
}
