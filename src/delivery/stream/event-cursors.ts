import { createHash } from 'node:crypto';
import type { LogIdentity } from '#engine';
import { ProblemError, problem } from '../../http/index.ts';
import type { Organization } from '../../kernel/organizations/index.ts';

const VERSION = 1;
const ORGANIZATION_BYTES = 6;
const POSITION_BYTES = 6;
const CHECK_BYTES = 5;

/**
 * Positions in an organization's events, as callers have them:
 * `[version][id of the log][hash of the organization][position u48][check]` as base64url. After a restore the same
 * number stands for another event, so that a cursor of another log is refused. The check bytes find what was mistyped;
 * they are no secret, because a cursor opens nothing.
 */
export class EventCursors {
  readonly #head: Buffer;

  constructor({ id }: Pick<LogIdentity, 'id'>) {
    this.#head = Buffer.concat([Buffer.of(VERSION), id]);
  }

  of(organization: Organization, position: number): string {
    const number = Buffer.alloc(POSITION_BYTES);
    number.writeUIntBE(position, 0, POSITION_BYTES);
    const bytes = Buffer.concat([this.#head, organizationBytes(organization), number]);
    return Buffer.concat([bytes, checkBytes(bytes)]).toString('base64url');
  }

  /** @throws ProblemError `invalid_cursor` where it is none of the organization's, `log_replaced` where of another log */
  positionOf(organization: Organization, cursor: string): number {
    const bytes = Buffer.from(cursor, 'base64url');
    const checked = bytes.subarray(0, -CHECK_BYTES);
    const head = this.#head.length;
    const isOurs =
      bytes.length === head + ORGANIZATION_BYTES + POSITION_BYTES + CHECK_BYTES &&
      bytes[0] === VERSION &&
      bytes.toString('base64url') === cursor &&
      checkBytes(checked).equals(bytes.subarray(-CHECK_BYTES)) &&
      organizationBytes(organization).equals(bytes.subarray(head, head + ORGANIZATION_BYTES));
    if (!isOurs) {
      throw new ProblemError(
        problem('invalid_cursor', 'The cursor does not belong to the events of this organization.'),
      );
    }
    if (!bytes.subarray(0, head).equals(this.#head)) {
      const detail = 'The cursor is from before a backup was restored, or from another service. Begin without one.';
      throw new ProblemError(problem('log_replaced', detail));
    }
    return bytes.readUIntBE(head + ORGANIZATION_BYTES, POSITION_BYTES);
  }
}

function organizationBytes({ id }: Organization): Buffer {
  return createHash('sha256').update(`relata events of ${id}`).digest().subarray(0, ORGANIZATION_BYTES);
}

function checkBytes(bytes: Buffer): Buffer {
  return createHash('sha256').update('relata event cursor').update(bytes).digest().subarray(0, CHECK_BYTES);
}
