import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { InProcessService } from '../../../identity/sessions/in-process-service.ts';
import type { Answer } from '../../../server/running-service.ts';
import { basic, ClientScene, id, secret } from './scene.ts';

let service: InProcessService;
let scene: ClientScene;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  service.clock.advance(60_000);
  scene = new ClientScene(await service.organization(`register${++count}`));
  await scene.openRegistration();
});
afterAll(() => service.stop());

const redirects = { redirect_uris: ['https://app.example/cb'] };

interface Registration {
  readonly client_id: string;
  readonly client_secret: string;
  readonly registration_access_token: string;
}

async function registered(metadata: Readonly<Record<string, unknown>> = {}): Promise<Registration> {
  const answer = await scene.register('POST', '', { ...redirects, ...metadata });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body as Registration;
}

const uri = expect.stringMatching(/^http:\/\/[^/]+\/orgs\/register\d+\/api\/v1\/connect\/register\/[0-9a-f-]{36}$/);
const view = {
  client_id: id,
  client_id_issued_at: expect.any(Number),
  client_secret: secret,
  client_secret_expires_at: 0,
  registration_access_token: secret,
  registration_client_uri: uri,
  client_name: 'app.example',
  application_type: 'web',
  redirect_uris: ['https://app.example/cb'],
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  scope: 'openid profile email address phone offline_access',
  contacts: [],
  post_logout_redirect_uris: [],
  id_token_signed_response_alg: 'RS256',
  require_pushed_authorization_requests: false,
  dpop_bound_access_tokens: false,
  backchannel_logout_session_required: false,
};

test('a client registers itself with every default, and what it does not know is ignored', async () => {
  const answer = await scene.register('POST', '', { ...redirects, software_id: 'x', require_auth_time: true });
  expect({ status: answer.status, body: answer.body }).toEqual({ status: 201, body: view });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const { client_secret: clientSecret, registration_access_token: token } = answer.body as Registration;
  expect(service.everythingStored()).not.toContain(clientSecret);
  expect(service.everythingStored()).not.toContain(token);
});

test('and with everything that it can say', async () => {
  const metadata = {
    ...redirects,
    client_name: 'App',
    token_endpoint_auth_method: 'private_key_jwt',
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    response_types: ['code'],
    scope: 'openid email',
    contacts: ['it@app.example'],
    client_uri: 'https://app.example/',
    logo_uri: 'https://app.example/logo.png',
    policy_uri: 'https://app.example/policy',
    tos_uri: 'https://app.example/terms',
    jwks_uri: 'https://app.example/jwks',
    post_logout_redirect_uris: ['https://app.example/bye'],
    backchannel_logout_uri: 'https://app.example/logout',
  };
  const answer = await scene.register('POST', '', metadata);
  const { client_secret: _, client_secret_expires_at: __, ...rest } = view;
  expect(answer.body).toEqual({ ...rest, ...metadata });
});

test('an administrator sees it, knows it by its kind, and switches it off', async () => {
  const client = await registered({ client_name: 'App' });
  const listed = await scene.call('GET', '/clients?registration=dynamic');
  expect(listed.list('data.data')).toMatchObject([
    { id: client.client_id, name: 'App', registration: 'dynamic', roles: [] },
  ]);
  await scene.call('PATCH', `/clients/${client.client_id}`, { isActive: false });
  const read = await scene.register('GET', `/${client.client_id}`, undefined, client.registration_access_token);
  expect(read.status).toBe(401);
});

describe('what a client that registers itself does not get', () => {
  const refusals = [
    { name: 'no redirect URI', body: {}, error: 'invalid_redirect_uri' },
    {
      name: 'redirect URIs that are none',
      body: { redirect_uris: 'https://app.example/cb' },
      error: 'invalid_redirect_uri',
    },
    { name: 'http', body: { redirect_uris: ['http://app.example/cb'] }, error: 'invalid_redirect_uri' },
    { name: 'client_credentials', body: { ...redirects, grant_types: ['client_credentials'] } },
    { name: 'exchange', body: { ...redirects, grant_types: ['urn:ietf:params:oauth:grant-type:token-exchange'] } },
    { name: 'implicit', body: { ...redirects, grant_types: ['implicit'] } },
    { name: 'password', body: { ...redirects, grant_types: ['password'] } },
    { name: 'a token as response', body: { ...redirects, response_types: ['token'] } },
    { name: 'an id_token as response', body: { ...redirects, response_types: ['code id_token'] } },
    { name: 'client_secret_jwt', body: { ...redirects, token_endpoint_auth_method: 'client_secret_jwt' } },
    { name: 'private_key_jwt without keys', body: { ...redirects, token_endpoint_auth_method: 'private_key_jwt' } },
    { name: 'a scope of administration', body: { ...redirects, scope: 'openid settings.manage' } },
    { name: 'a scope of reading', body: { ...redirects, scope: 'users.read' } },
    { name: 'a scope that there is not', body: { ...redirects, scope: 'invented' } },
    { name: 'a name that runs backwards', body: { ...redirects, client_name: 'Paypal\u202e elgoog' } },
    { name: 'a name with a line break', body: { ...redirects, client_name: 'App\nEvil' } },
    { name: 'a logo in the clear', body: { ...redirects, logo_uri: 'http://app.example/logo.png' } },
    {
      name: 'keys at both places',
      body: {
        ...redirects,
        jwks_uri: 'https://app.example/jwks',
        jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }] },
      },
    },
    { name: 'a body that is a list', body: [redirects], error: 'invalid_request' },
  ];
  test.each(refusals)('$name', async ({ body, error = 'invalid_client_metadata' }) => {
    const answer = await scene.register('POST', '', body);
    expect(answer).toMatchObject({ status: 400, body: { error, error_description: expect.any(String) } });
    expect((await scene.call('GET', '/clients')).at('data.meta.total')).toBe(0);
  });

  test('a token in its own name', async () => {
    const client = await registered();
    const answer = await scene.token({}, basic(client.client_id, client.client_secret));
    expect(answer).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } });
  });

  test('but a scope of the organization’s own', async () => {
    await scene.call('POST', '/scopes', { name: 'orders' });
    expect(await registered({ scope: 'openid orders' })).toMatchObject({ scope: 'openid orders' });
  });
});

describe('registration is off', () => {
  test('by default, and for a form that is right as for one that is not', async () => {
    const closed = new ClientScene(await service.organization(`register${++count}`));
    for (const body of [redirects, {}]) {
      const answer = await closed.register('POST', '', body);
      expect(answer).toMatchObject({ status: 403, body: { error: 'access_denied' } });
    }
    expect((await closed.call('GET', '/clients')).at('data.meta.total')).toBe(0);
  });

  test('for new ones, while those that there are keep what they have', async () => {
    const client = await registered();
    await scene.openRegistration(false);
    expect((await scene.register('POST', '', redirects)).status).toBe(403);
    const own = `/${client.client_id}`;
    expect((await scene.register('GET', own, undefined, client.registration_access_token)).status).toBe(200);
    expect((await scene.register('DELETE', own, undefined, client.registration_access_token)).status).toBe(204);
  });

  test('and not announced; it is where it is on', async () => {
    const { slug } = scene.org.organization;
    const announced = async () =>
      (await service.call('GET', `/orgs/${slug}/.well-known/openid-configuration`)).at('registration_endpoint');
    expect(await announced()).toMatch(new RegExp(`/orgs/${slug}/api/v1/connect/register$`));
    await scene.openRegistration(false);
    expect(await announced()).toBe(undefined);
  });

  test('where there is no organization', async () => {
    const answer = await service.call('POST', '/orgs/nowhere/api/v1/connect/register', { body: redirects });
    expect(answer.status).toBe(404);
  });
});

describe('a client with its registration access token', () => {
  let client: Registration;
  let own: string;
  beforeEach(async () => {
    client = await registered({ client_name: 'App' });
    own = `/${client.client_id}`;
  });
  const call = (method: string, body?: unknown, token = client.registration_access_token): Promise<Answer> =>
    scene.register(method, own, body, token);

  test('reads what it said; the secret is not shown again', async () => {
    const { client_secret: _, ...rest } = view;
    expect((await call('GET')).body).toEqual({
      ...rest,
      client_name: 'App',
      client_id: client.client_id,
      registration_access_token: client.registration_access_token,
    });
  });

  test('replaces it: what is not sent is as if it had never been said', async () => {
    const changed = await call('PUT', {
      client_id: client.client_id,
      client_secret: client.client_secret,
      redirect_uris: ['https://app.example/other'],
    });
    expect(changed.body).toMatchObject({
      client_id: client.client_id,
      client_name: 'app.example',
      redirect_uris: ['https://app.example/other'],
    });
    expect(changed.at('client_secret')).toBe(undefined);
    expect((await call('GET')).body).toEqual(changed.body);
  });

  test('becomes a public client, and back again with a new secret', async () => {
    const put = (method: string) =>
      call('PUT', { ...redirects, client_id: client.client_id, token_endpoint_auth_method: method });
    expect((await put('none')).at('client_secret_expires_at')).toBe(undefined);
    const back = await put('client_secret_basic');
    expect(back.at('client_secret')).toEqual(secret);
    expect(back.at('client_secret')).not.toBe(client.client_secret);
  });

  test.each([
    ['no client_id', {}, 'invalid_request'],
    ['another client_id', { client_id: 'another' }, 'invalid_request'],
    ['another secret', { client_secret: 'guess' }, 'invalid_request'],
    ['a wrong redirect URI', { redirect_uris: ['http://app.example'] }, 'invalid_redirect_uri'],
    ['another grant', { grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    ['a scope of administration', { scope: 'settings.manage' }, 'invalid_client_metadata'],
  ])('does not replace it with %s', async (name, changes, error) => {
    const named = name === 'no client_id' ? {} : { client_id: client.client_id };
    const answer = await call('PUT', { ...redirects, ...named, ...changes });
    expect(answer).toMatchObject({ status: 400, body: { error } });
    expect((await call('GET')).at('client_name')).toBe('App');
  });

  test('ends it, and the token with it', async () => {
    expect((await call('DELETE')).status).toBe(204);
    expect((await call('GET')).status).toBe(401);
    expect((await scene.token({}, basic(client.client_id, client.client_secret))).status).toBe(401);
    expect((await scene.call('GET', `/clients/${client.client_id}`)).status).toBe(404);
  });

  test('reaches no other client, and nobody reaches it without', async () => {
    const other = await registered();
    const administrators = await scene.make();
    const foreign = new ClientScene(await service.organization(`register${++count}`));
    const tried = [
      await call('GET', undefined, other.registration_access_token),
      await call('DELETE', undefined, client.client_secret),
      await call('PUT', { ...redirects, client_id: client.client_id }, 'guess'),
      await call('GET', undefined, scene.org.key),
      await scene.register('GET', own),
      await scene.register('GET', '/unknown', undefined, client.registration_access_token),
      await scene.register('GET', `/${administrators.id}`, undefined, client.registration_access_token),
      await scene.register('GET', `/${administrators.id}`, undefined, administrators.clientSecret),
      await foreign.register('GET', own, undefined, client.registration_access_token),
    ];
    for (const answer of tried) {
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="relata", error="invalid_token"');
    }
    expect((await call('GET')).status).toBe(200);
  });
});

test('what a client did with its registration is on record, in its own name', async () => {
  const client = await registered();
  const own = `/${client.client_id}`;
  await scene.register(
    'PUT',
    own,
    { ...redirects, client_id: client.client_id, client_name: 'Other' },
    client.registration_access_token,
  );
  await scene.register('DELETE', own, undefined, client.registration_access_token);
  const log = await scene.call('GET', '/audit-logs?limit=20');
  const entries = log.list('data.data') as { action: string; targetId: string; actorId: string }[];
  const ours = entries.filter(({ targetId }) => targetId === client.client_id);
  expect(ours.map(({ action }) => action).toSorted()).toEqual(['client.create', 'client.delete', 'client.update']);
  for (const secretText of [client.client_secret, client.registration_access_token]) {
    expect(JSON.stringify(log.body)).not.toContain(secretText);
  }
});
