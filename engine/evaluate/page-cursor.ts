import { createHash } from 'node:crypto';
import { EngineError } from '../errors.ts';
import { LOG_ID_BYTES } from '../store/folder/log-identity.ts';

const SEAL_BYTES = 8;
const HEAD_BYTES = LOG_ID_BYTES + SEAL_BYTES;

/** What is read page by page. */
export interface Paged {
  /** Id of the log: positions are made of ids that stand for something else in another log. */
  readonly log: Uint8Array;
  /** The store and the question. */
  readonly purpose: readonly unknown[];
}

/**
 * Where the next page begins, as whole numbers of 32 bits: `[id of the log 8][seal 8][u32]…` in base64url. The seal is a
 * hash of what is being read: a cursor belongs to one log, one store and one question. It keeps mistakes out, not
 * forgers, who could only skip what they may read anyway.
 */
export function writeCursor({ log, purpose }: Paged, position: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + 4 * position.length);
  bytes.set(log, 0);
  bytes.set(seal(log, purpose), LOG_ID_BYTES);
  for (const [at, part] of position.entries()) bytes.writeUInt32BE(part >>> 0, HEAD_BYTES + 4 * at);
  return bytes.toString('base64url');
}

/**
 * @param parts how many numbers it has
 * @throws EngineError `invalid_cursor` for one that was made for something else or not here, `log_replaced` for one that
 *   was made for the same question in another log
 */
export function readCursor({ log, purpose }: Paged, cursor: string, parts: number): number[] {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== HEAD_BYTES + 4 * parts || bytes.toString('base64url') !== cursor) throw invalidCursor();
  const own = bytes.subarray(0, LOG_ID_BYTES);
  if (!seal(own, purpose).equals(bytes.subarray(LOG_ID_BYTES, HEAD_BYTES))) throw invalidCursor();
  if (!own.equals(log)) throw replaced();
  return Array.from({ length: parts }, (_, at) => bytes.readUInt32BE(HEAD_BYTES + 4 * at));
}

export function invalidCursor(): EngineError {
  return new EngineError('invalid_cursor', 'the cursor does not belong to this request', { path: 'cursor' });
}

function replaced(): EngineError {
  return new EngineError(
    'log_replaced',
    'the cursor is from before a backup was restored, or from another service. Begin again without a cursor',
    { path: 'cursor' },
  );
}

function seal(log: Uint8Array, purpose: readonly unknown[]): Buffer {
  return createHash('sha256').update(log).update(JSON.stringify(purpose)).digest().subarray(0, SEAL_BYTES);
}
