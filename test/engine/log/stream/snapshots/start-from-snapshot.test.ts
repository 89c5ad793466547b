import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '../../../../../engine/errors.ts';
import type { Snapshot } from '../../../../../engine/log/stream/snapshots/snapshot.ts';
import {
  needOf,
  type StartNotice,
  type StartOptions,
  startFromSnapshot,
} from '../../../../../engine/log/stream/snapshots/start-from-snapshot.ts';
import { takeSnapshot } from '../../../../../engine/log/stream/snapshots/take-snapshot.ts';
import { prepareFolder } from '../../../../../engine/store/folder/prepare-folder.ts';
import { rowsOf, storeOf } from '../../../store/scratch-store.ts';
import { FaultyStream, SharedMessages } from '../faulty-stream.ts';
import { StreamNode } from '../node.ts';
import { append, journal, submit } from '../nodes-of-a-stream.ts';
import { MemorySnapshots } from './memory-snapshots.ts';

let folder: string;
let messages: SharedMessages;
let snapshots: MemorySnapshots;
let one: StreamNode;
let nodes: StreamNode[];
let notices: StartNotice[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'relata-start-'));
  messages = new SharedMessages();
  snapshots = new MemorySnapshots();
  [nodes, notices] = [[], []];
  one = await joined(join(folder, 'one'));
  await submit(one, storeOf('s'));
});
afterEach(async () => {
  for (const node of nodes) await node.close();
  rmSync(folder, { recursive: true });
});

async function joined(path: string): Promise<StreamNode> {
  const node = await StreamNode.open(new FaultyStream(messages), { path });
  nodes.push(node);
  return node;
}

/** A snapshot after `count` more messages. */
async function snapshotAfter(count: number): Promise<Snapshot> {
  for (let n = 0; n < count; n++) await submit(one, [append(`m${messages.messages.length}`)]);
  return takeSnapshot({
    path: one.path,
    drafts: join(folder, 'drafts'),
    copy: (to) => one.opened.backup(to, { isOfSameLog: true }),
    store: snapshots,
    now: () => 1,
    signal: new AbortController().signal,
  });
}

const start = (path: string, more: Partial<StartOptions> = {}) =>
  startFromSnapshot({
    path,
    log: messages.log.toString('hex'),
    isFromSnapshot: false,
    ends: () => new FaultyStream(messages).ends(),
    store: snapshots,
    onNotice: (notice) => notices.push(notice),
    now: () => 0,
    ...more,
  });

/** Changes what stands in the object store, and not what is said of it. */
function damage({ name }: Snapshot, change: (pieces: Uint8Array[]) => Uint8Array[]): void {
  const kept = snapshots.kept.get(name);
  if (kept !== undefined) kept.pieces = change(kept.pieces);
}

async function expectTheSame(node: StreamNode): Promise<void> {
  expect(node.rows()).toEqual(one.rows());
  expect(node.log.status().state).toBe(one.log.status().state);
  expect(node.engine.logIdentity).toEqual(one.engine.logIdentity);
  await submit(node, [append('from the new one')]);
  await one.log.barrier();
  expect(journal(one)).toEqual(journal(node));
}

const names = (path: string) => readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.`));

describe('an empty node', () => {
  it('begins with the snapshot and reads what came after it, where the log no longer has its beginning', async () => {
    const { sequence } = await snapshotAfter(5);
    await submit(one, [append('the tail')]);
    messages.first = sequence;
    const path = join(folder, 'two');
    prepareFolder(path);
    await start(path);
    expect(notices.map(({ message }) => message)).toEqual([
      'loading a snapshot',
      'a snapshot has arrived',
      'this node starts from a snapshot',
    ]);
    await expectTheSame(await joined(path));
    expect(names(path)).toEqual([]);
  });

  it('takes the older one where the newest is not what was put there', async () => {
    const older = await snapshotAfter(3);
    for (const change of [
      (pieces: Uint8Array[]) =>
        pieces.map((piece, i) => (i === 0 ? piece.map((byte, at) => (at === 5000 ? byte ^ 1 : byte)) : piece)),
      (pieces: Uint8Array[]) => pieces.slice(0, -1),
      (pieces: Uint8Array[]) => [...pieces, ...pieces],
      () => [],
    ]) {
      damage(await snapshotAfter(1), change);
    }
    messages.first = older.sequence + 1;
    const path = join(folder, 'two');
    await start(path);
    expect(notices.filter(({ level }) => level === 'warn')).toHaveLength(4);
    await expectTheSame(await joined(path));
  });

  it('takes a newer one where that which it loads is removed, because the log was cut meanwhile', async () => {
    const removed = await snapshotAfter(3);
    const path = join(folder, 'two');
    let newer: Snapshot | undefined;
    const reads: string[] = [];
    const list = snapshots.list.bind(snapshots);
    snapshots.onRead = (name) => {
      reads.push(name);
      if (name === removed.name) snapshots.kept.delete(name);
    };
    snapshots.list = async () => {
      const isGone = !snapshots.kept.has(removed.name);
      if (isGone && newer === undefined) newer = await snapshotAfter(2);
      return list();
    };
    await start(path);
    expect([...new Set(reads)]).toEqual([removed.name, newer?.name]);
    expect(notices.map(({ message }) => message)).toContain('a snapshot cannot be used');
    await expectTheSame(await joined(path));
  });

  it('gives up where a snapshot that is still there cannot be read', async () => {
    await snapshotAfter(3);
    messages.first = 2;
    snapshots.onRead = () => {
      throw new EngineError('unavailable', 'no answer');
    };
    await expect(start(join(folder, 'two'))).rejects.toMatchObject({ code: 'unavailable', message: 'no answer' });
  });

  it('reads the log from its beginning where no snapshot can be used, and says so where that is gone', async () => {
    damage(await snapshotAfter(3), (pieces) => pieces.slice(1));
    const path = join(folder, 'two');
    await start(path);
    messages.first = 2;
    await expect(start(path)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/begins at message 2.*are not those/),
    });
    messages.first = 1;
    await expectTheSame(await joined(path));
  });

  it('begins again where it was killed in the middle', async () => {
    const snapshot = await snapshotAfter(3);
    messages.first = snapshot.sequence;
    const path = join(folder, 'two');
    const kept = snapshots.kept.get(snapshot.name);
    const read = async function* () {
      yield kept?.pieces[0] as Uint8Array;
      throw new Error('killed');
    };
    const cut = Object.assign(Object.create(snapshots) as MemorySnapshots, { read });
    await expect(start(path, { store: cut })).rejects.toThrow('killed');
    expect(existsSync(join(path, 'data.mdb'))).toBe(false);
    await start(path);
    await expectTheSame(await joined(path));
  });

  it('is told that its disk is too small, and by how much', async () => {
    const snapshot = await snapshotAfter(1);
    messages.first = 2;
    snapshots.kept.set(snapshot.name, { snapshot: { ...snapshot, bytes: 2 ** 60 }, pieces: [] });
    await expect(start(join(folder, 'two'))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/are free: make space/),
    });
  });

  it('does not take a snapshot of another log, of a later version, or of another message than it says', async () => {
    const snapshot = await snapshotAfter(2);
    messages.first = 2;
    for (const change of [{ log: 'ab'.repeat(8) }, { format: 99 }, { sequence: snapshot.sequence + 1 }]) {
      const { pieces } = snapshots.kept.get(snapshot.name) as { pieces: Uint8Array[] };
      snapshots.kept.set(snapshot.name, { snapshot: { ...snapshot, ...change }, pieces });
      await expect(start(join(folder, 'two'))).rejects.toMatchObject({ code: 'unavailable' });
    }
  });
});

describe('a node with data', () => {
  it('of which the log has gone further than it keeps takes a snapshot, and its data are kept beside', async () => {
    const path = join(folder, 'two');
    const away = await joined(path);
    nodes.pop();
    const before = away.rows();
    await away.close();
    const { sequence } = await snapshotAfter(5);
    messages.first = sequence;
    await start(path);
    await expectTheSame(await joined(path));
    const [kept] = names(path) as [string];
    expect(notices.at(-1)).toMatchObject({ level: 'warn', facts: { kept: join(folder, kept) } });
    expect(rowsOf(join(folder, kept))).toEqual(before);
  });

  it('reads on where the log still has what comes next, whatever snapshots there are', async () => {
    const path = join(folder, 'two');
    const away = await joined(path);
    nodes.pop();
    await away.close();
    await snapshotAfter(5);
    messages.first = away.log.status().sequence + 1;
    await start(path);
    expect(notices).toEqual([]);
    await expectTheSame(await joined(path));
  });
});

describe('what a node needs', () => {
  const log = 'ab'.repeat(8);
  const other = 'cd'.repeat(8);
  const own = (id: string | undefined, sequence: number, isUsed = true) => ({
    id: id === undefined ? undefined : Buffer.from(id, 'hex'),
    sequence,
    isUsed,
  });

  it.each([
    { name: 'an empty node of a whole log', own: own(undefined, 0, false), first: 1, expected: 'wanted' },
    { name: 'an empty node of a cut log', own: own(other, 0, false), first: 2, expected: 'needed' },
    {
      name: 'an empty node of a log that goes on',
      own: own(other, 0, false),
      first: 1,
      from: true,
      expected: 'needed',
    },
    { name: 'a node that can read on', own: own(log, 4), first: 5, expected: 'none' },
    { name: 'a node that was away', own: own(log, 3), first: 5, expected: 'needed' },
    { name: 'a node of the log before', own: own(other, 9), first: 1, from: true, before: other, expected: 'needed' },
    { name: 'data of something else', own: own(other, 9), first: 1, from: true, expected: 'none' },
    { name: 'data of no log, as of a restored backup', own: own(undefined, 0, true), first: 1, expected: 'none' },
  ])('is known: $name', ({ own: node, first, from = false, before, expected }) => {
    expect(needOf(node, { first, last: 9 }, { log, before, isFromSnapshot: from })).toBe(expected);
  });
});
