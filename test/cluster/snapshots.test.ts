import { createHash, randomBytes } from 'node:crypto';
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectTo } from '../../engine/log/stream/nats/connection/connect.ts';
import { ObjectBucket } from '../../engine/log/stream/nats/object-bucket.ts';
import type { StreamSettings } from '../../engine/log/stream/nats/settings.ts';
import type { Snapshot, SnapshotFacts } from '../../engine/log/stream/snapshots/snapshot.ts';
import { findNats } from './find-nats.ts';
import { NatsCluster } from './nats-cluster.ts';

const nats = findNats();
const why = 'missing' in nats ? ` (skipped: ${nats.missing})` : '';

describe.skipIf('missing' in nats)(`snapshots in the object store of NATS${why}`, () => {
  let servers: NatsCluster;
  let connection: NatsConnection;
  let bucket: ObjectBucket;
  let made = 0;
  let stream: string;

  const settings = (): StreamSettings => ({
    url: servers.url,
    stream,
    replicas: 3,
    allowUnsafe: false,
    name: 'test',
    fingerprint: 'the same',
  });
  const facts = (sequence: number): SnapshotFacts => ({
    log: 'ab'.repeat(8),
    sequence,
    state: '0'.repeat(64),
    format: 4,
    time: 1_700_000_000_000,
  });
  const signal = new AbortController().signal;
  const put = (sequence: number, bytes: Uint8Array): Promise<Snapshot> =>
    bucket.put(facts(sequence), one(bytes), signal);

  beforeAll(async () => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '' });
    stream = 'first';
    connection = await connectTo(settings());
  });
  afterAll(async () => {
    await connection?.close();
    servers?.remove();
  });
  beforeEach(async () => {
    stream = `log-${made++}`;
    bucket = await ObjectBucket.open(connection, settings());
  });

  it('are read as they were put, whatever their size, and listed the newest first', async () => {
    expect(await bucket.list()).toEqual([]);
    const contents = [1, 128 * 1024, 3_000_001].map((size) => randomBytes(size));
    for (const [i, content] of contents.entries()) await put(i, content);
    const listed = await bucket.list();
    expect(listed.map(({ sequence }) => sequence)).toEqual([2, 1, 0]);
    for (const snapshot of listed) {
      const content = contents[snapshot.sequence] as Buffer;
      expect(snapshot).toMatchObject({ ...facts(snapshot.sequence), bytes: content.length, digest: digestOf(content) });
      expect(digestOf(await all(bucket.read(snapshot)))).toBe(snapshot.digest);
    }
    await bucket.remove(listed[0] as Snapshot);
    expect((await bucket.list()).map(({ sequence }) => sequence)).toEqual([1, 0]);
  });

  it('are none where the upload ended in the middle, and what it left is removed', async () => {
    await put(1, randomBytes(300_000));
    await expect(bucket.put(facts(2), broken(randomBytes(600_000)), signal)).rejects.toThrow('the node was killed');
    expect((await bucket.list()).map(({ sequence }) => sequence)).toEqual([1]);
    const subjects = async () => {
      const info = await (await jetstream(connection).jetstreamManager()).streams.info(`OBJ_${stream}-snapshots`, {
        subjects_filter: '>',
      });
      return Object.keys(info.state.subjects ?? {}).length;
    };
    // the pieces of the upload that failed were on their way
    await vi.waitFor(async () => expect(await subjects()).toBe(3), { timeout: 10_000 });
    await bucket.removeRemains(60_000);
    expect(await subjects()).toBe(3);
    await bucket.removeRemains(0);
    expect(await subjects()).toBe(2);
    expect((await all(bucket.read((await bucket.list())[0] as Snapshot))).length).toBe(300_000);
  });

  it('are left out of the list where a piece is lost', async () => {
    await put(1, randomBytes(300_000));
    const { nuid } = await entryOf(connection, stream);
    const manager = await jetstream(connection).jetstreamManager();
    await manager.streams.purge(`OBJ_${stream}-snapshots`, { filter: `$O.${stream}-snapshots.C.${nuid}`, keep: 1 });
    expect(await bucket.list()).toEqual([]);
  });

  it('end where a piece is shorter than it was: the reader need not wait for more', async () => {
    const snapshot = await put(1, randomBytes(300_000));
    const { nuid } = await entryOf(connection, stream);
    const [name, subject] = [`OBJ_${stream}-snapshots`, `$O.${stream}-snapshots.C.${nuid}`];
    const manager = await jetstream(connection).jetstreamManager();
    const last = await manager.streams.getMessage(name, { last_by_subj: subject });
    await manager.streams.deleteMessage(name, last?.seq ?? 0);
    await jetstream(connection).publish(subject, randomBytes(100));
    expect(await bucket.list()).toEqual([snapshot]);
    expect((await all(bucket.read(snapshot))).length).toBe(2 * 128 * 1024 + 100);
  });
});

async function entryOf(connection: NatsConnection, stream: string): Promise<{ readonly nuid: string }> {
  const manager = await jetstream(connection).jetstreamManager();
  const message = await manager.streams.getMessage(`OBJ_${stream}-snapshots`, {
    last_by_subj: `$O.${stream}-snapshots.M.>`,
  });
  return JSON.parse(Buffer.from(message?.data ?? []).toString('utf8'));
}

async function* one(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

async function* broken(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
  throw new Error('the node was killed');
}

async function all(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read);
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}
