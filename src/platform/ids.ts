import { randomBytes, randomFillSync } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Fills `size` bytes; the production source is `crypto.randomBytes`. */
export type RandomSource = (size: number) => Uint8Array;

export const systemRandom: RandomSource = (size) => randomBytes(size);

const POOL_BYTES = 8192;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/** Where bytes begin that nobody was given before; fetched for many at a time, as a few cost as much as thousands. */
function drawn(size: number): number {
  if (used + size > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  used += size;
  return used - size;
}

/**
 * As random, and each byte is given out once. They are in memory of this thread that is shared, to be read before the
 * next call: for ids, not for secrets.
 */
const pooledRandom: RandomSource = (size) => {
  const from = drawn(size);
  return pool.subarray(from, from + size);
};

const SALT_BYTES = 16;

/** 128 bits in base64url, for a hash that nobody shall find by trying. */
export function randomSalt(): string {
  const from = drawn(SALT_BYTES);
  return pool.toString('base64url', from, from + SALT_BYTES);
}

/**
 * Makes UUIDs of version 7 (RFC 9562, 5.7). Ids of one generator grow strictly: within a millisecond, and when the
 * clock steps back, a 12-bit counter goes on from a random start (method 1 of section 6.2), so that an index over them
 * is appended to.
 */
export function uuidGenerator(clock: Clock, random: RandomSource = pooledRandom): () => string {
  let lastTime = 0;
  let counter = 0;
  return () => {
    const bytes = random(10);
    const now = clock.now();
    if (now > lastTime) {
      lastTime = now;
      // the top bit stays free, so that a millisecond has room for at least 2,048 ids
      counter = (((bytes[8] ?? 0) << 8) | (bytes[9] ?? 0)) & 0x7ff;
    } else if (++counter > 0xfff) {
      lastTime += 1;
      counter = 0;
    }
    return format(lastTime, counter, bytes);
  };
}

const UUID_LENGTH = 36;
/** Where an id is written down before it is a text: in one piece, as a text of many pieces is put together later. */
const written = Buffer.alloc(UUID_LENGTH, '-');
/** The two hexadecimal digits of a byte, as codes: the first one in the lower half. */
const hexCodes = Uint16Array.from({ length: 256 }, (_, byte) => {
  const digits = byte.toString(16).padStart(2, '0');
  return digits.charCodeAt(0) | (digits.charCodeAt(1) << 8);
});

function format(time: number, counter: number, bytes: Uint8Array): string {
  const high = Math.floor(time / 0x1_0000_0000);
  const low = time >>> 0;
  put(0, high >>> 8);
  put(2, high);
  put(4, low >>> 24);
  put(6, low >>> 16);
  put(9, low >>> 8);
  put(11, low);
  put(14, 0x70 | (counter >>> 8));
  put(16, counter);
  put(19, 0x80 | ((bytes[0] ?? 0) & 0x3f));
  put(21, bytes[1] ?? 0);
  for (let index = 2; index < 8; index++) put(20 + 2 * index, bytes[index] ?? 0);
  return written.toString('latin1');
}

function put(at: number, byte: number): void {
  const codes = hexCodes[byte & 0xff] ?? 0;
  written[at] = codes & 0xff;
  written[at + 1] = codes >>> 8;
}

/** All of two digits: to write a number in base 36 takes longer than to look at a clock. */
const ENDINGS = Array.from({ length: 36 ** 2 }, (_, number) => number.toString(36).padStart(2, '0'));

/**
 * Makes request ids: 48 random bits of this thread, then a count. They are unique and cheap, not secret: one is made for
 * every request, and a UUID would cost more than routing it does.
 */
export function requestIdGenerator(random: RandomSource = systemRandom): () => string {
  const prefix = `${Buffer.from(random(6)).toString('hex')}-`;
  let block = 0;
  let before = prefix;
  let ending = ENDINGS.length;
  return () => {
    if (ending === ENDINGS.length) {
      before = prefix + (block++).toString(36);
      ending = 0;
    }
    return before + ENDINGS[ending++];
  };
}
