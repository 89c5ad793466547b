import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { JetStream } from '../../engine/log/stream/nats/jet-stream.ts';
import type { StreamSettings } from '../../engine/log/stream/nats/settings.ts';
import { sideStreamName } from '../../engine/log/stream/nats/side-streams.ts';
import { describeLog } from '../engine/log/log-contract.ts';
import { StreamNode } from '../engine/log/stream/node.ts';
import { append, journal, submit, twoNodes } from '../engine/log/stream/nodes-of-a-stream.ts';
import { storeOf } from '../engine/store/scratch-store.ts';
import { findNats } from './find-nats.ts';
import { NatsCluster } from './nats-cluster.ts';

const nats = findNats();
const why = 'missing' in nats ? ` (skipped: ${nats.missing})` : '';

describe.skipIf('missing' in nats)(`a log on three NATS servers${why}`, () => {
  let servers: NatsCluster;
  let streams = 0;
  let name: string;
  beforeAll(async () => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '' });
  });
  afterAll(() => servers?.remove());
  beforeEach(() => {
    name = `log-${streams++}`;
  });

  const settings = (): StreamSettings => ({
    url: servers.url,
    stream: name,
    replicas: 3,
    allowUnsafe: false,
    name: 'test',
    fingerprint: 'the same',
  });
  const connect = () => JetStream.open(settings());
  /** A server that a test has stopped and not started again, for the tests behind it. */
  const runAgain = async (i: number): Promise<void> => {
    if (servers.isRunning(i)) return;
    servers.run(i);
    await servers.ready();
  };

  describeLog('two nodes over it', () => twoNodes(connect));
  describeLog('two nodes over it and two streams beside it', () =>
    twoNodes(connect, { streams: 3, carriedBytesMin: 1 }),
  );

  it.each([
    { what: 'it', streams: 1 },
    { what: 'a stream beside it', streams: 3 },
  ])(
    'goes on when the server that leads $what is killed, and when that comes back; nothing is lost or applied twice',
    async ({ streams }) => {
      const open = async () => StreamNode.open(await connect(), { streams, carriedBytesMin: 1 });
      const nodes = await Promise.all([open(), open(), open()]);
      let isOver = false;
      let clients: Promise<void>[] = [];
      let leader: number | undefined;
      try {
        await submit(nodes[0] as StreamNode, storeOf('s'));
        await Promise.all(nodes.map((node) => node.log.barrier()));
        const identity = Buffer.from((nodes[0] as StreamNode).engine.logIdentity.id).toString('hex');
        const used = (nodes[0] as StreamNode).log.streamOf('s');
        expect(used).toBe(streams === 1 ? 0 : 1);
        if (used > 0) await submit(nodes[0] as StreamNode, [append('first')]);
        leader = await servers.leaderOf(used === 0 ? name : sideStreamName(name, identity, used));
        const acknowledged: string[] = [];
        const asked: string[] = [];
        clients = nodes.map(async (node, i) => {
          for (let n = 0; !isOver; n++) {
            const text = `${i}-${n}`;
            asked.push(text);
            try {
              await submit(node, [append(text)]);
              acknowledged.push(text);
            } catch (error) {
              expect(error).toMatchObject({ code: 'unavailable' });
              // a node that is cut off refuses at once: without a pause nothing else would have a turn in this thread
              await sleep(10);
            }
          }
        });
        await expect.poll(() => acknowledged.length).toBeGreaterThan(20);
        await servers.kill(leader);
        const before = acknowledged.length;
        await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 50);
        servers.run(leader);
        await servers.ready();
        isOver = true;
        await Promise.all(clients);
        await expect.poll(() => nodes.every((node) => node.log.status().isWritable)).toBe(true);
        await Promise.all(nodes.map((node) => node.log.barrier()));
        await expect.poll(() => new Set(nodes.map((node) => node.log.status().state)).size).toBe(1);
        const [first, ...others] = nodes as [StreamNode, ...StreamNode[]];
        const kept = journal(first);
        expect(new Set(kept).size).toBe(kept.length);
        expect(kept).toEqual(expect.arrayContaining(acknowledged));
        expect([...asked, 'first']).toEqual(expect.arrayContaining(kept));
        for (const node of others) expect(node.rows()).toEqual(first.rows());
        expect(nodes.flatMap(({ stops }) => stops)).toEqual([]);
      } finally {
        isOver = true;
        await Promise.allSettled(clients);
        for (const node of nodes) await node.remove();
        if (leader !== undefined) await runAgain(leader);
      }
    },
  );

  it('refuses commands without a majority of the servers, keeps what it has, and goes on when they are back', async () => {
    const stream = await JetStream.open(settings());
    const node = await StreamNode.open(stream, { waitMs: 2000 });
    try {
      await submit(node, [...storeOf('s'), append('before')]);
      await servers.kill(0);
      await servers.kill(1);
      await expect(submit(node, [append('lost')])).rejects.toMatchObject({ code: 'unavailable' });
      await expect(node.log.barrier()).rejects.toMatchObject({ code: 'unavailable' });
      expect(journal(node)).toEqual(['before']);
      servers.run(0);
      servers.run(1);
      await servers.ready();
      await expect.poll(() => node.log.status().isWritable).toBe(true);
      await submit(node, [append('after')]);
      expect(journal(node).filter((text) => text !== 'lost')).toEqual(['before', 'after']);
      expect(node.stops).toEqual([]);
    } finally {
      await node.remove();
      for (const i of [0, 1]) await runAgain(i);
    }
  });

  it('refuses a node with another master key', async () => {
    await (await JetStream.open(settings())).close();
    await expect(JetStream.open({ ...settings(), fingerprint: 'another' })).rejects.toMatchObject({ code: 'locked' });
  });
});
