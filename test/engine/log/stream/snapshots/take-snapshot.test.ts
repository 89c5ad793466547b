import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readFacts, takeSnapshot } from '../../../../../engine/log/stream/snapshots/take-snapshot.ts';
import { storeOf } from '../../../store/scratch-store.ts';
import { FaultyStream, SharedMessages } from '../faulty-stream.ts';
import { StreamNode } from '../node.ts';
import { append, submit } from '../nodes-of-a-stream.ts';
import { MemorySnapshots } from './memory-snapshots.ts';

let messages: SharedMessages;
let node: StreamNode;
let snapshots: MemorySnapshots;
let drafts: string;

beforeEach(async () => {
  messages = new SharedMessages();
  node = await StreamNode.open(new FaultyStream(messages));
  await submit(node, storeOf('s'));
  snapshots = new MemorySnapshots();
  drafts = mkdtempSync(join(tmpdir(), 'relata-drafts-'));
});
afterEach(async () => {
  await node.remove();
  rmSync(drafts, { recursive: true, force: true });
});

const take = (signal = new AbortController().signal, copy = copyOf(node)) =>
  takeSnapshot({ path: node.path, drafts, copy, store: snapshots, now: () => 7, signal });

const copyOf = (of: StreamNode) => (folder: string) => of.opened.backup(folder, { isOfSameLog: true });

it('a snapshot is of one message of the log, though more come while it is made', async () => {
  const copy = async (folder: string) => {
    const copied = copyOf(node)(folder);
    await Promise.all([copied, submit(node, [append('meanwhile')])]);
  };
  const before = node.log.status();
  const snapshot = await take(undefined, copy);
  expect(snapshot).toMatchObject({ log: messages.log.toString('hex'), time: 7 });
  expect([before.sequence, before.sequence + 1]).toContain(snapshot.sequence);
  if (snapshot.sequence === before.sequence) expect(snapshot.state).toBe(before.state);
  else expect(snapshot.state).toBe(node.log.status().state);
  expect(existsSync(drafts)).toBe(false);
});

it('nothing becomes a snapshot that was not sent whole, and no copy stays on the disk', async () => {
  const ended = new AbortController();
  snapshots.onPiece = () => ended.abort(new Error('it is over'));
  await expect(take(ended.signal)).rejects.toThrow('it is over');
  expect(await snapshots.list()).toEqual([]);
  expect(snapshots.remains).toBeGreaterThan(0);
  expect(existsSync(drafts)).toBe(false);
  snapshots.onPiece = () => {};
  await take();
  expect(await snapshots.list()).toHaveLength(1);
});

it('a copy that could not be written leaves nothing', async () => {
  const copy = () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
  await expect(take(undefined, copy)).rejects.toThrow('no space');
  expect([existsSync(drafts), snapshots.kept.size]).toEqual([false, 0]);
});

it('a copy for a node says which log it is of, and a backup does not', async () => {
  const [copy, backup] = ['copy', 'backup'].map((name) => join(drafts, name)) as [string, string];
  await copyOf(node)(copy);
  expect(await readFacts(copy, 1)).toMatchObject({ sequence: node.log.status().sequence, time: 1 });
  await node.opened.backup(backup);
  await expect(readFacts(backup, 1)).rejects.toMatchObject({ code: 'corrupt' });
});
