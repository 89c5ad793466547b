import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectTo } from '../../engine/log/stream/nats/connection/connect.ts';
import { Organization, type Service } from '../server/running-service.ts';
import { clusterCommand } from './documents.ts';
import { contentsOf } from './faults/node-content.ts';
import { findNats } from './find-nats.ts';
import { largeModel, nameOfStream, writeNoted } from './large-documents.ts';
import { NatsCluster } from './nats-cluster.ts';
import { environmentOf, RelataNodes } from './relata-nodes.ts';

const nats = findNats();
const why = 'missing' in nats ? ` (skipped: ${nats.missing})` : '';

const [SERVERS, REPLICAS, STREAMS] = [5, 3, 8];
/** So large that it stands in the organization's stream. */
const [DOCUMENTS, NOTE_BYTES] = [20, 1000];
const patience = { timeout: 60_000 };
/** The server that is left may answer for a stream that has no leader, or not. */
const leaderless = (stream: string): RegExp =>
  new RegExp(`^${stream}: (does not answer,.*|.*\\n  no server leads)$`, 'm');

describe.skipIf('missing' in nats)(`streams on three of five servers, two of which are stopped${why}`, () => {
  let servers: NatsCluster;
  let cluster: RelataNodes;
  let admin: Organization;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  const written: string[] = [];

  beforeAll(async () => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '', servers: SERVERS });
    connection = await connectTo(servers.settings);
    manager = await jetstreamManager(connection);
    cluster = await RelataNodes.start(servers, 2, { RELATA_CLUSTER_STREAMS: String(STREAMS) });
    admin = await cluster.get(0).organization('acme');
    expect((await admin.post('/zanzibar/models', { dsl: largeModel })).status).toBe(201);
  });
  afterAll(async () => {
    await cluster?.remove();
    await connection?.close();
    servers?.remove();
  });

  const at = (node: Service): Organization => new Organization(node, admin.slug, admin.key);
  /** Notes what is acknowledged. Answers the status. */
  const write = async (node: Service, name: string): Promise<number> => {
    const { status } = await writeNoted(at(node), name, DOCUMENTS, NOTE_BYTES);
    if (status === 200) written.push(name);
    return status;
  };
  const move = (stream: number): Promise<unknown> =>
    clusterCommand(environmentOf(servers), 'move', admin.slug, String(stream)).catch((error: unknown) => error);
  const ready = async (node: Service): Promise<unknown> => (await node.call('GET', '/readyz')).at('checks.log');
  /** What the command prints, and its exit code. */
  const status = (): Promise<{ readonly stdout: string; readonly stderr: string; readonly code?: number }> =>
    clusterCommand(environmentOf(servers), 'status').catch((error) => error);
  /** The numbers of the servers that keep a stream. */
  const keepersOf = async (name: string): Promise<number[]> => {
    const { cluster: raft } = await manager.streams.info(name);
    const names = [raft?.leader ?? '', ...(raft?.replicas ?? []).map((each) => each.name)];
    return names.map((each) => Number(each.slice(1)));
  };
  /** Stops two of the servers, starts them again, and has everything as before. */
  const without = async (stopped: readonly number[], meanwhile: () => Promise<void>): Promise<void> => {
    for (const i of stopped) await servers.kill(i);
    try {
      await meanwhile();
    } finally {
      for (const i of stopped) servers.run(i);
    }
    for (const node of cluster.nodes) await expect.poll(() => ready(node), patience).toBe('ok');
    await expect.poll(status, patience).toMatchObject({ stderr: '' });
    expect((await status()).code).toBeUndefined();
    for (const node of cluster.nodes)
      await expect.poll(() => write(node, `after-${written.length}`), patience).toBe(200);
    await expect.poll(areEqual, patience).toBe(true);
    for (const node of cluster.nodes) for (const each of written) expect(await isThere(node, each), each).toBe(true);
  };
  const isThere = async (node: Service, name: string): Promise<boolean> => {
    const question = { object: `document:${name}-${DOCUMENTS - 1}`, relation: 'viewer', subject: 'user:anne' };
    return (await at(node).post('/zanzibar/check', question)).at('allowed') === true;
  };
  const areEqual = async (): Promise<boolean> => {
    const [one, other] = await contentsOf(cluster.nodes.map(({ folder }) => folder));
    return one?.hash !== '' && one?.hash === other?.hash;
  };

  it('name a side stream, write on without it, and use it again', { timeout: 240_000 }, async () => {
    const ofLog = await keepersOf('relata');
    expect(ofLog).toHaveLength(REPLICAS);
    let [stream, stopped]: [number, number[]] = [0, []];
    // servers spread streams as they like: one is looked for whose majority can stop without that of the log
    for (let number = 1; number < STREAMS && stopped.length === 0; number++) {
      await expect.poll(() => move(number), patience).toMatchObject({ stderr: '' });
      expect(await write(cluster.get(0), `in-${number}`)).toBe(200);
      const keepers = await keepersOf(await nameOfStream(manager, number));
      const others = keepers.filter((each) => !ofLog.includes(each));
      const [first, ...rest] = [...others, ...keepers.filter((each) => ofLog.includes(each))];
      if (others.length > 0) [stream, stopped] = [number, [first as number, rest[0] as number]];
    }
    expect(stopped).toHaveLength(2);
    await without(stopped, async () => {
      for (const node of cluster.nodes) {
        await expect.poll(() => ready(node), patience).toBe(`stream ${stream} does not answer`);
        await expect.poll(() => write(node, `without-${written.length}`), patience).toBe(200);
      }
      const told = await status();
      expect(told.code).toBe(1);
      expect(told.stdout).toMatch(leaderless(`stream ${stream} beside it`));
      expect(told.stdout).toMatch(new RegExp(`^  stream ${stream}: .*, does not answer$`, 'm'));
    });
    const messages = async (): Promise<number> =>
      (await manager.streams.info(await nameOfStream(manager, stream))).state.messages;
    const before = await messages();
    const grows = async (): Promise<number> => {
      await write(cluster.get(0), `again-${written.length}`);
      return messages();
    };
    await expect.poll(grows, patience).toBeGreaterThan(before);
  });

  it('name the log, refuse writes, answer checks, and go on', { timeout: 240_000 }, async () => {
    const stopped = (await keepersOf('relata')).slice(0, 2);
    await without(stopped, async () => {
      for (const node of cluster.nodes) {
        await expect.poll(() => write(node, `refused-${written.length}`), patience).toBe(503);
        await expect.poll(() => ready(node), patience).toBe('cut off: writes are refused');
        expect(await isThere(node, written[0] as string)).toBe(true);
      }
      // a node whose server was stopped may still be on its way to another one
      const refusing = async (): Promise<unknown> => (await status()).stdout.match(/refuses writes$/gm);
      await expect.poll(refusing, patience).toHaveLength(cluster.nodes.length);
      const told = await status();
      expect(told.code, told.stderr).toBe(1);
      expect(told.stdout).toMatch(leaderless('stream relata'));
    });
  });
});
