import { hash, timingSafeEqual } from 'node:crypto';
import { type RandomSource, systemRandom } from '../ids.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 30 characters of 62 are 178 random bits, over the 160 that a key must have at least. */
const randomLength = 30;

const keyPattern = /^rlt_([a-z][a-z0-9]{1,15})_([0-9A-Za-z]{27,64})$/;

/** Text of `length` characters, each drawn evenly from 62: bytes past the last whole multiple are thrown away. */
export function randomText(length: number, random: RandomSource = systemRandom): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62];
    }
  }
  return text;
}

/** A new key `rlt_<kind>_<random>`. `kind` says what it opens (`admin`, `agent`, `platform`), so that a leak is recognised. */
export function createApiKey(kind: string, random: RandomSource = systemRandom): string {
  return `rlt_${kind}_${randomText(randomLength, random)}`;
}

/** The kind of a well-formed key; `undefined` for anything else, which then needs no look-up. */
export function apiKeyKind(key: string): string | undefined {
  return keyPattern.exec(key)?.[1];
}

/**
 * What is stored in place of a key: its SHA-256 in base64url. A plain digest is enough, because the key itself carries
 * more entropy than can be searched; a slow password hash would only slow down every request.
 */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Compares two digests, whose length is no secret, in a time that does not depend on where they differ. */
export function equalDigests(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}

/** Compares two secrets in a time that does not depend on where they differ. */
export function equalSecrets(left: string, right: string): boolean {
  // digests first: timingSafeEqual needs equal lengths, and a length must not be revealed either
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'));
}
