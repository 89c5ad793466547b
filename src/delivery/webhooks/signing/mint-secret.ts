import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { type RandomSource, systemRandom } from '../../../platform/index.ts';

const SECRET_BYTES = 32;
/** Of the raw key at the end of both encodings (RFC 8410, 4 and 7). */
const KEY_BYTES = 32;

/** A signing secret as Standard Webhooks 1.0 writes it: `whsec_` and base64. */
export function mintSecret(random: RandomSource = systemRandom): string {
  return `whsec_${Buffer.from(random(SECRET_BYTES)).toString('base64')}`;
}

export interface SigningPair {
  /** `whpk_` and base64 of the raw key. */
  readonly publicKey: string;
  /** PKCS #8, in base64. */
  readonly privateKey: string;
}

/** An Ed25519 key pair. */
export function mintPair(): SigningPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-KEY_BYTES);
  return {
    publicKey: `whpk_${raw.toString('base64')}`,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  };
}

export function privateKeyOf(encoded: string) {
  return createPrivateKey({ key: Buffer.from(encoded, 'base64'), type: 'pkcs8', format: 'der' });
}
