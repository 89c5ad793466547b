import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError } from '../../../errors.ts';
import { openTables } from '../../../store/environment.ts';
import { FORMAT_VERSION } from '../../../store/folder/format.ts';
import { type Ownership, readOwnership } from '../../../store/folder/log-identity.ts';
import { openBetweenWrites } from '../../../store/lock/opening-lock.ts';
import type { StreamEnds } from '../message-stream.ts';
import { replaceData, replacedName } from './replace-data.ts';
import type { Snapshot, SnapshotStore } from './snapshot.ts';
import { dataOf, readFacts } from './take-snapshot.ts';

export interface StartOptions {
  /** Folder of the data, which nobody has open. */
  readonly path: string;
  /** In hexadecimal: the log that this node is to follow, and the one that it replaced. */
  readonly log: string;
  readonly before?: string | undefined;
  /** Whether the log goes on from a snapshot, so that its messages alone are not the data. */
  readonly isFromSnapshot: boolean;
  readonly ends: () => Promise<StreamEnds>;
  readonly store: SnapshotStore;
  readonly onNotice?: (notice: StartNotice) => void;
  readonly now?: () => number;
}

export interface StartNotice {
  readonly level: 'info' | 'warn';
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

const TOLD_MS = 5000;
const SPARE_BYTES = 64 * 2 ** 20;
/** Meanwhile the log may be cut behind a newer one. */
const TRIES = 3;

/**
 * Gives a node the data of a snapshot where it must not, or need not, read the log from its beginning: it has no data; the
 * log begins after what it has; or its data are of the log that this one replaced. Older data are kept beside.
 * @throws EngineError `unavailable` where it needs one and there is none that can be used, or no space for it
 */
export async function startFromSnapshot(options: StartOptions): Promise<void> {
  for (let tries = 1; ; tries++) {
    const [own, ends] = [await ownershipOf(options.path), await options.ends()];
    const need = needOf(own, ends, options);
    if (need === 'none') return;
    const refused: string[] = [];
    const snapshot = await firstUsable(options, own, ends, refused);
    if (snapshot === undefined && need === 'wanted') return;
    if (snapshot === undefined || tries > TRIES) throw noSnapshot(own, ends, refused);
  }
}

type Need = 'none' | 'wanted' | 'needed';

export function needOf(
  own: Ownership,
  { first }: StreamEnds,
  { log, before, isFromSnapshot }: Pick<StartOptions, 'log' | 'before' | 'isFromSnapshot'>,
): Need {
  const id = own.id === undefined ? undefined : Buffer.from(own.id).toString('hex');
  if (id === log && own.isUsed) return first > own.sequence + 1 ? 'needed' : 'none';
  if (!own.isUsed) return isFromSnapshot || first > 1 ? 'needed' : 'wanted';
  // data of anything else are refused when they are opened
  return id !== undefined && id === before ? 'needed' : 'none';
}

async function ownershipOf(path: string): Promise<Ownership> {
  if (!existsSync(dataOf(path))) return { id: undefined, sequence: 0, isUsed: false };
  const tables = await openBetweenWrites(path, () => openTables({ path, readOnly: true }));
  try {
    const { id, ...more } = readOwnership(tables);
    return { id: id === undefined ? undefined : Buffer.from(id), ...more };
  } finally {
    await tables.root.close();
  }
}

/** Installs the newest one that can be. */
async function firstUsable(
  options: StartOptions,
  own: Ownership,
  ends: StreamEnds,
  refused: string[],
): Promise<Snapshot | undefined> {
  const { store, log, onNotice } = options;
  const tried = new Set<string>();
  const next = async (): Promise<Snapshot | undefined> =>
    (await store.list()).find(
      ({ name, ...each }) => each.log === log && each.sequence + 1 >= ends.first && !tried.has(name),
    );
  for (let snapshot = await next(); snapshot !== undefined; snapshot = await next()) {
    tried.add(snapshot.name);
    try {
      await install(snapshot, options, own);
      return snapshot;
    } catch (error) {
      if (!(error instanceof EngineError) || !(await mayTryNext(snapshot, store, error))) throw withAdvice(error);
      refused.push(`the one at message ${snapshot.sequence}: ${error.message}`);
      const facts = { sequence: snapshot.sequence, reason: error.message };
      onNotice?.({ level: 'warn', message: 'a snapshot cannot be used', facts });
    }
  }
  return undefined;
}

/** It is damaged; or it was removed while it was loaded, because there is a newer one. */
async function mayTryNext({ name }: Snapshot, store: SnapshotStore, error: EngineError): Promise<boolean> {
  if (error.code !== 'unavailable') return error.code === 'corrupt';
  return (await store.list()).every((each) => each.name !== name);
}

async function install(snapshot: Snapshot, options: StartOptions, own: Ownership): Promise<void> {
  const { path, onNotice, now = Date.now } = options;
  if (snapshot.format > FORMAT_VERSION) {
    throw new EngineError('corrupt', `it has format ${snapshot.format}, and this version reads ${FORMAT_VERSION}`);
  }
  requireSpace(path, snapshot.bytes);
  const draft = `${path}.snapshot`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  try {
    await load(snapshot, dataOf(draft), options);
    await requireFacts(snapshot, draft);
    const kept = own.isUsed ? replacedName(path, new Date(now())) : undefined;
    mkdirSync(path, { recursive: true, mode: 0o700 });
    replaceData(path, dataOf(draft), kept);
    const { sequence, bytes } = snapshot;
    onNotice?.({ level: 'info', message: 'this node starts from a snapshot', facts: { sequence, bytes } });
    if (kept !== undefined) onNotice?.({ level: 'warn', message: 'its older data are kept', facts: { kept } });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function load(snapshot: Snapshot, file: string, { store, onNotice }: StartOptions): Promise<void> {
  const hash = createHash('sha256');
  const { bytes: of, sequence, digest } = snapshot;
  const since = performance.now();
  let bytes = 0;
  let told = Number.NEGATIVE_INFINITY;
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const piece of store.read(snapshot)) {
      if (performance.now() - told >= TOLD_MS) {
        told = performance.now();
        onNotice?.({ level: 'info', message: 'loading a snapshot', facts: { sequence, bytes, of } });
      }
      hash.update(piece);
      bytes += piece.length;
      if (bytes > of) break;
      await handle.writeFile(piece);
    }
  } finally {
    await handle.close();
  }
  if (bytes !== of || hash.digest('base64url') !== digest) {
    throw new EngineError('corrupt', 'its bytes are not those that were put there');
  }
  const facts = { sequence, bytes, ms: Math.round(performance.now() - since) };
  onNotice?.({ level: 'info', message: 'a snapshot has arrived', facts });
}

/** What is in it must be what it is said to be. */
async function requireFacts(snapshot: Snapshot, folder: string): Promise<void> {
  const { log, sequence, state } = await readFacts(folder, snapshot.time);
  if (log === snapshot.log && sequence === snapshot.sequence && state === snapshot.state) return;
  throw new EngineError('corrupt', 'it is not of the message that it names');
}

function requireSpace(path: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(existsSync(path) ? path : dirname(path));
  const [free, needed] = [bavail * bsize, bytes + SPARE_BYTES];
  if (free >= needed) return;
  const message = `a snapshot of the log needs ${needed} bytes in ${join(path, '..')}, and ${free} are free: make space`;
  throw new EngineError('unavailable', message, { needed, free });
}

function withAdvice(error: unknown): unknown {
  if ((error as NodeJS.ErrnoException)?.code !== 'ENOSPC') return error;
  return new EngineError('unavailable', 'the disk is too full for a snapshot of the log: make space', {}, error);
}

function noSnapshot(own: Ownership, { first }: StreamEnds, refused: readonly string[]): EngineError {
  const why = refused.length === 0 ? 'there is none that fits' : refused.join('; ');
  const message =
    `this node needs a snapshot of the log, which begins at message ${first}, because it has applied ${own.sequence}, ` +
    `and ${why}. Start it again when another node has made one`;
  return new EngineError('unavailable', message, { first, sequence: own.sequence });
}
