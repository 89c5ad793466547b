import { createHash } from 'node:crypto';
import { EngineError } from '#engine';

const VERSION = 1;
const REVISION_BYTES = 6;
const CHECK_BYTES = 5;
const LENGTH = 1 + REVISION_BYTES + CHECK_BYTES;

/**
 * The consistency token of a revision: opaque to callers, and recognised when it comes back. The check bytes find
 * tokens that were mistyped or made up; they are no secret, because a revision opens nothing.
 */
export function tokenOf(revision: number): string {
  if (revision === last.revision) return last.token;
  const bytes = Buffer.alloc(LENGTH);
  bytes[0] = VERSION;
  bytes.writeUIntBE(revision, 1, REVISION_BYTES);
  checkBytes(bytes).copy(bytes, 1 + REVISION_BYTES);
  last.revision = revision;
  last.token = bytes.toString('base64url');
  return last.token;
}

/** Most answers in a row are of one revision. */
const last = { revision: -1, token: '' };

/** @throws EngineError `invalid_token` where it was not made by `tokenOf` */
export function revisionOf(token: string, path: string): number {
  const bytes = Buffer.from(token, 'base64url');
  const isOurs =
    bytes.length === LENGTH &&
    bytes[0] === VERSION &&
    bytes.toString('base64url') === token &&
    checkBytes(bytes).equals(bytes.subarray(1 + REVISION_BYTES));
  if (!isOurs)
    throw new EngineError('invalid_token', 'the consistency token was not given out by this service', { path });
  return bytes.readUIntBE(1, REVISION_BYTES);
}

function checkBytes(bytes: Buffer): Buffer {
  return createHash('sha256')
    .update('relata consistency token')
    .update(bytes.subarray(0, 1 + REVISION_BYTES))
    .digest()
    .subarray(0, CHECK_BYTES);
}
