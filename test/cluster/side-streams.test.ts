import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectTo } from '../../engine/log/stream/nats/connection/connect.ts';
import { cutStream } from '../../engine/log/stream/nats/cut-stream.ts';
import { JetStream } from '../../engine/log/stream/nats/jet-stream.ts';
import { findSideStreams, removeSideStreams } from '../../engine/log/stream/nats/side-streams.ts';
import { findNats } from './find-nats.ts';
import { NatsCluster } from './nats-cluster.ts';

const nats = findNats();
const why = 'missing' in nats ? ` (skipped: ${nats.missing})` : '';

describe.skipIf('missing' in nats)(`streams beside a log on a NATS server${why}`, () => {
  let servers: NatsCluster;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  let stream: JetStream;
  let name: string;
  let made = 0;
  const identity = () => Buffer.from(stream.log).toString('hex');

  beforeAll(async () => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '', servers: 1 });
    connection = await connectTo(servers.settings);
    manager = await jetstreamManager(connection);
  });
  afterAll(async () => {
    await connection?.close();
    servers?.remove();
  });
  beforeEach(async () => {
    name = `beside-${made++}`;
    stream = await JetStream.open({ ...servers.settings, stream: name });
  });
  afterEach(() => stream.close());

  const fill = async (number: number, count: number): Promise<void> => {
    for (let n = 1; n <= count; n++) await stream.beside(number).publish(Buffer.from(`${number}-${n}`));
  };

  it('are made by the first message, and read as they were written, by every node', async () => {
    const other = await JetStream.open({ ...servers.settings, stream: name });
    expect(await stream.beside(1).ends()).toEqual({ first: 1, last: 0 });
    expect(await stream.beside(1).message(1)).toBeUndefined();
    expect(await findSideStreams(manager, name, identity())).toEqual([]);
    expect(await stream.beside(1).publish(Buffer.from('one'))).toBe(1);
    expect(await other.beside(1).publish(Buffer.from('two'))).toBe(2);
    expect(await other.beside(2).publish(Buffer.from('elsewhere'))).toBe(1);
    expect(Buffer.from((await other.beside(1).message(1)) ?? []).toString()).toBe('one');
    expect(await other.beside(1).message(3)).toBeUndefined();
    const read: string[] = [];
    const reading = await stream
      .beside(1)
      .read(2, ({ sequence, bytes }) => read.push(`${sequence} ${Buffer.from(bytes)}`));
    await expect.poll(() => read).toEqual(['2 two']);
    reading.stop();
    const found = await findSideStreams(manager, name, identity());
    expect(found.map(({ number }) => number)).toEqual([1, 2]);
    await other.close();
  });

  it('are cut with the log, and only as far as it is said', async () => {
    for (let n = 0; n < 5; n++) await stream.publish(Buffer.from(String(n)));
    await fill(1, 5);
    await fill(2, 5);
    await cutStream(connection, name, identity(), 4, [
      { stream: 1, from: 3 },
      { stream: 7, from: 3 },
    ]);
    expect(await stream.ends()).toEqual({ first: 4, last: 5 });
    expect([await stream.beside(1).ends(), await stream.beside(2).ends()]).toEqual([
      { first: 3, last: 5 },
      { first: 1, last: 5 },
    ]);
    // one that was set back is left alone
    await cutStream(connection, name, identity(), 4, [{ stream: 1, from: 9 }]);
    expect(await stream.beside(1).ends()).toEqual({ first: 3, last: 5 });
    await expect(cutStream(connection, name, 'ab'.repeat(8), 5, [{ stream: 2, from: 5 }])).rejects.toMatchObject({
      code: 'corrupt',
    });
    expect(await stream.beside(2).ends()).toEqual({ first: 1, last: 5 });
  });

  it('of a log that was replaced are removed, and those of another log are not', async () => {
    await fill(1, 2);
    const another = await JetStream.open({ ...servers.settings, stream: `${name}-more` });
    await another.beside(1).publish(Buffer.from('stays'));
    await removeSideStreams(manager, name, new Set([identity(), 'ab'.repeat(8), '']));
    expect(await findSideStreams(manager, name, identity())).toEqual([]);
    expect(await another.beside(1).ends()).toEqual({ first: 1, last: 1 });
    await another.close();
  });
});
