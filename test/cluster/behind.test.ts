import { setTimeout as sleep } from 'node:timers/promises';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Organization, platformKey, type Service } from '../server/running-service.ts';
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
    const environment = {
      ...environmentOf(servers),
      RELATA_CLUSTER_REPLICAS: '1',
      RELATA_CLUSTER_UNSAFE: '1',
      RELATA_CLUSTER_SILENT_S: '15',
      RELATA_CLUSTER_SILENT_KEYS_S: '20',
    };
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

  it('refuses tokens, then keys, when it has heard nothing of the log for the times that are set, and comes back', async () => {
    const scopes = ['settings.manage', 'groups.read'];
    const made = { name: 'program', grantTypes: ['client_credentials'], scopes, permissions: scopes };
    const client = await admin.post('/admin/clients', made);
    const sender = { client_id: client.text('data.clientId'), client_secret: client.text('data.clientSecret') };
    const path = `/orgs/${admin.slug}/api/v1/oauth`;
    const send = (node: Service, name: string, form: Readonly<Record<string, string>>) =>
      node.call('POST', `${path}/${name}`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...sender, ...form }).toString(),
      });
    const token = (await send(ahead, 'token', { grant_type: 'client_credentials' })).text('access_token');
    const status = async (node: Service, key: string) => (await at(node, key).call('GET', '/admin/groups')).status;
    await expect.poll(() => status(behind, token)).toBe(200);
    connection.hold();
    const since = performance.now();
    const revoked = await send(ahead, 'revoke', { token });
    expect([revoked.status, await status(ahead, token)]).toEqual([200, 401]);
    await expect.poll(() => status(behind, token)).toBe(503);
    const tokenRefusedMs = performance.now() - since;
    const refusal = await at(behind, token).call('GET', '/admin/groups');
    expect(refusal.text('detail')).toContain('heard nothing');
    expect((await send(behind, 'introspect', { token })).status).toBe(503);
    await expect.poll(() => status(behind, admin.key)).toBe(503);
    expect(performance.now() - since).toBeGreaterThan(tokenRefusedMs + 1000);
    expect(tokenRefusedMs).toBeLessThan(25_000);
    expect((await behind.call('GET', '/platform/api/v1/orgs', { key: platformKey })).status).toBe(200);
    expect((await behind.call('GET', '/healthz')).status).toBe(200);
    connection.release();
    await expect.poll(() => status(behind, admin.key)).toBe(200);
    await expect.poll(() => status(behind, token)).toBe(401);
  });

  it('takes a proof of possession once, whichever node was shown it before', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const jwk = await exportJWK(publicKey);
    const own = { name: 'bound', type: 'confidential', grantTypes: ['client_credentials'] };
    const client = await admin.post('/admin/clients', { ...own, scopes: [], permissions: [] });
    const htu = `http://localhost:8080/orgs/${admin.slug}/api/v1/oauth/token`;
    const proof = await new SignJWT({ htm: 'POST', htu, jti: 'used-once' })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .setIssuedAt()
      .sign(privateKey);
    const send = (node: Service) =>
      node.call('POST', `/orgs/${admin.slug}/api/v1/oauth/token`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded', dpop: proof },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: client.text('data.clientId'),
          client_secret: client.text('data.clientSecret'),
        }).toString(),
      });
    const path = `/admin/clients/${client.text('data.clientId')}`;
    await expect.poll(async () => (await at(behind, admin.key).call('GET', path)).status).toBe(200);
    const answers = await Promise.all([send(ahead), send(behind), send(ahead), send(behind)]);
    expect(answers.map(({ status }) => status).toSorted(), JSON.stringify(answers.map(({ body }) => body))).toEqual([
      200, 400, 400, 400,
    ]);
    expect((await send(behind)).text('error')).toBe('invalid_dpop_proof');
  });
});
