import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PackedCommand } from '../../../../engine/command/command.ts';
import { packCommand } from '../../../../engine/command/pack-command.ts';
import { LocalLog } from '../../../../engine/log/local-log.ts';
import { readAssignments } from '../../../../engine/store/log/stream-carried.ts';
import { allocateShared, openWriter } from '../../../../engine/store/open-writer.ts';
import { seed } from '../../../generated/seed.ts';
import { rowsOf, storeOf, TIME } from '../../store/scratch-store.ts';
import { describeLog } from '../log-contract.ts';
import { type Fate, FaultyStream, SharedMessages } from './faulty-stream.ts';
import { StreamNode } from './node.ts';
import { twoNodes } from './nodes-of-a-stream.ts';
import { nodesOfTests } from './nodes-of-tests.ts';
import { append, command, equalNodes, journal, STORES } from './stores-of-nodes.ts';

const all = nodesOfTests({ streams: 2, carriedBytesMin: 1 });
const { follow } = all;

/** What a single store has that was given these commands in this order, but for what it knows of its log. */
async function rowsOfOneStore(commands: readonly PackedCommand[]): Promise<string[]> {
  const path = mkdtempSync(join(tmpdir(), 'relata-one-'));
  const chainKey = Buffer.from('a key that all nodes have');
  const retention = { commitsMax: 1e6, bytesMax: 1e9, storeBytesMax: 1e9 };
  const opened = openWriter({ path, shared: allocateShared(2 ** 16), retention, chainKey });
  const log = new LocalLog(opened.writer);
  for (const each of commands) await log.submit(each);
  const rows = withoutLog(rowsOf(path));
  await log.close();
  await opened.close();
  rmSync(path, { recursive: true });
  return rows;
}

function withoutLog(rows: readonly string[]): string[] {
  return rows.filter((row) => !row.startsWith('meta '));
}

/** Stores of which the data say that they were moved. */
function moves({ opened }: StreamNode): string[] {
  return [...readAssignments(opened.tables).keys()];
}

describe.each([
  { name: 'whatever its size', carriedBytesMin: 1 },
  { name: 'where it is large', carriedBytesMin: 8192 },
])('a command that stands in another stream, $name', ({ carriedBytesMin }) => {
  describeLog('two nodes over three streams', () => {
    const messages = new SharedMessages();
    return twoNodes(() => new FaultyStream(messages), { streams: 3, carriedBytesMin });
  });
});

describe('stores that are spread over streams', () => {
  it('and moved between them have each command once and in order, as one store has, whatever is lost or comes twice', async () => {
    const fate = fc.constantFrom<Fate>('kept', 'kept', 'unacknowledged', 'lost', 'doubled');
    const fates = fc.array(fc.array(fate, { maxLength: 16 }), { minLength: 6, maxLength: 6 });
    const write = fc.record({
      node: fc.nat({ max: 1 }),
      store: fc.constantFrom(...STORES, 'a and b'),
      isLarge: fc.boolean(),
    });
    const move = fc.record({ node: fc.nat({ max: 1 }), store: fc.constantFrom(...STORES), to: fc.nat({ max: 2 }) });
    const steps = fc.array(fc.oneof({ weight: 5, arbitrary: write }, move, fc.constant('interrupt' as const)), {
      minLength: 5,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(fates, steps, async (given, asked) => {
        const messages = new SharedMessages();
        const streams = [new FaultyStream(messages), new FaultyStream(messages)];
        const pair = await Promise.all(
          streams.map((stream) => StreamNode.open(stream, { streams: 3, carriedBytesMin: 600 })),
        );
        const committed: { readonly revision: number; readonly command: PackedCommand }[] = [];
        const submit = async (node: StreamNode, sent: PackedCommand): Promise<void> => {
          committed.push({ revision: (await node.log.submit(sent)).revision, command: sent });
        };
        try {
          for (const store of STORES) await submit(pair[0] as StreamNode, command(...storeOf(store)));
          await pair[1]?.log.barrier();
          for (const [i, list] of given.entries()) {
            const left = [...list];
            const stream = streams[i % 2] as FaultyStream;
            const way = i < 2 ? stream : stream.beside(i < 4 ? 1 : 2);
            way.fate = () => left.shift() ?? 'kept';
          }
          const answers: Promise<void>[] = [];
          const texts = new Map<string, string[]>();
          for (const [n, step] of asked.entries()) {
            if (step === 'interrupt') {
              messages.interrupt();
              messages.beside(1).interrupt();
              await new Promise((resolve) => setTimeout(resolve, 3));
              continue;
            }
            const node = pair[step.node] as StreamNode;
            if ('to' in step) {
              // a move whose message is lost is asked for again
              const moved = async (): Promise<void> => node.log.move(step.store, step.to).catch(moved);
              answers.push(moved());
              continue;
            }
            const stores = step.store.split(' and ');
            const text = `${step.node}-${n}`.padEnd(step.isLarge ? 250_000 : 1, '.');
            for (const store of stores.length === 1 ? stores : []) {
              const key = `${store} ${step.node}`;
              texts.set(key, [...(texts.get(key) ?? []), text]);
            }
            answers.push(submit(node, command(...stores.map((store) => append(store, text)))));
          }
          await Promise.all(answers);
          await equalNodes(...pair);
          for (const [key, list] of texts) {
            const [store = '', i] = key.split(' ');
            // what one node is given of one store stands in that order, also across a move
            const own = journal(pair[1] as StreamNode, store).filter((text) => text.startsWith(`${i}-`));
            expect(own.filter((text) => list.includes(text))).toEqual(list);
          }
          const inOrder = committed.toSorted((one, other) => one.revision - other.revision);
          expect(withoutLog((pair[0] as StreamNode).rows())).toEqual(
            await rowsOfOneStore(inOrder.map((each) => each.command)),
          );
        } finally {
          for (const node of pair) await node.remove();
        }
      }),
      { seed, numRuns: 10, endOnFailure: true },
    );
  });

  it('are moved on every node, also on one that begins later or is opened again', async () => {
    const [one, other] = [await follow(), await follow()];
    for (const store of STORES) await one.log.submit(command(...storeOf(store)));
    const before = STORES.map((store) => one.log.streamOf(store));
    for (const [i, store] of STORES.entries()) await one.log.move(store, 1 - (before[i] ?? 0));
    const after = before.map((stream) => 1 - stream);
    await equalNodes(one, other);
    const copy = mkdtempSync(join(tmpdir(), 'relata-moved-'));
    rmSync(copy, { recursive: true });
    await one.opened.backup(copy, { isOfSameLog: true });
    await one.close();
    all.nodes.shift();
    const again = await follow(new FaultyStream(all.shared), { path: one.path });
    const [late, copied] = [await follow(), await follow(new FaultyStream(all.shared), { path: copy })];
    await equalNodes(again, other, late, copied);
    for (const node of [again, other, late, copied]) {
      expect(STORES.map((store) => node.log.streamOf(store))).toEqual(after);
    }
  });

  it('leave no move behind when they are deleted, in whichever messages and batches', async () => {
    const [one, other] = [await follow(), await follow()];
    for (const store of STORES) await one.log.submit(command(...storeOf(store)));
    await one.log.move('a', 1);
    await one.log.move('b', 1);
    expect(moves(one)).toHaveLength(2);
    // the one of `b` is asked for while it is deleted, and may stand behind it
    await Promise.allSettled([
      one.log.submit(command({ op: 'delete_store', store: 'a' })),
      one.log.submit(command({ op: 'delete_store', store: 'b' })),
      one.log.move('b', 0),
      other.log.move('b', 1),
    ]);
    const refusal = one.log.submit(
      packCommand({
        id: 'refused',
        time: TIME,
        changes: [{ op: 'delete_store', store: 'c' }],
        preconditions: [{ require: 'record_version', store: 'c', collection: 'none', id: 'none', version: 1 }],
      }),
    );
    const refused = expect(refusal).rejects.toMatchObject({ code: 'precondition_failed' });
    await one.log.move('c', 1);
    await refused;
    const late = await follow();
    await equalNodes(one, other, late);
    for (const node of [one, other, late]) expect(moves(node)).toEqual(['c']);
    await one.close();
    all.nodes.shift();
    const again = await follow(new FaultyStream(all.shared), { path: one.path });
    expect(again.log.streamOf('c')).toBe(1);
    await equalNodes(again, other);
  });

  it('do not wait behind a large command of a store in another stream', async () => {
    const stream = new FaultyStream(all.shared);
    const node = await follow(stream, { carriedBytesMin: 600 });
    for (const store of STORES) await node.log.submit(command(...storeOf(store)));
    await node.log.move('a', 0);
    await node.log.move('b', 1);
    const order: string[] = [];
    await Promise.all([
      node.log.submit(command(append('b', 'x'.repeat(5_000_000)))).then(() => order.push('large')),
      node.log.submit(command(append('a', 'small'))).then(() => order.push('small')),
    ]);
    expect(order).toEqual(['small', 'large']);
  });

  it('are seen by a read behind a barrier, whichever stream their commands are in', async () => {
    const node = await follow(new FaultyStream(all.shared), { carriedBytesMin: 600 });
    await node.log.submit(command(...storeOf('a')));
    await node.log.move('a', 1);
    const large = 'x'.repeat(5_000_000);
    const answer = node.log.submit(command(append('a', large)));
    await node.log.barrier();
    expect(journal(node, 'a')).toEqual([large]);
    await answer;
  });

  it('have what a node is given in its order, where they are moved while a large command is under way', async () => {
    const stream = new FaultyStream(all.shared);
    const [node, other] = [await follow(stream, { carriedBytesMin: 600 }), await follow()];
    await node.log.submit(command(...storeOf('a')));
    await node.log.move('a', 1);
    // the last parts of the large one wait
    let left = 20;
    let isHeld = true;
    stream.beside(1).fate = () => (left-- > 0 || !isHeld ? 'kept' : 'lost');
    stream.fate = () => (left > 0 || !isHeld ? 'kept' : 'lost');
    const large = 'x'.repeat(5_000_000);
    const answers = [node.log.submit(command(append('a', large)))];
    await expect.poll(() => left).toBeLessThan(1);
    await other.log.move('a', 0);
    await expect.poll(() => node.log.streamOf('a')).toBe(0);
    for (const text of ['1', '2', '3']) answers.push(node.log.submit(command(append('a', text))));
    expect(node.log.pending).toBe(4);
    const barrier = node.log.barrier();
    isHeld = false;
    await barrier;
    expect(journal(node, 'a')).toEqual([large, '1', '2', '3']);
    await Promise.all(answers);
  });

  it('are not used while a node is there that does not read them', async () => {
    const node = await follow(new FaultyStream(all.shared), { isAgreed: false });
    for (const store of STORES) await node.log.submit(command(...storeOf(store)));
    await expect(node.log.move('a', 1)).rejects.toMatchObject({ code: 'unavailable' });
    node.log.agreeOn(2);
    await expect(node.log.move('a', 1)).rejects.toMatchObject({ code: 'unavailable' });
    for (const store of STORES) await node.log.submit(command(append(store, 1)));
    expect(all.shared.beside(1).messages).toHaveLength(0);
    node.log.agreeOn(3);
    await node.log.move('a', 1);
    await node.log.submit(command(append('a', 2)));
    expect(all.shared.beside(1).messages).toHaveLength(1);
  });

  it.each([
    { name: 'a stream that is not there', store: 'a', to: 2, code: 'invalid_argument' },
    { name: 'a stream that is none', store: 'a', to: -1, code: 'invalid_argument' },
    { name: 'a store that is not there', store: 'none', to: 1, code: 'unknown_store' },
  ])('are not moved to $name', async ({ store, to, code }) => {
    const node = await follow();
    await node.log.submit(command(...storeOf('a')));
    await expect(node.log.move(store, to)).rejects.toMatchObject({ code });
  });
});
