import { describe, expect, it } from 'vitest';
import { lacksBeside } from '../../../../../engine/log/stream/receive/lacks-beside.ts';
import type { AppliedData } from '../../../../../engine/log/stream/receive/same-history.ts';
import { readCarried } from '../../../../../engine/store/log/stream-carried.ts';
import { storeOf } from '../../../store/scratch-store.ts';
import { FaultyStream } from '../faulty-stream.ts';
import { StreamNode } from '../node.ts';
import { nodesOfTests } from '../nodes-of-tests.ts';
import { append, command, equalNodes, journal } from '../stores-of-nodes.ts';

const all = nodesOfTests({ streams: 2, carriedBytesMin: 1 });
const { follow } = all;
const RETRY_MS = 1;

/** Its changes of `a` stand in a stream of their own. */
async function followMoved(stream = new FaultyStream(all.shared)): Promise<StreamNode> {
  const node = await follow(stream);
  await node.log.submit(command(...storeOf('a')));
  await node.log.move('a', 1);
  for (const name of ['one', 'two', 'three']) await node.log.submit(command(append('a', name)));
  return node;
}

function dataOf({ opened, log }: StreamNode): AppliedData {
  return { progress: { sequence: log.status().sequence }, uses: { allCarried: readCarried(opened.tables) } };
}

const lacks = (data: AppliedData): Promise<boolean> =>
  lacksBeside(new FaultyStream(all.shared), data, all.shared.messages.length, RETRY_MS);

describe('a node that has applied what a side stream has lost', () => {
  it('stops when it looks at the streams, and says how to mend it', async () => {
    const node = await followMoved();
    await node.log.look();
    expect(node.stops).toEqual([]);
    all.shared.beside(1).messages.splice(1);
    await node.log.look();
    const { sequence } = node.log.status();
    const stopped = {
      code: 'corrupt',
      message: expect.stringMatching(/^side stream 1 ends at message 1, .* "relata cluster repair"/),
      details: { stream: 1, sequence: 3, last: 1, applied: sequence },
    };
    expect(node.stops).toEqual([expect.objectContaining(stopped)]);
    await expect(node.log.submit(command(append('a', 'four')))).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('stops when it reads on after an interruption, and does not start', async () => {
    const node = await followMoved();
    all.shared.beside(1).messages.splice(0);
    all.shared.interrupt();
    await expect.poll(() => node.stops).toHaveLength(1);
    await node.close();
    all.nodes.pop();
    const started = StreamNode.open(new FaultyStream(all.shared), { path: node.path, streams: 1 });
    await expect(started).rejects.toMatchObject({
      message: expect.stringContaining('side stream 1 ends at'),
    });
  });

  it('stops when the stream gives a number to a change that another one had, whatever it does meanwhile', async () => {
    const node = await followMoved();
    all.shared.beside(1).messages.splice(1);
    const next = node.log.submit(command(append('a', 'four')));
    await expect(next).rejects.toMatchObject({ code: 'corrupt', details: { stream: 1, sequence: 3, last: 2 } });
    expect(node.stops).toHaveLength(1);
    expect(journal(node, 'a')).toEqual(['one', 'two', 'three']);
  });

  it('goes on while the stream does not answer, or knows its end a little later', async () => {
    const stream = new FaultyStream(all.shared);
    const node = await followMoved(stream);
    stream.beside(1).isReachable = false;
    const lost = all.shared.beside(1).messages.splice(1);
    await node.log.look().catch(() => {});
    stream.beside(1).isReachable = true;
    const looked = node.log.look();
    all.shared.beside(1).messages.push(...lost);
    await looked;
    await node.log.submit(command(append('a', 'four')));
    expect(journal(node, 'a')).toEqual(['one', 'two', 'three', 'four']);
    await equalNodes(node, await follow());
  });
});

describe('whether a node would stop for what side streams have lost', () => {
  it('is not so where it goes on, with what it needs next', async () => {
    const late = await follow();
    const before = dataOf(late);
    await late.close();
    all.nodes.pop();
    const node = await followMoved();
    expect(await lacks(dataOf(node))).toBe(false);
    expect(await lacks(before)).toBe(false);
  });

  it('is so where the stream ends before what was applied', async () => {
    const data = dataOf(await followMoved());
    all.shared.beside(1).messages.splice(2);
    expect(await lacks(data)).toBe(true);
  });

  it('is so where the stream has another message in the place of one that is needed next', async () => {
    const node = await follow();
    const before = dataOf(node);
    await node.close();
    all.nodes.pop();
    await followMoved();
    const { messages } = all.shared.beside(1);
    const [first, second] = messages as [(typeof messages)[0], (typeof messages)[0]];
    messages[0] = { ...first, bytes: second.bytes };
    expect(await lacks(before)).toBe(true);
  });

  it('is not known where a message cannot be read: a newer version may have applied it', async () => {
    const data = dataOf(await followMoved());
    const newer = Buffer.from(all.shared.messages.at(-1)?.bytes ?? []);
    newer[2] = 200;
    all.shared.append(newer);
    await expect(lacks(data)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(/cannot read message \d+ .*its format is 200.*newest version/),
    });
  });

  it('is not known where the stream does not answer', async () => {
    const data = dataOf(await follow());
    await followMoved();
    const stream = new FaultyStream(all.shared);
    stream.beside(1).message = () => Promise.reject(Object.assign(new Error('no answer'), { code: 'unavailable' }));
    stream.beside(1).read = () => Promise.reject(new Error('no answer'));
    const asked = lacksBeside(stream, data, all.shared.messages.length, RETRY_MS);
    await expect(asked).rejects.toMatchObject({ code: 'unavailable' });
  });
});
