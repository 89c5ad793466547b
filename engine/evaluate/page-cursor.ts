import { createHash } from 'node:crypto';
import { EngineError } from '../errors.ts';

const SEAL_BYTES = 8;

/**
 * Where the next page begins, as whole numbers of 32 bits: `[seal 8][u32]…` in base64url. The seal is a hash of what is
 * being read: a cursor belongs to one store and one question. It keeps mistakes out, not forgers, who could only skip
 * what they may read anyway.
 */
export function writeCursor(purpose: readonly unknown[], position: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(SEAL_BYTES + 4 * position.length);
  seal(purpose).copy(bytes);
  for (const [at, part] of position.entries()) bytes.writeUInt32BE(part >>> 0, SEAL_BYTES + 4 * at);
  return bytes.toString('base64url');
}

/** @param parts how many numbers it has. Throws `invalid_cursor` for one that was made for something else or not here. */
export function readCursor(purpose: readonly unknown[], cursor: string, parts: number): number[] {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== SEAL_BYTES + 4 * parts || bytes.toString('base64url') !== cursor) throw invalidCursor();
  if (bytes.compare(seal(purpose), 0, SEAL_BYTES, 0, SEAL_BYTES) !== 0) throw invalidCursor();
  return Array.from({ length: parts }, (_, at) => bytes.readUInt32BE(SEAL_BYTES + 4 * at));
}

export function invalidCursor(): EngineError {
  return new EngineError('invalid_cursor', 'the cursor does not belong to this request', { path: 'cursor' });
}

function seal(purpose: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(purpose)).digest().subarray(0, SEAL_BYTES);
}
