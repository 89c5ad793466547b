import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { InProcessService } from '../../../identity/sessions/in-process-service.ts';
import { ClientScene } from './scene.ts';

let service: InProcessService;
let scene: ClientScene;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  scene = new ClientScene(await service.organization(`refusals${++count}`));
});
afterAll(() => service.stop());

const shop = { name: 'Shop', redirectUris: ['https://shop.example/cb'] };

const refusals = [
  { name: 'no name', body: { redirectUris: shop.redirectUris }, path: 'name' },
  { name: 'a name of blanks', body: { ...shop, name: '  ' }, path: 'name' },
  { name: 'a field that there is not', body: { ...shop, secret: 'mine' }, path: 'secret' },
  { name: 'no redirect URI', body: { name: 'Shop' }, path: 'redirectUris' },
  {
    name: 'a redirect URI twice',
    body: { ...shop, redirectUris: ['https://a.example/', 'https://a.example/'] },
    path: 'redirectUris[1]',
  },
  {
    name: '51 redirect URIs',
    body: { ...shop, redirectUris: Array.from({ length: 51 }, (_, n) => `https://a.example/${n}`) },
    path: 'redirectUris',
  },
  { name: 'a grant that there is not', body: { ...shop, grantTypes: ['password'] }, path: 'grantTypes[0]' },
  {
    name: 'a grant twice',
    body: { ...shop, grantTypes: ['authorization_code', 'authorization_code'] },
    path: 'grantTypes',
  },
  { name: 'the implicit grant', body: { ...shop, grantTypes: ['implicit'] }, path: 'grantTypes[0]' },
  { name: 'a token as response', body: { ...shop, responseTypes: ['token'] }, path: 'responseTypes[0]' },
  {
    name: 'code without its grant',
    body: { name: 'Shop', grantTypes: ['client_credentials'], responseTypes: ['code'] },
    path: 'responseTypes',
  },
  { name: 'refresh_token alone', body: { name: 'Shop', grantTypes: ['refresh_token'] }, path: 'grantTypes[0]' },
  {
    name: 'client_credentials of a public client',
    body: { ...shop, type: 'public', grantTypes: ['authorization_code', 'client_credentials'] },
    path: 'grantTypes[1]',
  },
  {
    name: 'exchange by a public client',
    body: {
      ...shop,
      type: 'public',
      grantTypes: ['authorization_code', 'urn:ietf:params:oauth:grant-type:token-exchange'],
    },
    path: 'grantTypes[1]',
  },
  {
    name: 'a secret of a public client',
    body: { ...shop, type: 'public', tokenEndpointAuthMethod: 'client_secret_post' },
    path: 'tokenEndpointAuthMethod',
  },
  {
    name: 'a confidential client without a proof',
    body: { ...shop, type: 'confidential', tokenEndpointAuthMethod: 'none' },
    path: 'tokenEndpointAuthMethod',
  },
  { name: 'private_key_jwt without keys', body: { ...shop, tokenEndpointAuthMethod: 'private_key_jwt' }, path: 'jwks' },
  {
    name: 'a symmetric key',
    body: { ...shop, jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } },
    path: 'jwks.keys[0].kty',
  },
  {
    name: 'a key that is none',
    body: { ...shop, jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }] } },
    path: 'jwks.keys[0]',
  },
  {
    name: 'a private key',
    body: {
      ...shop,
      jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', d: 'AA' }] },
    },
    path: 'jwks.keys[0].d',
  },
  { name: 'jwks_uri in the clear', body: { ...shop, jwksUri: 'http://shop.example/jwks' }, path: 'jwksUri' },
  {
    name: 'a logout address with a fragment',
    body: { ...shop, backchannelLogoutUri: 'https://shop.example/#out' },
    path: 'backchannelLogoutUri',
  },
  { name: 'a logo that is a script', body: { ...shop, logoUri: 'javascript:alert(1)' }, path: 'logoUri' },
  { name: 'a policy with a user', body: { ...shop, policyUri: 'https://me@shop.example/' }, path: 'policyUri' },
  { name: 'a scope with a blank', body: { ...shop, scopes: ['a b'] }, path: 'scopes[0]' },
  { name: 'a contact that is no address', body: { ...shop, contacts: ['me'] }, path: 'contacts[0]' },
  { name: 'a role that there is not', body: { ...shop, roles: ['nobody'] }, path: 'roles[0]' },
  { name: 'a permission that there is not', body: { ...shop, permissions: ['no:thing'] }, path: 'permissions[0]' },
];

test.each(refusals)('$name is refused where it stands, also as a change', async ({ body, path }) => {
  const created = await scene.call('POST', '/clients', body);
  expect(created.status).toBe(400);
  expect(created.list('errors')).toMatchObject([{ path }]);
  expect((await scene.call('GET', '/clients')).at('data.meta.total')).toBe(0);
});

test('a change that cannot be is refused, and changes nothing', async () => {
  const { id: made } = await scene.make(shop);
  const before = (await scene.call('GET', `/clients/${made}`)).body;
  for (const [body, path] of [
    [{ redirectUris: [] }, 'redirectUris'],
    [{ tokenEndpointAuthMethod: 'none' }, 'tokenEndpointAuthMethod'],
    [{ name: null }, 'name'],
    [{ clientSecret: 'x' }, 'clientSecret'],
  ] as const) {
    const answer = await scene.call('PATCH', `/clients/${made}`, body);
    expect({ path, status: answer.status }).toEqual({ path, status: 400 });
    expect(answer.list('errors')).toMatchObject([{ path }]);
  }
  expect((await scene.call('GET', `/clients/${made}`)).body).toEqual(before);
});
