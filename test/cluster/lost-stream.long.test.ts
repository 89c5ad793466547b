/** `npm test` has side streams (`side-streams.test.ts`) and a log that the servers have lost (`begin-log.test.ts`). */
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
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

/** So large that it stands in the organization's stream. */
const [DOCUMENTS, NOTE_BYTES] = [20, 1000];
const STREAM = 1;

describe.skipIf('missing' in nats)(`a cluster of which one stream alone has lost messages${why}`, () => {
  let servers: NatsCluster;
  let cluster: RelataNodes;
  let admin: Organization;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  const written: string[] = [];

  beforeAll(async () => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '' });
    connection = await connectTo(servers.settings);
    manager = await jetstreamManager(connection);
    cluster = await RelataNodes.start(servers, 3, { RELATA_CLUSTER_STREAMS: '3' });
    admin = await cluster.get(0).organization('acme');
    expect((await admin.post('/zanzibar/models', { dsl: largeModel })).status).toBe(201);
  });
  afterAll(async () => {
    await cluster?.remove();
    await connection?.close();
    servers?.remove();
  });

  const at = (node: Service): Organization => new Organization(node, admin.slug, admin.key);
  /** Notes what is acknowledged. Answers the status, 0 where there is no answer. */
  const write = async (node: Service, name: string): Promise<number> => {
    const answer = await writeNoted(at(node), name, DOCUMENTS, NOTE_BYTES).catch(() => undefined);
    if (answer?.status === 200) written.push(name);
    return answer?.status ?? 0;
  };
  const isThere = async (node: Service, name: string): Promise<boolean> => {
    const question = { object: `document:${name}-${DOCUMENTS - 1}`, relation: 'viewer', subject: 'user:anne' };
    return (await at(node).post('/zanzibar/check', question)).at('allowed') === true;
  };
  /** By what a node that stopped says of itself. */
  const appliedBy = (i: number): number =>
    Number(/has applied message (\d+) of the log/.exec(cluster.get(i).process.output())?.[1] ?? -1);

  it.each([
    { name: 'all', kept: 0 },
    { name: 'some, and has others in their place', kept: 2 },
  ])('stops when it lost $name, and has every acknowledged change at every node after the repair', async ({ kept }) => {
    const move = () => clusterCommand(environmentOf(servers), 'move', 'acme', String(STREAM));
    // until a node has seen in the log what all of them read, it says that it does not know
    await expect.poll(() => move().catch(({ stderr }) => stderr)).toMatchObject({ stderr: '' });
    expect(await write(cluster.get(2), `before-${kept}`)).toBe(200);
    await cluster.get(2).process.stop();
    for (let n = 0; n < 10; n++) expect(await write(cluster.get(n % 2), `later-${kept}-${n}`)).toBe(200);

    const name = await nameOfStream(manager, STREAM);
    const { config } = await manager.streams.info(name);
    await manager.streams.delete(name);
    if (kept > 0) await manager.streams.add(config);
    for (let n = 0; n < kept; n++) await jetstream(connection).publish(config.subjects?.[0] ?? '', 'another');
    let tried = 0;
    const haveStopped = async (): Promise<boolean> => {
      for (const i of [0, 1]) await write(cluster.get(i), `meanwhile-${kept}-${tried++}`);
      return [0, 1].every((i) => cluster.get(i).process.output().includes('"relata cluster repair"'));
    };
    await expect.poll(haveStopped, { timeout: 60_000 }).toBe(true);
    for (const i of [0, 1]) expect(cluster.get(i).process.output()).toContain(`side stream ${STREAM} ends at`);
    await expect(cluster.restart(2)).rejects.toThrow(/relata cluster repair/);
    for (const node of cluster.nodes) await node.process.stop();

    const furthest = appliedBy(0) > appliedBy(1) ? 0 : 1;
    expect(appliedBy(furthest)).toBeGreaterThan(0);
    const env = { ...environmentOf(servers), RELATA_DATA_DIR: `${cluster.get(furthest).folder}/data` };
    expect((await clusterCommand(env, 'repair')).stdout).toContain('The log of the cluster begins with these data');
    for (const i of [0, 1, 2]) await cluster.restart(i);
    for (const node of cluster.nodes) {
      for (const each of written) expect(await isThere(node, each), each).toBe(true);
    }
    await expect.poll(() => write(cluster.get(0), `after-${kept}`)).toBe(200);
    await expect.poll(() => isThere(cluster.get(2), `after-${kept}`)).toBe(true);
    // it is in the stream that the organization had before
    expect((await manager.streams.info(await nameOfStream(manager, STREAM))).state.messages).toBeGreaterThan(0);
    await expect.poll(areEqual).toBe(true);
    await expect(clusterCommand(env, 'repair')).rejects.toMatchObject({
      stderr: expect.stringContaining('is used by process'),
    });
  });

  async function areEqual(): Promise<boolean> {
    const contents = await contentsOf(cluster.nodes.map(({ folder }) => folder));
    return contents.every(({ hash }) => hash !== '' && hash === contents[0]?.hash);
  }
});
