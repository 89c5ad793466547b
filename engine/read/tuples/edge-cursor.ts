import { createHash } from 'node:crypto';
import { EngineError } from '../../errors.ts';

/** A position in one of the two indexes: the key to start at. */
export interface EdgePosition {
  readonly node: number;
  readonly kinds: number;
  readonly other: number;
}

const SEAL_BYTES = 8;
const CURSOR_BYTES = SEAL_BYTES + 12;

/**
 * `[seal 8][node u32][kinds u32][other u32]` in base64url. The seal is a hash of what is being read: a cursor belongs
 * to one store and one filter. It keeps mistakes out, not forgers, who could only skip what they may read anyway.
 */
export function writeCursor(purpose: readonly unknown[], position: EdgePosition): string {
  const bytes = Buffer.allocUnsafe(CURSOR_BYTES);
  seal(purpose).copy(bytes);
  bytes.writeUInt32BE(position.node, SEAL_BYTES);
  bytes.writeUInt32BE(position.kinds >>> 0, SEAL_BYTES + 4);
  bytes.writeUInt32BE(position.other, SEAL_BYTES + 8);
  return bytes.toString('base64url');
}

/** Throws `invalid_cursor` for one that was made for something else or not here. */
export function readCursor(purpose: readonly unknown[], cursor: string): EdgePosition {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== CURSOR_BYTES || bytes.toString('base64url') !== cursor) throw invalidCursor();
  if (bytes.compare(seal(purpose), 0, SEAL_BYTES, 0, SEAL_BYTES) !== 0) throw invalidCursor();
  return {
    node: bytes.readUInt32BE(SEAL_BYTES),
    kinds: bytes.readUInt32BE(SEAL_BYTES + 4),
    other: bytes.readUInt32BE(SEAL_BYTES + 8),
  };
}

export function invalidCursor(): EngineError {
  return new EngineError('invalid_cursor', 'the cursor does not belong to this request', { path: 'cursor' });
}

function seal(purpose: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(purpose)).digest().subarray(0, SEAL_BYTES);
}
