import { createHash } from 'node:crypto';
import { type CryptoKey, importJWK, type JWK } from 'jose';
import { BoundedMap } from '#engine';

/** All that must be known of an algorithm of proofs (RFC 9449, 4.2): asymmetric ones alone. */
interface ProofAlgorithm {
  readonly kty: 'EC' | 'OKP' | 'RSA';
  readonly crv?: string;
}

const algorithms: Readonly<Record<string, ProofAlgorithm>> = {
  ES256: { kty: 'EC', crv: 'P-256' },
  ES384: { kty: 'EC', crv: 'P-384' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
  Ed25519: { kty: 'OKP', crv: 'Ed25519' },
  PS256: { kty: 'RSA' },
  RS256: { kty: 'RSA' },
};

export const proofAlgorithms: readonly string[] = Object.keys(algorithms);

/** Members of a public key that a thumbprint is made of, in its order (RFC 7638, 3.2; RFC 8037, 2). */
const members = {
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
} as const;

/** Of a key of 8,192 bits. */
const MEMBER_MAX = 1400;

export interface ProofKey {
  readonly algorithm: string;
  readonly jwk: JWK;
  /** SHA-256 thumbprint (RFC 7638). */
  readonly thumbprint: string;
}

/** The key in the header of a proof; `undefined` where it is none that proves anything, or shows its private half. */
export function readProofKey({ alg, jwk }: { readonly alg?: unknown; readonly jwk?: unknown }): ProofKey | undefined {
  const algorithm = typeof alg === 'string' && Object.hasOwn(algorithms, alg) ? algorithms[alg] : undefined;
  if (algorithm === undefined) return undefined;
  // what is no object has no members
  const given: Readonly<Record<string, unknown>> = Object(jwk);
  if (given.kty !== algorithm.kty || (algorithm.crv !== undefined && given.crv !== algorithm.crv)) return undefined;
  if (['d', 'k', 'p', 'q', 'dp', 'dq', 'qi', 'oth'].some((name) => name in given)) return undefined;
  const read: Record<string, string> = {};
  for (const name of members[algorithm.kty]) {
    const value = given[name];
    if (typeof value !== 'string' || value === '' || value.length > MEMBER_MAX) return undefined;
    read[name] = value;
  }
  const thumbprint = createHash('sha256').update(JSON.stringify(read)).digest('base64url');
  // `alg` was found in the table
  return { algorithm: alg as string, jwk: read as unknown as JWK, thumbprint };
}

const KNOWN_MAX = 1_000;

/** Imported keys by thumbprint and algorithm: clients use one for many requests. */
export class ProofKeys {
  readonly #known = new BoundedMap<string, CryptoKey>(KNOWN_MAX);

  /** @throws where the key is not one: not on its curve, or too short */
  async imported({ algorithm, jwk, thumbprint }: ProofKey): Promise<CryptoKey> {
    const name = `${algorithm} ${thumbprint}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    // a key of an elliptic curve or RSA is never a secret's bytes
    const key = (await importJWK(jwk, algorithm)) as CryptoKey;
    this.#known.set(name, key);
    return key;
  }
}
