import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { InProcessService } from '../../../identity/sessions/in-process-service.ts';
import { ClientScene, families, id, secret, time } from './scene.ts';

let service: InProcessService;
let scene: ClientScene;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  scene = new ClientScene(await service.organization(`clients${++count}`));
});
afterAll(() => service.stop());

const standardScopes = ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'];
const view = {
  id,
  clientId: id,
  name: 'Shop',
  type: 'confidential',
  registration: 'admin',
  subject: expect.stringMatching(/^oauth_client:/),
  tokenEndpointAuthMethod: 'client_secret_basic',
  redirectUris: ['https://shop.example/cb'],
  postLogoutRedirectUris: [],
  grantTypes: ['authorization_code', 'refresh_token'],
  responseTypes: ['code'],
  scopes: standardScopes,
  roles: [],
  permissions: [],
  contacts: [],
  clientUri: null,
  logoUri: null,
  policyUri: null,
  tosUri: null,
  jwks: null,
  jwksUri: null,
  backchannelLogoutUri: null,
  idTokenSignedResponseAlg: 'RS256',
  accessTokenSigningAlg: 'ES256',
  defaultMaxAge: null,
  skipConsent: false,
  requirePushedAuthorizationRequests: false,
  dpopBoundAccessTokens: false,
  backchannelLogoutSessionRequired: false,
  allowedResources: [],
  applicationType: null,
  servedResources: [],
  mayAct: [],
  mayImpersonate: false,
  accessTokenLifetime: null,
  federatedCredentials: [],
  assertionAudiences: [],
  isActive: true,
  createdAt: time,
  updatedAt: time,
  secretRotatedAt: null,
  lastUsedAt: null,
};
const shop = { name: 'Shop', redirectUris: ['https://shop.example/cb'] };

describe.each(families)('a client in the %s family', (family) => {
  beforeEach(() => {
    scene = new ClientScene(scene.org, family);
  });

  test('is created with every field, and its secret is shown this once', async () => {
    const created = await scene.call('POST', '/clients', shop);
    expect(created.status).toBe(201);
    const item = { ...view, clientSecret: secret };
    expect(created.body).toEqual(
      family === 'org' ? { data: { data: item } } : { data: item, message: expect.any(String) },
    );
    const { id: made, clientSecret } = scene.inside(created) as { id: string; clientSecret: string };
    const read = await scene.call('GET', `/clients/${made}`);
    expect(read.body).toEqual(scene.single(view));
    expect(service.everythingStored()).not.toContain(clientSecret);
  });

  test('of every other kind is created with what follows from its kind', async () => {
    const kinds = [
      [{ type: 'public' }, { type: 'public', tokenEndpointAuthMethod: 'none', clientSecret: null }],
      [{ tokenEndpointAuthMethod: 'none' }, { type: 'public', clientSecret: null }],
      [
        { grantTypes: ['client_credentials'], redirectUris: [] },
        { responseTypes: [], scopes: [], clientSecret: secret },
      ],
      [
        { tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: 'https://shop.example/jwks' },
        { type: 'confidential', clientSecret: null, jwksUri: 'https://shop.example/jwks' },
      ],
    ] as const;
    for (const [given, expected] of kinds) {
      const created = await scene.call('POST', '/clients', { ...shop, ...given });
      expect(created.status).toBe(201);
      expect(scene.inside(created)).toMatchObject(expected);
    }
  });

  test.each(['PUT', 'PATCH'])(
    '%s changes what is sent; null takes an address away; what is read can be sent back',
    async (method) => {
      const { id: made } = await scene.make({ ...shop, logoUri: 'https://shop.example/logo.png' });
      const path = `/clients/${made}`;
      const changes = { name: 'Store', scopes: ['openid'], contacts: ['it@shop.example'], logoUri: null };
      const changed = await scene.call(method, path, changes);
      const expected = { ...view, name: 'Store', scopes: ['openid'], contacts: ['it@shop.example'] };
      expect(changed.body).toEqual(scene.single(expected));
      const again = await scene.call(method, path, scene.inside(await scene.call('GET', path)));
      expect(again.body).toEqual(scene.single(expected));
    },
  );

  test('has its secret replaced: the old one fails at once', async () => {
    const made = await scene.makeService();
    const form = { client_id: made.id, client_secret: made.clientSecret };
    expect((await scene.token(form)).status).toBe(200);
    const rotated = await scene.call('POST', `/clients/${made.id}/rotate-secret`);
    expect(rotated.status).toBe(200);
    const { clientSecret, secretRotatedAt } = scene.inside(rotated) as Record<string, string>;
    expect({ clientSecret, secretRotatedAt }).toEqual({ clientSecret: secret, secretRotatedAt: time });
    expect((await scene.token(form)).status).toBe(401);
    expect((await scene.token({ client_id: made.id, client_secret: clientSecret ?? '' })).status).toBe(200);
  });

  test('is deleted: 204, then 404 everywhere', async () => {
    const { id: made } = await scene.make();
    const path = `/clients/${made}`;
    expect((await scene.call('DELETE', path)).status).toBe(204);
    for (const [method, where, body] of [
      ['GET', path],
      ['DELETE', path],
      ['PATCH', path, {}],
      ['POST', `${path}/rotate-secret`],
    ] as const) {
      expect((await scene.call(method, where, body)).status).toBe(404);
    }
  });

  test('lists are searched, filtered, sorted and paged', async () => {
    for (const name of ['Beta', 'alpha', 'Gamma']) await scene.make({ name });
    await scene.make({ name: 'Phone', type: 'public', isActive: false });
    const names = async (query: string) => {
      const answer = await scene.call('GET', `/clients?${query}`);
      expect(answer.status).toBe(200);
      return answer.list(family === 'org' ? 'data.data' : 'data').map((each) => (each as { name: string }).name);
    };
    expect(await names('sortBy=name')).toEqual(['alpha', 'Beta', 'Gamma', 'Phone']);
    expect(await names('sortBy=name&sortOrder=desc&limit=2')).toEqual(['Phone', 'Gamma']);
    expect(await names('sortBy=name&limit=3&page=2')).toEqual(['Phone']);
    expect(await names('search=ET')).toEqual(['Beta']);
    expect(await names('type=public')).toEqual(['Phone']);
    expect(await names('isActive=false')).toEqual(['Phone']);
    expect(await names('registration=dynamic')).toEqual([]);
    const wrong = await Promise.all(
      ['sortBy=secretDigest', 'limit=0', 'type=x', 'foo=1'].map((each) => scene.call('GET', `/clients?${each}`)),
    );
    expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  });
});

test('a client without a secret has none to rotate', async () => {
  const { id: made } = await scene.make({ type: 'public' });
  expect((await scene.call('POST', `/clients/${made}/rotate-secret`)).status).toBe(422);
});

test('a method that needs no secret forgets the one that there was', async () => {
  const made = await scene.makeService();
  const path = `/clients/${made.id}`;
  const keys = { tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: 'https://shop.example/jwks' };
  expect((await scene.call('PATCH', path, keys)).status).toBe(200);
  expect((await scene.call('PATCH', path, { tokenEndpointAuthMethod: 'client_secret_post' })).status).toBe(200);
  expect((await scene.token({ client_id: made.id, client_secret: made.clientSecret })).status).toBe(401);
});

test('clients of another organization are not there', async () => {
  const { id: made } = await scene.make();
  const other = new ClientScene(await service.organization(`clients${++count}`));
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { name: 'Mine' }],
    ['DELETE', '', undefined],
    ['POST', '/rotate-secret', undefined],
  ] as const) {
    expect((await other.call(method, `/clients/${made}${path}`, body)).status).toBe(404);
  }
});

test('what a client may do is on record, before and after', async () => {
  const { id } = await scene.makeService({ permissions: ['users.read', 'roles.read'] });
  await scene.call('PATCH', `/clients/${id}`, { permissions: ['roles.read', 'users.read'] });
  await scene.call('PATCH', `/clients/${id}`, { permissions: ['groups.read'] });
  const entries = async (action: string) =>
    (await scene.call('GET', `/audit-logs?action=${action}`)).list('data.data').map((each) => {
      const { metadata } = each as { metadata: object };
      return metadata;
    });
  const about = { name: expect.any(String), registration: 'admin', requestId: expect.any(String) };
  expect(await entries('client.create')).toEqual([
    { ...about, grantTypes: ['client_credentials'], roles: [], permissions: ['roles.read', 'users.read'] },
  ]);
  expect(await entries('client.update')).toEqual([
    { ...about, changes: { permissions: { before: ['roles.read', 'users.read'], after: ['groups.read'] } } },
  ]);
});

test('what was done is on record, without a secret, and clients are counted', async () => {
  const made = await scene.make();
  await scene.call('PATCH', `/clients/${made.id}`, { name: 'Other', contacts: ['anne@shop.example'] });
  await scene.call('POST', `/clients/${made.id}/rotate-secret`);
  expect((await scene.call('GET', '/info')).at('data.data.usage.clients')).toBe(1);
  await scene.call('DELETE', `/clients/${made.id}`);
  expect((await scene.call('GET', '/info')).at('data.data.usage.clients')).toBe(0);
  const log = await scene.call('GET', '/audit-logs?limit=20');
  const entries = log.list('data.data') as { action: string; eventType: string; targetId: string }[];
  const ours = entries
    .filter(({ targetId }) => targetId === made.id)
    .map(({ action, eventType }) => [eventType, action]);
  expect(ours.toSorted()).toEqual([
    ['admin.action', 'client.delete'],
    ['admin.action', 'client.rotate_secret'],
    ['admin.action', 'client.update'],
    ['client.created', 'client.create'],
  ]);
  expect(JSON.stringify(log.body)).not.toContain(made.clientSecret);
  expect(JSON.stringify(log.body)).not.toContain('anne@shop.example');
});
