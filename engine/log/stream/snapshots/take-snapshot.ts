import { randomUUID } from 'node:crypto';
import { createReadStream, mkdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../../errors.ts';
import { openTables } from '../../../store/environment.ts';
import { readFormat } from '../../../store/folder/format.ts';
import { readLogIdentity } from '../../../store/folder/log-identity.ts';
import { readCarried } from '../../../store/log/stream-carried.ts';
import { readProgress } from '../../../store/log/stream-progress.ts';
import { carriedFrom } from '../carried/stream-uses.ts';
import type { Snapshot, SnapshotFacts, SnapshotStore } from './snapshot.ts';

export interface TakeOptions {
  /** Folder of the data that is copied. */
  readonly path: string;
  /** A folder on the same disk in which nobody else works. What an interrupted one left there is removed. */
  readonly drafts: string;
  /** Writes a copy of the data, at one revision and of the same log, into a new folder. */
  readonly copy: (folder: string) => Promise<void>;
  readonly store: SnapshotStore;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Of the disk, which commits need meanwhile. */
const SPARE_BYTES = 64 * 2 ** 20;
const READ_BYTES = 2 ** 20;

/**
 * Copies the data of a node, and puts the copy among the snapshots.
 * @throws EngineError `unavailable` where there is no space for the copy, or the snapshots cannot be reached; the reason of
 *   `signal`
 */
export async function takeSnapshot({ path, drafts, copy, store, now, signal }: TakeOptions): Promise<Snapshot> {
  requireSpace(path);
  rmSync(drafts, { recursive: true, force: true });
  mkdirSync(drafts, { mode: 0o700 });
  const folder = join(drafts, randomUUID());
  try {
    await copy(folder);
    signal.throwIfAborted();
    const facts = await readFacts(folder, now());
    return await store.put(facts, createReadStream(dataOf(folder), { highWaterMark: READ_BYTES }), signal);
  } finally {
    rmSync(drafts, { recursive: true, force: true });
  }
}

/** What a copy of a store says of itself. It is opened, so that nothing is sent that cannot be. */
export async function readFacts(folder: string, time: number): Promise<SnapshotFacts> {
  const tables = openTables({ path: folder, readOnly: true });
  try {
    const { sequence, state } = readProgress(tables);
    const log = Buffer.from(readLogIdentity(tables).id).toString('hex');
    const beside = [...readCarried(tables)].map(([stream, highest]) => ({ stream, from: carriedFrom(highest) }));
    const facts = { log, sequence, state: state.toString('hex'), format: readFormat(tables) ?? 0, time };
    return beside.length === 0 ? facts : { ...facts, beside };
  } finally {
    await tables.root.close();
  }
}

export function dataOf(folder: string): string {
  return join(folder, 'data.mdb');
}

function requireSpace(path: string): void {
  const { size } = statSync(dataOf(path));
  const { bavail, bsize } = statfsSync(path);
  const needed = size + SPARE_BYTES;
  if (bavail * bsize >= needed) return;
  const message = `a snapshot needs up to ${needed} bytes beside the data, and ${bavail * bsize} are free`;
  throw new EngineError('unavailable', message, { needed, free: bavail * bsize });
}
