import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { type RandomSource, systemRandom } from '../ids.ts';

/** Where a ciphertext belongs. It opens nowhere else, so that it cannot be copied to another record or organization. */
export interface SealBinding {
  readonly organization: string;
  readonly record: string;
  readonly field: string;
}

/** The ciphertext was changed, belongs elsewhere, or was sealed with another master key: which one cannot be told. */
export class SealError extends Error {
  constructor() {
    super('a sealed value does not open here with this master key');
    this.name = 'SealError';
  }
}

export interface Sealer {
  /** AES-256-GCM with a random 96-bit nonce; the text form is `s1.<base64url of nonce, tag, ciphertext>`. */
  seal(plain: string, binding: SealBinding): string;
  /** @throws SealError */
  open(sealed: string, binding: SealBinding): string;
  /**
   * HMAC-SHA256 of these texts in base64url, by a key that is derived for the purpose: what one purpose writes is nothing
   * at another.
   */
  mac(purpose: string, ...texts: string[]): string;
  /** Says which master key this is without revealing it; stored, so that a start with another key is refused. */
  readonly keyCheck: string;
}

const nonceBytes = 12;
const tagBytes = 16;
const prefix = 's1.';

/** @param masterKey at least 32 characters of a random secret; it is stretched by HKDF, not used as it is */
export function createSealer(masterKey: string, random: RandomSource = systemRandom): Sealer {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'relata sealing key 1', 32));
  const macKeys = new Map<string, Buffer>();
  const macKey = (purpose: string): Buffer => {
    const known = macKeys.get(purpose);
    if (known !== undefined) return known;
    const derived = Buffer.from(hkdfSync('sha256', masterKey, '', `relata ${purpose} mac key 1`, 32));
    macKeys.set(purpose, derived);
    return derived;
  };
  return {
    // JSON keeps the texts apart
    mac: (purpose, ...texts) => createHmac('sha256', macKey(purpose)).update(JSON.stringify(texts)).digest('base64url'),
    keyCheck: createHmac('sha256', key).update('relata key check').digest('base64url'),
    seal(plain, binding) {
      const nonce = random(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associatedData(binding));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return prefix + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(sealed, binding) {
      const bytes = Buffer.from(sealed.slice(prefix.length), 'base64url');
      if (!sealed.startsWith(prefix) || bytes.length < nonceBytes + tagBytes) throw new SealError();
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
      decipher.setAAD(associatedData(binding)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      try {
        return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        throw new SealError();
      }
    },
  };
}

/** JSON keeps the three parts apart whatever they contain: `["a","b:c"]` and `["a:b","c"]` stay different. */
function associatedData({ organization, record, field }: SealBinding): Buffer {
  return Buffer.from(JSON.stringify([organization, record, field]));
}

/**
 * A key of 32 bytes for one purpose. Keys of different purposes tell nothing about each other or the master key.
 * @param masterKey at least 32 characters of a random secret
 */
export function deriveKey(masterKey: string, purpose: 'audit chain'): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', masterKey, '', `relata ${purpose} key 1`, 32));
}
