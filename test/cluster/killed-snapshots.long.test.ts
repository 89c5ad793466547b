/** `npm test` has snapshots that are made and loaded (`snapshots.test.ts`). */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectTo } from '../../engine/log/stream/nats/connection/connect.ts';
import { ObjectBucket } from '../../engine/log/stream/nats/object-bucket.ts';
import type { Snapshot } from '../../engine/log/stream/snapshots/snapshot.ts';
import { nextPort } from '../server/next-port.ts';
import { Organization, type Service, spawnService } from '../server/running-service.ts';
import { findNats } from './find-nats.ts';
import { isThere, largeModel, writeLarge } from './large-documents.ts';
import { NatsCluster } from './nats-cluster.ts';
import { environmentOf, RelataNode } from './relata-nodes.ts';

const nats = findNats();
const why = 'missing' in nats ? ` (skipped: ${nats.missing})` : '';
const MEGABYTE = 1_000_000;
const STARTS = 'this node starts from a snapshot';
const LEASE = 'this node runs the shared jobs';

describe.skipIf('missing' in nats)(`a node that is killed${why}`, () => {
  let servers: NatsCluster;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  let bucket: ObjectBucket;
  let environment: Readonly<Record<string, string>>;
  let admin: Organization;
  const nodes: RelataNode[] = [];
  const names = ['one', 'two', 'three'];
  const at = (node: Service): Organization => new Organization(node, admin.slug, admin.key);
  const start = async (folder?: string): Promise<RelataNode> => {
    const node = await RelataNode.start(environment, folder);
    nodes.push(node);
    return node;
  };

  beforeAll(async () => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '', servers: 1 });
    connection = await connectTo(servers.settings);
    manager = await jetstreamManager(connection);
    bucket = await ObjectBucket.open(connection, servers.settings);
    environment = {
      ...environmentOf(servers),
      RELATA_CLUSTER_REPLICAS: '1',
      RELATA_CLUSTER_UNSAFE: '1',
      // one after the other, as fast as they may be made
      RELATA_CLUSTER_SNAPSHOT_MESSAGES: '1',
      RELATA_LIMIT_BODY_BYTES: String(16 * 2 ** 20),
    };
    admin = await (await start()).organization('acme');
    await start();
  });
  afterAll(async () => {
    for (const node of nodes) await node.process.remove();
    await connection?.close();
    servers?.remove();
  });

  /** Objects that have some pieces and no entry: how many pieces. */
  async function halves(): Promise<number[]> {
    const info = await manager.streams.info('OBJ_relata-snapshots', { subjects_filter: '$O.relata-snapshots.C.>' });
    const all = Object.entries(info.state.subjects ?? {});
    const listed = new Set<string>();
    for (const [subject] of all) {
      const entry = await entryOf(subject);
      if (entry) listed.add(subject);
    }
    return all.flatMap(([subject, pieces]) => (listed.has(subject) ? [] : [pieces]));
  }

  async function entryOf(subject: string): Promise<boolean> {
    const info = await manager.streams.info('OBJ_relata-snapshots', { subjects_filter: '$O.relata-snapshots.M.>' });
    for (const each of Object.keys(info.state.subjects ?? {})) {
      const message = await manager.streams.getMessage('OBJ_relata-snapshots', { last_by_subj: each });
      const text = Buffer.from(message?.data ?? []).toString('utf8');
      if (text !== '' && subject.endsWith(`.${JSON.parse(text).nuid}`)) return true;
    }
    return false;
  }

  async function isWhole(snapshot: Snapshot): Promise<boolean> {
    const hash = createHash('sha256');
    for await (const piece of bucket.read(snapshot)) hash.update(piece);
    return hash.digest('base64url') === snapshot.digest;
  }

  it('while it sends a snapshot leaves the two that are kept, and the next node makes others', async () => {
    const [first] = nodes as [RelataNode];
    expect((await admin.post('/zanzibar/models', { dsl: largeModel })).status).toBe(201);
    for (const name of names) {
      await expect.poll(async () => (await writeLarge(at(first), name, 12_000)).status).toBe(200);
    }
    const areLarge = async () => (await bucket.list()).map(({ bytes }) => bytes > 30 * MEGABYTE);
    await expect.poll(areLarge).toEqual([true, true]);
    const holder = nodes.find(({ process }) => process.output().includes(LEASE));
    const other = nodes.find((node) => node !== holder);
    if (holder === undefined || other === undefined) throw new Error('no node has the lease');
    for (let pieces: number[] = []; !pieces.some((count) => count > 20 && count < 200); ) pieces = await halves();
    await holder.process.stop('SIGKILL');
    expect((await halves()).length).toBe(1);
    const kept = await bucket.list();
    expect(kept).toHaveLength(2);
    for (const each of kept) expect(await isWhole(each)).toBe(true);
    expect((await writeLarge(at(other), 'after', 10)).status).toBe(200);
    await expect.poll(async () => (await bucket.list())[0]?.sequence).toBeGreaterThan(kept[0]?.sequence ?? 0);
    expect(await isWhole((await bucket.list())[0] as Snapshot)).toBe(true);
    const back = await start(holder.folder);
    for (const name of [...names, 'after']) expect(await isThere(at(back), name)).toBe(true);
  });

  it('while it loads a snapshot begins again, and has everything', async () => {
    const folder = await killedWhileLoading();
    const node = await start(folder);
    expect(node.process.output()).toContain(STARTS);
    for (const name of [...names, 'after']) {
      expect(await isThere(at(node), name, { mode: 'fully_consistent' })).toBe(true);
    }
    expect(existsSync(join(folder, 'data', 'store.snapshot'))).toBe(false);
  });

  /** Answers its folder. A load that is over before it is seen is done again. */
  async function killedWhileLoading(): Promise<string> {
    const [{ bytes = 0 } = {}] = await bucket.list();
    for (let tries = 0; tries < 20; tries++) {
      const folder = mkdtempSync(join(tmpdir(), 'relata-killed-'));
      const { child, output } = spawnService(folder, { ...environment, RELATA_PORT: String(await nextPort()) });
      const loaded = (): number =>
        statSync(join(folder, 'data', 'store.snapshot', 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0;
      while (child.exitCode === null && loaded() < MEGABYTE && !output().includes(STARTS)) await sleep(1);
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      // once all of it is there, the file is renamed
      if (loaded() > 0 && loaded() < bytes) return folder;
      rmSync(folder, { recursive: true, force: true });
    }
    throw new Error('no node was killed while it loaded a snapshot');
  }
});
