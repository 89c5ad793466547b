import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Organization, type Service } from '../server/running-service.ts';
import { findNats } from './find-nats.ts';
import { HeldConnection } from './held-connection.ts';
import { NatsCluster } from './nats-cluster.ts';
import { environmentOf, RelataNode } from './relata-nodes.ts';

const nats = findNats();
const why = 'missing' in nats ? ` (skipped: ${nats.missing})` : '';

/** Two nodes over one server. What the second one hears can be held back. */
describe.skipIf('missing' in nats)(`a node that is behind${why}`, () => {
  let servers: NatsCluster;
  let connection: HeldConnection;
  let ahead: RelataNode;
  let behind: RelataNode;
  let admin: Organization;
  const at = (node: Service, key: string): Organization => new Organization(node, admin.slug, key);

  beforeAll(async () => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '', servers: 1 });
    connection = await HeldConnection.to(servers.url);
    const environment = { ...environmentOf(servers), RELATA_CLUSTER_REPLICAS: '1', RELATA_CLUSTER_UNSAFE: '1' };
    ahead = await RelataNode.start(environment);
    behind = await RelataNode.start({ ...environment, RELATA_CLUSTER_URL: connection.url });
    admin = await ahead.organization('acme');
  });
  afterEach(() => connection.release());
  afterAll(async () => {
    await behind?.process.remove();
    await ahead?.process.remove();
    connection?.close();
    servers?.remove();
  });

  const newKey = async (): Promise<{ id: string; key: string }> => {
    const permissions = ['groups.create', 'groups.read', 'tuples.write'];
    const made = await admin.post('/admin/api-keys', { name: 'worker', permissions });
    const key = made.text('data.key');
    await expect.poll(async () => (await at(behind, key).call('GET', '/admin/groups')).status).toBe(200);
    return { id: made.text('data.id'), key };
  };

  it.each([
    {
      what: 'a right that was taken away',
      take: ({ id }: { id: string }) =>
        admin.post('/zanzibar/tuples', { deletes: [`permission:groups.create#granted@api_key:${id}`] }),
      status: 403,
    },
    {
      what: 'a key that was rotated',
      take: ({ id }: { id: string }) => admin.post(`/admin/api-keys/${id}/rotate`, {}),
      status: 401,
    },
    {
      what: 'a key that was revoked',
      take: ({ id }: { id: string }) => admin.call('DELETE', `/admin/api-keys/${id}`),
      status: 401,
    },
  ])('does not get through with $what elsewhere', async ({ what, take, status }) => {
    const key = await newKey();
    connection.hold();
    expect((await take(key)).status).toBeLessThan(300);
    expect((await at(behind, key.key).call('GET', '/admin/groups')).status).toBe(200);
    const asked = at(behind, key.key).post('/admin/groups', { name: what.replaceAll(' ', '-') });
    await sleep(500);
    connection.release();
    expect((await asked).status).toBe(status);
    const groups = await admin.call('GET', '/admin/groups');
    expect(groups.status).toBe(200);
    expect(JSON.stringify(groups.body)).not.toContain(what.replaceAll(' ', '-'));
  });
});
