import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { z } from 'zod';

/** A passphrase that does not open a text, or a text that is none of these: the message says which. */
export class PassphraseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PassphraseError';
  }
}

const VERSION = 1;
/** Takes 128 MiB and some 0.5 s (RFC 7914; at least what OWASP asks for). */
const COST = { N: 2 ** 17, r: 8, p: 1 };
const MEMORY_BYTES_MAX = 256 * 2 ** 20;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const TEXT_MAX = 16_384;

const base64 = z
  .string()
  .max(4096)
  .regex(/^[\w-]*$/);

/** The header names all that opening needs but the passphrase, so that a later version can choose otherwise. */
const sealedSchema = z.strictObject({
  format: z.literal('relata sealed secret'),
  version: z.literal(VERSION),
  kdf: z.strictObject({
    name: z.literal('scrypt'),
    // bounded: whoever changes the file must not choose how long this takes
    N: z
      .int()
      .min(2 ** 14)
      .max(COST.N),
    r: z.literal(COST.r),
    p: z.literal(COST.p),
    salt: base64,
  }),
  cipher: z.strictObject({ name: z.literal('aes-256-gcm'), nonce: base64 }),
  sealed: base64,
});

type Sealed = z.output<typeof sealedSchema>;

/** A text that only the passphrase opens: JSON with a header, sealed by AES-256-GCM under a key from scrypt. */
export function sealWithPassphrase(secret: string, passphrase: string): string {
  const header = {
    format: 'relata sealed secret',
    version: VERSION,
    kdf: { name: 'scrypt', ...COST, salt: randomBytes(SALT_BYTES).toString('base64url') },
    cipher: { name: 'aes-256-gcm', nonce: randomBytes(NONCE_BYTES).toString('base64url') },
  } as const;
  const cipher = createCipheriv('aes-256-gcm', keyOf(header, passphrase), bytesOf(header.cipher.nonce));
  cipher.setAAD(Buffer.from(JSON.stringify(header)));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${JSON.stringify({ ...header, sealed: sealed.toString('base64url') }, null, 2)}\n`;
}

/** @throws PassphraseError */
export function openWithPassphrase(text: string, passphrase: string): string {
  const { sealed, ...header } = parsed(text);
  const bytes = bytesOf(sealed);
  const [nonce, end] = [bytesOf(header.cipher.nonce), bytes.length - TAG_BYTES];
  if (end < 0 || nonce.length !== NONCE_BYTES) throw new PassphraseError('it is damaged');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(header, passphrase), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(JSON.stringify(header))).setAuthTag(bytes.subarray(end));
  try {
    return decipher.update(bytes.subarray(0, end), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw new PassphraseError('the passphrase is wrong, or the file was changed');
  }
}

function parsed(text: string): Sealed {
  try {
    if (text.length > TEXT_MAX) throw new Error('too long');
    return sealedSchema.parse(JSON.parse(text));
  } catch {
    throw new PassphraseError('it is damaged, or a later version has written it');
  }
}

function keyOf({ kdf: { N, r, p, salt } }: Omit<Sealed, 'sealed'>, passphrase: string): Buffer {
  return scryptSync(passphrase.normalize('NFC'), bytesOf(salt), KEY_BYTES, { N, r, p, maxmem: MEMORY_BYTES_MAX });
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}
