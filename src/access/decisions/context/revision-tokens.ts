import { hash } from 'node:crypto';
import { EngineError, type LogIdentity } from '#engine';

const VERSION = 2;
const REVISION_BYTES = 6;
const CHECK_BYTES = 5;
/** Of version 1, which names no log: `[version][revision][check]`. */
const OLD = { version: 1, length: 1 + REVISION_BYTES + CHECK_BYTES };

/**
 * Consistency tokens: opaque to callers, and recognised when they come back. One is
 * `[version][id of the log][revision u48][check]` as base64url. The revisions of another log, as after a restore, stand
 * for other commits, and are never compared with this one's. The check bytes find tokens that were mistyped or made up;
 * they are no secret, because a revision opens nothing.
 */
export class RevisionTokens {
  /** What every token begins with. */
  readonly #head: Buffer;
  readonly #since: number;
  readonly #length: number;
  /** What the check of the next token is made over, its start and its head already there, and room for the check. */
  readonly #draft: Buffer;
  readonly #checked: Buffer;
  /** Most answers in a row are of one revision. */
  #last = -1;
  #token = '';

  constructor({ id, since }: LogIdentity) {
    this.#head = Buffer.concat([Buffer.of(VERSION), id]);
    this.#since = since;
    this.#length = this.#head.length + REVISION_BYTES + CHECK_BYTES;
    this.#draft = Buffer.concat([CHECKED, this.#head, Buffer.alloc(REVISION_BYTES + CHECK_BYTES)]);
    this.#checked = this.#draft.subarray(0, -CHECK_BYTES);
  }

  of(revision: number): string {
    if (revision === this.#last) return this.#token;
    const draft = this.#draft;
    draft.writeUIntBE(revision, this.#checked.length - REVISION_BYTES, REVISION_BYTES);
    draft.write(checkOf(this.#checked), this.#checked.length, 'latin1');
    this.#last = revision;
    this.#token = draft.toString('base64url', CHECKED.length);
    return this.#token;
  }

  /**
   * The revision of a token that came back as `path`. A token of version 1 is valid up to the revision at which this
   * log got its identity: a later one can only be of another log.
   * @throws EngineError `invalid_token` where it was not made by `of`, `log_replaced` where it is of another log
   */
  revisionOf(token: string, path: string): number {
    const bytes = Buffer.from(token, 'base64url');
    const length = bytes[0] === OLD.version ? OLD.length : this.#length;
    const isOurs =
      (bytes[0] === OLD.version || bytes[0] === VERSION) &&
      bytes.length === length &&
      bytes.toString('base64url') === token &&
      checkBytes(bytes).equals(bytes.subarray(length - CHECK_BYTES));
    if (!isOurs) {
      throw new EngineError('invalid_token', 'the consistency token was not issued by this service', { path });
    }
    const revision = bytes.readUIntBE(length - CHECK_BYTES - REVISION_BYTES, REVISION_BYTES);
    const isOfThisLog =
      bytes[0] === OLD.version ? revision <= this.#since : bytes.subarray(0, this.#head.length).equals(this.#head);
    if (!isOfThisLog) throw replaced(path);
    return revision;
  }
}

function replaced(path: string): EngineError {
  return new EngineError(
    'log_replaced',
    'the consistency token is from before a backup was restored, or from another service. Writes that it stands for may ' +
      'be lost. Read the data again, and continue with the token of that answer',
    { path },
  );
}

const CHECKED = Buffer.from('relata consistency token');

function checkBytes(bytes: Buffer): Buffer {
  const checked = Buffer.concat([CHECKED, bytes.subarray(0, bytes.length - CHECK_BYTES)]);
  return Buffer.from(checkOf(checked), 'latin1');
}

/** A character for each byte: as text a digest comes out of the runtime in less time than as bytes. */
function checkOf(checked: Buffer): string {
  return hash('sha256', checked, 'binary').slice(0, CHECK_BYTES);
}
