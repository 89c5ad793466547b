import { randomFillSync } from 'node:crypto';

const CHANCE_BYTES = 16;
/** Random bytes for many ids, fetched at once: each is used once. */
const pool = Buffer.alloc(512 * CHANCE_BYTES);
let used = pool.length;

/** A UUIDv7 (RFC 9562 §5.7): 48 bits of time, 74 of chance. */
export function timeOrderedId(time: number): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  pool.writeUIntBE(time, used, 6);
  pool[used + 6] = 0x70 | ((pool[used + 6] as number) & 0x0f);
  pool[used + 8] = 0x80 | ((pool[used + 8] as number) & 0x3f);
  const hex = pool.toString('hex', used, used + CHANCE_BYTES);
  used += CHANCE_BYTES;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
