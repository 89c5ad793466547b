import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { factsOf, type SnapshotFacts, textOf } from '../../../../engine/log/stream/snapshots/snapshot.ts';
import { readFacts } from '../../../../engine/log/stream/snapshots/take-snapshot.ts';
import { encodeMessage, encodeReferenceTo } from '../../../../engine/log/stream/stream-message.ts';
import { storeOf, TIME } from '../../store/scratch-store.ts';
import { FaultyStream, type SharedMessages } from './faulty-stream.ts';
import { StreamNode } from './node.ts';
import { nodesOfTests } from './nodes-of-tests.ts';
import { append, command, equalNodes, journal } from './stores-of-nodes.ts';

const all = nodesOfTests({ streams: 2, carriedBytesMin: 1 });
const { follow } = all;

function headOf(number: number) {
  return {
    log: all.shared.log,
    producer: Buffer.alloc(16, 9),
    number,
    applied: { sequence: 0, state: Buffer.alloc(16) },
  };
}

describe('stores whose messages stand in another stream', () => {
  it('have their commands in the stream that is theirs, and what stands in the log tells where', async () => {
    const node = await follow();
    await node.log.submit(command(...storeOf('a')));
    await node.log.move('a', 1);
    await node.log.submit(command(append('a', 'x'.repeat(1000))));
    expect(all.shared.beside(1).messages.at(-1)?.bytes.length).toBeGreaterThan(1000);
    expect(all.shared.messages.at(-1)?.bytes.length).toBeLessThan(100);
    await node.log.move('a', 0);
    const { length } = all.shared.beside(1).messages;
    await node.log.submit(command(append('a', 'x'.repeat(1000))));
    expect(all.shared.beside(1).messages).toHaveLength(length);
    expect(all.shared.messages.at(-1)?.bytes.length).toBeGreaterThan(1000);
  });

  it('go on in the log itself while their stream takes nothing, and in their stream again later', async () => {
    const stream = new FaultyStream(all.shared);
    const node = await follow(stream);
    await node.log.submit(command(...storeOf('a')));
    await node.log.move('a', 1);
    await node.log.submit(command(append('a', 'before')));
    stream.beside(1).isReachable = false;
    await node.log.submit(command(append('a', 'meanwhile')));
    stream.beside(1).isReachable = true;
    const { length } = all.shared.beside(1).messages;
    await expect
      .poll(async () => {
        await node.log.submit(command(append('a', 'after')));
        return all.shared.beside(1).messages.length;
      })
      .toBeGreaterThan(length);
    expect(journal(node, 'a').slice(0, 3)).toEqual(['before', 'meanwhile', 'after']);
    expect(node.stops).toEqual([]);
  });

  it('are read by a node that writes to fewer streams, and by one that was away', async () => {
    const node = await follow();
    await node.log.submit(command(...storeOf('a')));
    await node.log.move('a', 1);
    const away = await follow();
    await away.close();
    all.nodes.pop();
    for (let n = 0; n < 30; n++) await node.log.submit(command(append('a', String(n))));
    const back = await follow(new FaultyStream(all.shared), { path: away.path });
    const alone = await follow(new FaultyStream(all.shared), { streams: 1 });
    await alone.log.submit(command(append('a', 'in the log')));
    await equalNodes(alone, node, back);
    expect(journal(node, 'a')).toEqual([...Array.from({ length: 30 }, (_, n) => String(n)), 'in the log']);
  });

  it('have nothing of a message that is too old to be referred to: it is passed over, and the log takes the next ones', async () => {
    const stream = new FaultyStream(all.shared);
    const [node, other] = [await follow(stream), await follow()];
    await node.log.submit(command(...storeOf('a')));
    await node.log.move('a', 1);
    const beside = all.shared.beside(1);
    await node.log.submit(command(append('a', 'one')));
    // as if other nodes had sent many meanwhile, to which the log refers
    const first = beside.messages.length;
    for (let n = 0; n < 9000; n++) beside.append(Buffer.of(n & 1));
    await node.log.submit(command(append('a', 'two')));
    await equalNodes(node, other);
    const late = encodeMessage(headOf(1), []);
    all.shared.append(encodeReferenceTo(late, { stream: 1, sequence: first + 1, digest: Buffer.alloc(32) }));
    await node.log.submit(command(append('a', 'three')));
    await equalNodes(node, other);
    expect(journal(other, 'a')).toEqual(['one', 'two', 'three']);
  });

  it.each([
    { name: 'ends before it', change: (side: SharedMessages) => side.messages.splice(0), says: /it ends at message 0/ },
    {
      name: 'has another one there',
      change: (side: SharedMessages) => {
        const [{ bytes: _, ...first }] = side.messages.splice(0) as [(typeof side.messages)[0]];
        side.messages.push({ ...first, bytes: Buffer.from('another') });
      },
      says: /another one, or none, stands there/,
    },
  ])('stop a node that needs a message of a stream which $name, and say why', async ({ change, says }) => {
    const node = await follow();
    await node.log.submit(command(...storeOf('a')));
    await node.log.move('a', 1);
    await node.log.submit(command(append('a', 'one')));
    const beside = all.shared.beside(1);
    expect(beside.messages).toHaveLength(1);
    change(beside);
    const late = StreamNode.open(new FaultyStream(all.shared), { streams: 2 });
    await expect(late).rejects.toMatchObject({ code: 'corrupt', message: expect.stringMatching(says) });
    // a node that has it goes on, until it looks
    await node.log.move('a', 0);
    await node.log.submit(command(append('a', 'two')));
    expect(journal(node, 'a')).toEqual(['one', 'two']);
  });

  it('tell in a snapshot from which message on each stream is needed', async () => {
    const node = await follow();
    await node.log.submit(command(...storeOf('a')));
    const factsOfCopy = async (): Promise<SnapshotFacts> => {
      const copy = mkdtempSync(join(tmpdir(), 'relata-facts-'));
      rmSync(copy, { recursive: true });
      await node.opened.backup(copy, { isOfSameLog: true });
      const facts = await readFacts(copy, TIME);
      rmSync(copy, { recursive: true });
      return facts;
    };
    await node.log.move('a', 0);
    expect(await factsOfCopy()).not.toHaveProperty('beside');
    await node.log.move('a', 1);
    await node.log.submit(command(append('a', 'one')));
    for (let n = 0; n < 9000; n++) all.shared.beside(1).append(Buffer.of(n & 1));
    await node.log.submit(command(append('a', 'two')));
    const facts = await factsOfCopy();
    expect(facts.beside).toEqual([{ stream: 1, from: 9002 - 8191 }]);
    expect(factsOf(textOf(facts))).toEqual(facts);
    expect(factsOf({ ...textOf(facts), beside: '1:two' })).not.toHaveProperty('beside');
  });
});
