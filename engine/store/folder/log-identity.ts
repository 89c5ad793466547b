import { randomBytes } from 'node:crypto';
import { EngineError } from '../../errors.ts';
import type { Tables } from '../environment.ts';
import { readRevision, revisionKey } from '../layout.ts';
import { forgetPosition } from '../log/log-position.ts';
import { forgetProgress, readProgress } from '../log/stream-progress.ts';

const IDENTITY = Buffer.from('log-identity');
const REVISION = Buffer.from('revision');
export const LOG_ID_BYTES = 8;

/**
 * Which log a revision belongs to. A copy continues as a log of its own, in which the same revisions stand for other
 * commits. It has no identity until its first writer gives it one.
 */
export interface LogIdentity {
  /** Random. */
  readonly id: Uint8Array;
  /** The last revision before the log got this identity: up to there it may share commits with another log. */
  readonly since: number;
}

/** Where the log has no identity, gives it one, in a commit of its own. Belongs to the start of a writer. */
export function ensureLogIdentity({ meta }: Tables): void {
  if (meta.doesExist(IDENTITY)) return;
  const since = meta.getBinary(REVISION) ?? revisionKey(0);
  meta.putSync(IDENTITY, Buffer.concat([randomBytes(LOG_ID_BYTES), since]));
}

/**
 * Takes the identity of a log that several nodes share. Belongs to the writer's transaction.
 * @throws EngineError `log_replaced` where the data is of another log already
 */
export function adoptLogIdentity(tables: Tables, id: Uint8Array): void {
  const own = readLogIdentity(tables);
  if (Buffer.from(id).equals(own.id)) return;
  const revision = tables.meta.getBinary(REVISION);
  if (readProgress(tables).sequence > 0 || (revision !== undefined && readRevision(revision) > 0)) {
    throw new EngineError(
      'log_replaced',
      'the data folder holds data of a single node, or of another cluster: start with an empty folder, which gets all data ' +
        'from the log of the cluster',
    );
  }
  tables.meta.putSync(IDENTITY, Buffer.concat([id, revisionKey(0)]));
}

/** @throws EngineError `locked` where the data belongs to a log that several nodes share */
export function requireOwnLog(tables: Tables): void {
  if (readProgress(tables).sequence === 0) return;
  throw new EngineError(
    'locked',
    'the data belongs to a node of a cluster, and nobody else writes it: set RELATA_CLUSTER_URL. To go on without the ' +
      'cluster, restore a backup of it into another folder',
  );
}

/** Removes the identity from a copy, and how far it came in that log, so that each use of the copy becomes another log. */
export function forgetLogIdentity(tables: Tables): void {
  tables.meta.removeSync(IDENTITY);
  forgetPosition(tables);
  forgetProgress(tables);
}

/** It does not change while the data is open. */
export function readLogIdentity({ meta }: Tables): LogIdentity {
  const bytes = meta.getBinary(IDENTITY);
  if (bytes === undefined)
    throw new EngineError('corrupt', 'the log has no identity because no writer has opened it yet');
  return { id: bytes.subarray(0, LOG_ID_BYTES), since: readRevision(bytes.subarray(LOG_ID_BYTES)) };
}
