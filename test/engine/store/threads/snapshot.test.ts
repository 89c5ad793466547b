import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Engine } from '../../../../engine/engine.ts';
import { PortLog } from '../../../../engine/log/port-log.ts';
import { startWriter, type WriterThread } from '../../../../engine/log/start-writer.ts';
import type { Store } from '../../../../engine/open-store.ts';
import { allocateShared, type SharedMemory } from '../../../../engine/store/open-writer.ts';
import { verifyStore } from '../../../../engine/store/verify/verify.ts';
import { CELLS, MODEL, type ReaderReport, type ReaderSettings, USERS } from './protocol.ts';

const WRITER_THREAD = new URL('../../../../dist/engine/log/writer-thread.js', import.meta.url);
const READER_THREAD = new URL('./reader.mjs', import.meta.url);
const READERS = 2;
const SECONDS = 8;
/** Small, so that the log is trimmed and readers that fall behind must start over. */
const RETENTION = { commitsMax: 200, bytesMax: 1e9, storeBytesMax: 1e9 };

let path: string;
let shared: SharedMemory;
let writer: WriterThread;
let engine: Engine;
let store: Store;
const cells = new Int32Array(new SharedArrayBuffer(4 * (CELLS.moves + USERS)));

beforeAll(async () => {
  path = mkdtempSync(join(tmpdir(), 'relata-threads-'));
  shared = allocateShared(2 ** 16);
  writer = await startWriter({ path, shared, retention: RETENTION }, { entry: WRITER_THREAD });
  engine = await Engine.open({ path, joined: { shared, log: new PortLog(writer.connect()) } });
  store = await engine.createStore('s');
  await store.writeModel(MODEL);
  await store.write({
    writes: Array.from({ length: USERS }, (_, user) => `doc:${user}`).flatMap((object, user) => [
      { object, relation: 'one', subject: `group:${user}.1#member` },
      { object, relation: 'two', subject: `group:${user}.2#member` },
      { object, relation: 'neither', subject: `user:${user}` },
    ]),
  });
  await Promise.all(Array.from({ length: USERS }, (_, user) => move(user, 0)));
});

afterAll(async () => {
  await engine.close();
  await writer.close();
  rmSync(path, { recursive: true, force: true });
});

/** One commit: out of one group, into the other, and a record of it. */
async function move(user: number, moves: number): Promise<void> {
  const side = 1 + (moves % 2);
  const memberOf = (n: number) => ({ object: `group:${user}.${n}`, relation: 'member', subject: `user:${user}` });
  const record = { collection: 'sides', id: String(user), document: { side, moves } };
  await engine.submit(
    engine.command([
      { op: 'delete_tuples', store: 's', tuples: [memberOf(3 - side)] },
      { op: 'write_tuples', store: 's', tuples: [memberOf(side)] },
      { op: 'put_record', store: 's', record },
    ]),
  );
  Atomics.store(cells, CELLS.moves + user, moves);
}

async function joinAll(count: number): Promise<void> {
  await store.write({ writes: [{ object: 'group:all', relation: 'member', subject: `user:n${count}` }] });
  Atomics.store(cells, CELLS.joined, count);
}

/** Resolves when it reads; `report` does when it has stopped. */
async function read(seed: number): Promise<{ readonly report: Promise<ReaderReport> }> {
  const workerData: ReaderSettings = { path, shared, cells: cells.buffer, users: USERS, seed };
  const worker = new Worker(READER_THREAD, { workerData });
  await once(worker, 'message');
  const report = once(worker, 'message').then(([last]) => last as ReaderReport);
  return { report };
}

describe('threads that read while another one writes at full speed', () => {
  it('see one revision at a time, and every acknowledged write at once', { timeout: 120_000 }, async () => {
    const readers = await Promise.all(Array.from({ length: READERS }, (_, seed) => read(seed + 1)));
    const end = Date.now() + SECONDS * 1000;
    const forever = async (task: (count: number) => Promise<void>) => {
      for (let count = 1; Date.now() < end; count++) await task(count);
    };
    await Promise.all([
      ...Array.from({ length: USERS }, (_, user) => forever((moves) => move(user, moves))),
      forever(joinAll),
    ]);
    Atomics.store(cells, CELLS.stop, 1);
    for (const report of await Promise.all(readers.map(({ report: last }) => last))) {
      expect(report.violations).toEqual([]);
      // A few hundred thousand on an idle machine; what a busy one manages is enough to say that it ran.
      for (const count of [report.looks, report.visits]) expect(count).toBeGreaterThan(100);
      expect(report.revisions).toBeGreaterThan(1);
    }
    expect(await verifyStore(path)).toMatchObject({ problems: [] });
  });
});
