import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Engine } from '../../../engine/engine.ts';
import { PortLog } from '../../../engine/log/port-log.ts';
import { startWriter, type WriterThread } from '../../../engine/log/start-writer.ts';
import { allocateShared } from '../../../engine/store/open-writer.ts';
import { verifyStore } from '../../../engine/store/verify/verify.ts';

const WRITER_THREAD = new URL('../../../dist/engine/log/writer-thread.js', import.meta.url);
const WRITERS = 16;
const BACKUPS = 5;
const PAIR = 10_000;
const MODEL = {
  dsl: 'model\n  schema 1.1\ntype user\ntype doc\n  relations\n    define viewer: [user]\n    define owner: [user]\n',
};

let folder: string;
let writer: WriterThread;
let engine: Engine;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'relata-backup-'));
  const path = join(folder, 'data');
  const shared = allocateShared(2 ** 16);
  writer = await startWriter(
    { path, shared, retention: { commitsMax: 1e6, bytesMax: 1e9, storeBytesMax: 1e9 } },
    { entry: WRITER_THREAD },
  );
  engine = await Engine.open({ path, joined: { shared, log: new PortLog(writer.connect()) } });
  await (await engine.createStore('s')).writeModel(MODEL);
});

afterEach(async () => {
  await engine.close();
  await writer.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Both tuples of a pair in one commit. */
function writePair(n: number) {
  const writes = ['viewer', 'owner'].map((relation) => ({ object: `doc:${n}`, relation, subject: `user:${n}` }));
  return engine.store('s').write({ writes });
}

/** Numbers of the pairs that a backup has. Half a pair fails. */
async function pairsOf(path: string): Promise<Set<number>> {
  const copy = await Engine.open({ path });
  const store = copy.store('s');
  const found = new Map<string, number>();
  for (let cursor: string | undefined; ; ) {
    const page = store.readTuples({ limit: PAIR, ...(cursor === undefined ? {} : { cursor }) });
    for (const { object } of page.tuples) found.set(object, (found.get(object) ?? 0) + 1);
    if (page.cursor === undefined) break;
    cursor = page.cursor;
  }
  expect([...found.values()].every((count) => count === 2)).toBe(true);
  expect(store.changes(0, 1).changes).toHaveLength(1);
  // It can be written to, like any other folder of data.
  await store.write({ writes: [{ object: 'doc:new', relation: 'viewer', subject: 'user:new' }] });
  expect(store.check({ object: 'doc:new', relation: 'viewer', subject: 'user:new' })).toEqual({ outcome: 'allowed' });
  await copy.close();
  return new Set([...found.keys()].map((object) => Number(object.slice('doc:'.length))));
}

describe('a backup', () => {
  it('made while others write is whole, of one revision, and has all that was acknowledged before', {
    timeout: 180_000,
  }, async () => {
    let next = 0;
    let isDone = false;
    const acknowledged = new Set<number>();
    const write = async () => {
      while (!isDone) {
        const n = next++;
        await writePair(n);
        acknowledged.add(n);
      }
    };
    const writers = Array.from({ length: WRITERS }, write);
    for (let i = 0; i < BACKUPS; i++) {
      const before = new Set(acknowledged);
      const path = join(folder, `backup.${i}`);
      await writer.backup(path);
      const issued = next;
      expect(await verifyStore(path)).toMatchObject({ problems: [], stores: 1 });
      const pairs = await pairsOf(path);
      expect([...before].filter((n) => !pairs.has(n))).toEqual([]);
      expect([...pairs].filter((n) => n >= issued)).toEqual([]);
    }
    isDone = true;
    await Promise.all(writers);
  });

  it('restored into another folder is the data', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, n) => writePair(n)));
    await writer.backup(join(folder, 'backup'));
    mkdirSync(join(folder, 'restored'));
    copyFileSync(join(folder, 'backup', 'data.mdb'), join(folder, 'restored', 'data.mdb'));
    expect((await pairsOf(join(folder, 'restored'))).size).toBe(50);
  });

  it('does not overwrite another', async () => {
    const path = join(folder, 'backup');
    await writer.backup(path);
    await expect(writer.backup(path)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await verifyStore(path)).toMatchObject({ problems: [] });
  });

  it('that cannot be written is an error, and the writer goes on', async () => {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    await expect(writer.backup(path)).rejects.toMatchObject({ code: 'unavailable' });
    expect((await writePair(1)).revision).toBeGreaterThan(0);
  });

  it('is answered by its own outcome where several are asked for at once', async () => {
    writeFileSync(join(folder, 'file'), '');
    const outcomes = await Promise.allSettled(['one', 'file', 'two'].map((name) => writer.backup(join(folder, name))));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    for (const name of ['one', 'two']) expect(existsSync(join(folder, name, 'data.mdb'))).toBe(true);
  });
});
