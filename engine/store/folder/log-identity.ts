import { createHash, randomBytes } from 'node:crypto';
import { EngineError } from '../../errors.ts';
import type { Tables } from '../environment.ts';
import { readRevision, revisionKey } from '../layout.ts';
import { forgetPosition } from '../log/log-position.ts';
import { forgetProgress, readProgress, writeProgress } from '../log/stream-progress.ts';

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

const OF_ANOTHER_CLUSTER =
  'the data folder holds data of another log than the one that the cluster has: start with an empty folder, which gets all ' +
  'data of the cluster. If the NATS servers have lost the log, run "relata cluster repair" at the node that has the highest message';
const OF_A_SINGLE_NODE =
  'the data folder holds data of a single node, and the cluster has a log of its own: start with an empty folder, which ' +
  'gets all data of the cluster. To begin a cluster with these data, run "relata cluster init" before the first node starts';

/**
 * Takes the identity of a log that several nodes share. Belongs to the writer's transaction.
 * @throws EngineError `log_replaced` where the data is of another log already
 */
export function adoptLogIdentity(tables: Tables, id: Uint8Array): void {
  const own = readLogIdentity(tables);
  if (Buffer.from(id).equals(own.id)) return;
  const revision = tables.meta.getBinary(REVISION);
  if (readProgress(tables).sequence > 0 || (revision !== undefined && readRevision(revision) > 0)) {
    throw new EngineError('log_replaced', isOfSharedLog(tables) ? OF_ANOTHER_CLUSTER : OF_A_SINGLE_NODE);
  }
  tables.meta.putSync(IDENTITY, Buffer.concat([id, revisionKey(0)]));
}

/** Which log the data of a folder belongs to. */
export interface Ownership {
  /** None where no writer has opened it. */
  readonly id: Uint8Array | undefined;
  /** The last message of a shared log that was applied. */
  readonly sequence: number;
  /** Whether anything was ever written. */
  readonly isUsed: boolean;
}

export function readOwnership(tables: Tables): Ownership {
  // where no writer has opened the data, there are no tables, and who opens them to read makes none
  if ((tables.meta as Tables['meta'] | undefined) === undefined) return { id: undefined, sequence: 0, isUsed: false };
  const revision = tables.meta.getBinary(REVISION);
  const { sequence } = readProgress(tables);
  const isUsed = sequence > 0 || (revision !== undefined && readRevision(revision) > 0);
  return { id: tables.meta.getBinary(IDENTITY)?.subarray(0, LOG_ID_BYTES), sequence, isUsed };
}

/** @throws EngineError `locked` where the data belongs to a log that several nodes share */
export function requireOwnLog(tables: Tables): void {
  if (!isOfSharedLog(tables)) return;
  throw new EngineError(
    'locked',
    'the data belongs to a node of a cluster, and nobody else writes it: set RELATA_CLUSTER_URL. To go on without the ' +
      'cluster, restore a backup of it into another folder',
  );
}

/** Whether the data are those of a node. A log that began with data has a state before its first message. */
export function isOfSharedLog(tables: Tables): boolean {
  const { sequence, state } = readProgress(tables);
  return sequence > 0 || state.some((byte) => byte !== 0);
}

/** Makes the data the beginning of a log that several nodes share. Belongs to a transaction. */
export function beginSharedLog(tables: Tables, id: Uint8Array): void {
  forgetLogIdentity(tables);
  const since = tables.meta.getBinary(REVISION) ?? revisionKey(0);
  tables.meta.putSync(IDENTITY, Buffer.concat([id, since]));
  const state = createHash('sha256').update('relata log').update(id).digest();
  writeProgress(tables, { sequence: 0, digest: Buffer.alloc(state.length), state });
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
