import type { SealedParts } from '../records/sealed-parts.ts';
import type { WebhookSecret } from '../records/webhook-record.ts';
import { mintPair, mintSecret } from '../signing/mint-secret.ts';
import { validSecrets } from '../signing/open-secrets.ts';

/** Each signs every delivery while it is valid. */
const VALID_MAX = 3;

export interface MadeSecret {
  /** For the one answer that shows it. */
  readonly text: string;
  readonly secret: WebhookSecret;
}

/** @param given the caller's own */
export function makeSecret(parts: SealedParts, now: number, isAsymmetric: boolean, given?: string): MadeSecret {
  const text = given ?? mintSecret();
  const secret = { sealed: parts.seal('secret', text), createdAt: now };
  return { text, secret: isAsymmetric ? { ...secret, pair: sealedPair(parts) } : secret };
}

export function sealedPair(parts: SealedParts): NonNullable<WebhookSecret['pair']> {
  const { publicKey, privateKey } = mintPair();
  return { publicKey, sealedPrivateKey: parts.seal('private_key', privateKey) };
}

/** A new one before those that there are, which end some time later, or at once. */
export function rotated(
  secrets: readonly WebhookSecret[],
  fresh: WebhookSecret,
  now: number,
  keptMs: number,
): WebhookSecret[] {
  const ending = validSecrets(secrets, now).map((each) => ({
    ...each,
    endsAt: Math.min(each.endsAt ?? Number.POSITIVE_INFINITY, now + keptMs),
  }));
  return [fresh, ...validSecrets(ending, now).slice(0, VALID_MAX - 1)];
}
