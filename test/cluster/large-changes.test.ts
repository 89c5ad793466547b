import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectTo } from '../../engine/log/stream/nats/connection/connect.ts';
import { Organization, type Service } from '../server/running-service.ts';
import { findNats } from './find-nats.ts';
import { isThere, largeModel, writeLarge } from './large-documents.ts';
import { NatsCluster } from './nats-cluster.ts';
import { RelataNodes } from './relata-nodes.ts';

const nats = findNats();
const why = 'missing' in nats ? ` (skipped: ${nats.missing})` : '';

describe.skipIf('missing' in nats)(`a change that no message has room for${why}`, () => {
  let servers: NatsCluster;
  let connection: NatsConnection;
  let cluster: RelataNodes;
  let admin: Organization;
  const at = (node: Service): Organization => new Organization(node, admin.slug, admin.key);

  beforeAll(async () => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '', servers: 1 });
    connection = await connectTo(servers.settings);
    cluster = await RelataNodes.start(servers, 2, {
      RELATA_CLUSTER_REPLICAS: '1',
      RELATA_CLUSTER_UNSAFE: '1',
      RELATA_LIMIT_BODY_BYTES: String(16 * 2 ** 20),
    });
    admin = await cluster.get(0).organization('acme');
    expect((await admin.post('/zanzibar/models', { dsl: largeModel })).status).toBe(201);
  });
  afterAll(async () => {
    await cluster?.remove();
    await connection?.close();
    servers?.remove();
  });

  it('is taken by one node and seen wholly by the other at its revision', async () => {
    const [one, other] = [at(cluster.get(0)), at(cluster.get(1))];
    // until a node has seen in the log what all read, it says that it does not know
    await expect.poll(async () => (await writeLarge(one, 'first', 5000)).status).toBe(200);
    const written = await writeLarge(one, 'second', 10_000);
    expect(written.status).toBe(200);
    expect(await isThere(other, 'second', { atLeast: written.text('revision') })).toBe(true);
  });

  it('is refused with what to do while a node of an older version is there, and small ones are not', async () => {
    // an older version tells neither its formats nor anything else that is new
    const older = {
      name: 'relata 0.0.9 old:8080',
      sequence: 1,
      behind: 0,
      state: '',
      isReading: true,
      isWritable: true,
    };
    connection.subscribe('relata.status', {
      callback: (_error, message) => void message.respond(JSON.stringify(older)),
    });
    const one = at(cluster.get(0));
    for (const node of cluster.nodes) {
      await expect.poll(async () => (await writeLarge(at(node), 'until', 5000)).status).toBe(413);
    }
    const refused = await writeLarge(at(cluster.get(1)), 'refused', 5000);
    expect(refused.status).toBe(413);
    expect(refused.body).toMatchObject({ code: 'too_large' });
    expect(refused.text('detail')).toContain('no node of an older version is left');
    expect(await isThere(one, 'refused', { mode: 'fully_consistent' })).toBe(false);
    expect((await writeLarge(one, 'small', 10)).status).toBe(200);
  });
});
