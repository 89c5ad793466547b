import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { InProcessService } from '../../../identity/sessions/in-process-service.ts';
import { assertionType, basic, ClientScene, expectInvalidClient, type MadeClient, time } from './scene.ts';

let service: InProcessService;
let scene: ClientScene;
let made: MadeClient;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start({ RELATA_LIMIT_RATE_REFUSED: '40' });
});
beforeEach(async () => {
  // guesses of the test before are forgotten
  service.clock.advance(120_000);
  scene = new ClientScene(await service.organization(`auth${++count}`));
  made = await scene.makeService();
});
afterAll(() => service.stop());

describe('a secret', () => {
  test.each(['client_secret_basic', 'client_secret_post'])(
    'of %s is accepted in the header and in the form',
    async (method) => {
      const client = await scene.makeService({ tokenEndpointAuthMethod: method });
      expect((await scene.token({}, basic(client.id, client.clientSecret))).status).toBe(200);
      expect((await scene.token({ client_id: client.id, client_secret: client.clientSecret })).status).toBe(200);
      const named = await scene.token({ client_id: client.id }, basic(client.id, client.clientSecret));
      expect(named.status).toBe(200);
    },
  );

  test('stands form-encoded in the header, whatever the case of the scheme', async () => {
    const pair = `${made.id.replaceAll('-', '%2D')}:${made.clientSecret.replace(/./, (each) => `%${each.charCodeAt(0).toString(16)}`)}`;
    const encoded = Buffer.from(pair).toString('base64');
    expect((await scene.token({}, { authorization: `bAsIc ${encoded}` })).status).toBe(200);
  });

  test('that is wrong is refused, like a client that there is not, in one and the same answer', async () => {
    const { id, clientSecret } = made;
    const wrong: readonly (readonly [Record<string, string>, Record<string, string>?])[] = [
      [{ client_id: id, client_secret: `${clientSecret}x` }],
      [{ client_id: id, client_secret: clientSecret.slice(1) }],
      [{ client_id: `${id}x`, client_secret: clientSecret }],
      [{ client_id: id.toUpperCase(), client_secret: clientSecret }],
      [{ client_id: 'nobody', client_secret: clientSecret }],
      [{ client_id: '__proto__', client_secret: clientSecret }],
      [{ client_id: id }],
      [{ client_id: '' }],
      [{ client_id: '', client_secret: clientSecret }],
      [{}],
      [{ client_secret: clientSecret }],
      [{}, basic(id, 'guess')],
      [{}, basic('nobody', clientSecret)],
      [{}, basic('', '')],
      [{}, { authorization: `Basic ${Buffer.from(id).toString('base64')}` }],
      [{}, { authorization: `Basic ${Buffer.from(`${id}:%zz`).toString('base64')}` }],
      [{}, { authorization: `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}` }],
      [{}, { authorization: 'Basic' }],
      [{}, { authorization: `Bearer ${clientSecret}` }],
    ];
    for (const [form, headers] of wrong) expectInvalidClient(await scene.token(form, headers));
  });

  test('is not asked of a public client, and none is accepted from it', async () => {
    const open = await scene.make({ type: 'public' });
    const asked = await scene.token({ client_id: open.id });
    expect(asked).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } });
    expectInvalidClient(await scene.token({ client_id: open.id, client_secret: 'x' }));
    expectInvalidClient(await scene.token({}, basic(open.id, '')));
  });

  test('of another organization is refused', async () => {
    const other = new ClientScene(await service.organization(`auth${++count}`));
    expectInvalidClient(await other.token({ client_id: made.id, client_secret: made.clientSecret }));
  });

  test('of a client that is switched off is refused, and its tokens are', async () => {
    const form = { client_id: made.id, client_secret: made.clientSecret };
    const issued = await scene.token(form);
    const active = async () => {
      const asker = await scene.makeService();
      const answer = await scene.form(
        '/oauth/introspect',
        { token: issued.text('access_token') },
        basic(asker.id, asker.clientSecret),
      );
      return answer.at('active');
    };
    const own = () => scene.form('/oauth/introspect', { token: issued.text('access_token'), ...form });
    expect((await own()).at('active')).toBe(true);
    await scene.call('PATCH', `/clients/${made.id}`, { isActive: false });
    expectInvalidClient(await scene.token(form));
    expect(await active()).toBe(false);
    await scene.call('PATCH', `/clients/${made.id}`, { isActive: true });
    expect((await scene.token(form)).status).toBe(200);
    // what has ended does not come back
    expect((await own()).at('active')).toBe(false);
  });

  test('of a client that was deleted is refused, and its tokens are', async () => {
    const reader = await scene.makeService({ permissions: ['clients.read'], scopes: ['clients.read'] });
    const issued = await scene.token({ client_id: reader.id, client_secret: reader.clientSecret });
    const token = issued.text('access_token');
    expect((await scene.call('GET', '/clients', undefined, token)).status).toBe(200);
    const listed = async () => (await scene.call('GET', '/tokens')).at('data.meta.total');
    expect(await listed()).toBe(1);
    expect((await scene.call('DELETE', `/clients/${reader.id}`)).status).toBe(204);
    expect(await listed()).toBe(0);
    expect((await scene.call('GET', '/clients', undefined, token)).status).toBe(401);
    expectInvalidClient(await scene.token({ client_id: reader.id, client_secret: reader.clientSecret }));
  });
});

test('more than one way at once is refused, also where each is right', async () => {
  const { id, clientSecret } = made;
  const both = [
    await scene.token({ client_id: id, client_secret: clientSecret }, basic(id, clientSecret)),
    await scene.token({ client_assertion: 'x', client_assertion_type: assertionType }, basic(id, clientSecret)),
    await scene.token({ client_id: id, client_secret: clientSecret, client_assertion: 'x' }),
    await scene.token({ client_id: 'another' }, basic(id, clientSecret)),
  ];
  for (const answer of both) expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
});

test('the time of last use is written, at most once a minute', async () => {
  const path = `/clients/${made.id}`;
  const seen = async () => (await scene.call('GET', path)).at('data.data.lastUsedAt');
  const use = async () => {
    await scene.token({ client_id: made.id, client_secret: made.clientSecret });
    await service.clientUse.flush();
    return seen();
  };
  expect(await seen()).toBe(null);
  const first = await use();
  expect(first).toEqual(time);
  service.clock.advance(30_000);
  expect(await use()).toBe(first);
  service.clock.advance(31_000);
  expect(Date.parse(String(await use()))).toBeGreaterThan(Date.parse(String(first)) + 60_000);
});

test('guesses are slowed down, and a client whose secret was good goes on', async () => {
  const form = { client_id: made.id, client_secret: made.clientSecret };
  expect((await scene.token(form)).status).toBe(200);
  const statuses: number[] = [];
  for (let n = 0; n < 45; n++) statuses.push((await scene.token({ ...form, client_secret: `guess${n}` })).status);
  expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
  const limited = await scene.token({ ...form, client_secret: 'another' });
  expect(limited).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } });
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await scene.token(form)).status).toBe(200);
});
