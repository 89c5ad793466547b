import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeCommand } from '../../../../engine/command/encoding/command-codec.ts';
import { packCommand } from '../../../../engine/command/pack-command.ts';
import { Engine } from '../../../../engine/engine.ts';
import { encodeMessage } from '../../../../engine/log/stream/stream-message.ts';
import { seed } from '../../../generated/seed.ts';
import { storeOf, TIME } from '../../store/scratch-store.ts';
import { describeLog } from '../log-contract.ts';
import { type Fate, FaultyStream, SharedMessages } from './faulty-stream.ts';
import { StreamNode } from './node.ts';
import { append, journal, submit, twoNodes } from './nodes-of-a-stream.ts';
import { nodesOfTests } from './nodes-of-tests.ts';

const all = nodesOfTests();
const { follow: join } = all;

function command(id: string): Uint8Array {
  return encodeCommand(packCommand({ id, time: TIME, changes: [append(id)] }));
}

describeLog('two nodes over one stream', () => {
  const messages = new SharedMessages();
  return twoNodes(() => new FaultyStream(messages));
});

describe('nodes that share a stream', () => {
  it('apply each command once, also where acknowledgements and messages are lost, and are equal then', async () => {
    const fates = fc.array(fc.constantFrom<Fate>('kept', 'unacknowledged', 'lost'), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fates, fates, fc.nat({ max: 5 }), async (one, other, interruptions) => {
        const messages = new SharedMessages();
        const streams = [new FaultyStream(messages), new FaultyStream(messages)];
        const pair = await Promise.all(streams.map((stream) => StreamNode.open(stream)));
        try {
          await submit(pair[0] as StreamNode, storeOf('s'));
          [one, other].forEach((list, i) => {
            const left = [...list];
            (streams[i] as FaultyStream).fate = () => left.shift() ?? 'kept';
          });
          const answers = pair.flatMap((node, i) =>
            Array.from({ length: 8 }, (_, n) => submit(node, [append(`${i}-${n}`)])),
          );
          for (let n = 0; n < interruptions; n++) {
            await new Promise((resolve) => setTimeout(resolve, 5));
            messages.interrupt();
          }
          await Promise.all(answers);
          for (const node of pair) {
            await node.log.barrier();
            expect(journal(node).toSorted()).toEqual(
              [0, 1].flatMap((i) => [...Array(8).keys()].map((n) => `${i}-${n}`)),
            );
          }
          await pair[0]?.log.barrier();
          const { sequence, state } = (pair[0] as StreamNode).log.status();
          await expect.poll(() => pair[1]?.log.status()).toMatchObject({ sequence, state, behind: 0 });
          expect(pair[0]?.rows()).toEqual(pair[1]?.rows());
          expect(pair.flatMap(({ stops }) => stops)).toEqual([]);
        } finally {
          for (const node of pair) await node.remove();
        }
      }),
      { seed, numRuns: 12, endOnFailure: true },
    );
  });

  it('come to the same store where one was away, or begins later with nothing', async () => {
    const one = await join();
    await submit(one, storeOf('s'));
    const away = await join();
    await away.close();
    all.nodes.splice(1, 1);
    for (let n = 0; n < 20; n++) await submit(one, [append(n)]);
    const back = await join(new FaultyStream(all.shared), { path: away.path });
    const late = await join();
    for (const node of [back, late]) {
      expect(journal(node)).toEqual(journal(one));
      expect(node.rows()).toEqual(one.rows());
      expect(node.engine.logIdentity).toEqual(one.engine.logIdentity);
      expect(node.log.status().state).toBe(one.log.status().state);
    }
  });

  it('answer what waits for too long, refuse at once then, and take commands again when the log does', async () => {
    const stream = new FaultyStream(all.shared);
    const node = await join(stream, { waitMs: 500 });
    await submit(node, storeOf('s'));
    stream.isReachable = false;
    await expect(submit(node, [append('late')])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/may still be/),
    });
    const since = performance.now();
    await expect(submit(node, [append('refused')])).rejects.toMatchObject({ code: 'unavailable' });
    await expect(node.log.barrier()).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - since).toBeLessThan(250);
    expect([node.log.status().isWritable, node.log.pending]).toEqual([false, 0]);
    expect(journal(node)).toEqual([]);
    stream.isReachable = true;
    await expect.poll(() => node.log.status().isWritable).toBe(true);
    await submit(node, [append('after')]);
    expect(journal(node)).toEqual(['after']);
  });

  it('pass over a message of another log, and one that its producer had given up', async () => {
    const node = await join();
    await submit(node, storeOf('s'));
    const head = {
      log: all.shared.log,
      producer: Buffer.alloc(16, 7),
      applied: { sequence: 0, state: Buffer.alloc(16) },
    };
    all.shared.append(encodeMessage({ ...head, number: 2 }, [command('two')]));
    all.shared.append(encodeMessage({ ...head, number: 1 }, [command('one')]));
    all.shared.append(encodeMessage({ ...head, number: 3, log: Buffer.alloc(8) }, [command('foreign')]));
    all.shared.append(encodeMessage({ ...head, number: 3 }, [command('three'), command('three more')]));
    await node.log.barrier();
    expect(journal(node)).toEqual(['two', 'three', 'three more']);
  });

  it('pass over what was sent again also where the clock of the stream jumps, whichever messages they apply at once', async () => {
    const node = await join();
    await submit(node, storeOf('s'));
    const head = { log: all.shared.log, number: 1, applied: { sequence: 0, state: Buffer.alloc(16) } };
    const one = encodeMessage({ ...head, producer: Buffer.alloc(16, 7) }, [command('one')]);
    all.shared.append(one);
    await node.log.barrier();
    all.shared.time += 25 * 3_600_000;
    all.shared.append(encodeMessage({ ...head, producer: Buffer.alloc(16, 8) }, [command('other')]));
    await node.log.barrier();
    all.shared.append(one);
    await node.log.barrier();
    const later = await join();
    await later.log.barrier();
    for (const each of [node, later]) expect([journal(each), each.stops]).toEqual([['one', 'other'], []]);
    await node.log.barrier();
    await expect.poll(() => later.log.status().state).toBe(node.log.status().state);
    expect(later.rows()).toEqual(node.rows());
  });
});

describe('a node stops, and says why', () => {
  const head = () => ({ log: all.shared.log, producer: Buffer.alloc(16, 7), number: 1 });
  const stateOf = (node: StreamNode) => Buffer.from(node.log.status().state, 'hex');

  it.each([
    {
      name: 'a message that this version cannot read',
      append: () =>
        all.shared.append(Buffer.from('RM\x04 of a later version, which is long enough to be one of its messages')),
      message: expect.stringMatching(/cannot be read.*its format is 4, and this version reads up to 3/),
    },
    {
      name: 'a message with damaged commands',
      append: () =>
        all.shared.append(
          encodeMessage({ ...head(), applied: { sequence: 0, state: Buffer.alloc(16) } }, [Buffer.from('RC')]),
        ),
      message: expect.stringMatching(/cannot be read by this version/),
    },
    {
      name: 'a node that came to another state by the same messages',
      append: (node: StreamNode) => {
        const { sequence } = node.log.status();
        const state = stateOf(node).map((byte) => byte ^ 1);
        all.shared.append(encodeMessage({ ...head(), applied: { sequence, state } }, []));
      },
      message: expect.stringMatching(/data is not the same as another node's/),
    },
    {
      name: 'a message of a node that had applied more than stands before it: the log was set back',
      append: (node: StreamNode) => {
        const applied = { sequence: node.log.status().sequence + 1, state: Buffer.alloc(16) };
        all.shared.append(encodeMessage({ ...head(), applied }, [command('lost')]));
      },
      message: expect.stringMatching(/have lost a part of the log/),
    },
  ])('at $name', async ({ append: appended, message }) => {
    const node = await join();
    await submit(node, storeOf('s'));
    appended(node);
    await expect.poll(() => node.stops).toMatchObject([{ code: 'corrupt', message }]);
    await expect(submit(node, [append('after')])).rejects.toMatchObject({ code: 'corrupt', message });
    await expect(node.log.barrier()).rejects.toMatchObject({ code: 'corrupt' });
    expect(journal(node)).toEqual([]);
  });

  it('and a node of the same state does not', async () => {
    const node = await join();
    await submit(node, storeOf('s'));
    const { sequence } = node.log.status();
    all.shared.append(encodeMessage({ ...head(), applied: { sequence, state: stateOf(node) } }, []));
    await submit(node, [append(1)]);
    expect(node.stops).toEqual([]);
  });

  it.each([
    {
      name: 'the stream ends before what it has applied',
      change: () => all.shared.messages.splice(2),
      message: expect.stringMatching(/it ends at message 2/),
    },
    {
      name: 'the stream has another message where it ended',
      change: () => {
        const { bytes, ...last } = all.shared.messages.at(-1) as (typeof all.shared.messages)[0];
        all.shared.messages.splice(-1, 1, { ...last, bytes: Buffer.concat([bytes, Buffer.of(0)]) });
      },
      message: expect.stringMatching(/its message 4 is another one/),
    },
    {
      name: 'the stream begins after what it needs next',
      change: () => {
        all.shared.append(Buffer.from('x'));
        all.shared.append(Buffer.from('x'));
        all.shared.first = 6;
      },
      message: expect.stringMatching(/begins at message 6.*takes a snapshot/),
    },
  ])('when it starts and $name', async ({ change, message }) => {
    const node = await join();
    await submit(node, storeOf('s'));
    for (const n of [1, 2, 3]) await submit(node, [append(n)]);
    expect(node.log.status().sequence).toBe(4);
    await node.close();
    all.nodes.pop();
    change();
    await expect(StreamNode.open(new FaultyStream(all.shared), { path: node.path })).rejects.toMatchObject({
      code: 'corrupt',
      message,
    });
    rmSync(node.path, { recursive: true });
  });

  it('with data of a single node; and a single node with data of a cluster, but for a backup of it', async () => {
    const node = await join();
    await submit(node, storeOf('s'));
    const copy = `${node.path}-copy`;
    await node.opened.backup(copy);
    await node.close();
    all.nodes.pop();
    await expect(async () => Engine.open({ path: node.path })).rejects.toMatchObject({ code: 'locked' });
    const alone = await Engine.open({ path: copy });
    expect(alone.storeNames()).toEqual(['s']);
    await alone.createStore('own');
    await alone.close();
    await expect(StreamNode.open(new FaultyStream(all.shared), { path: copy })).rejects.toMatchObject({
      code: 'log_replaced',
    });
    for (const path of [node.path, copy]) rmSync(path, { recursive: true });
  });
});
