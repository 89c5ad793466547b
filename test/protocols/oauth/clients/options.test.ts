import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AuthorizeWorld } from '../authorize/world.ts';
import { ClockedProvider } from '../in-process.ts';
import { ClientScene, families } from './scene.ts';

let first: ClockedProvider;
let world: AuthorizeWorld;

beforeAll(async () => {
  first = await ClockedProvider.start('first');
});
beforeEach(async () => {
  world = await AuthorizeWorld.open(first);
});
afterAll(() => first.service.stop());

const set = {
  idTokenSignedResponseAlg: 'ES256',
  accessTokenSigningAlg: 'RS256',
  defaultMaxAge: 3600,
  skipConsent: true,
  requirePushedAuthorizationRequests: true,
  dpopBoundAccessTokens: true,
  backchannelLogoutSessionRequired: true,
};

describe.each(families)('options of clients in the %s family', (family) => {
  test('are set, stay, and go', async () => {
    const scene = new ClientScene(world.provider.organization, family);
    const { id } = await scene.make(set);
    expect(scene.inside(await scene.call('GET', `/clients/${id}`))).toMatchObject(set);
    const changed = await scene.call('PATCH', `/clients/${id}`, { defaultMaxAge: null, skipConsent: false });
    expect(scene.inside(changed)).toMatchObject({ ...set, defaultMaxAge: null, skipConsent: false });
  });

  test.each([
    ['idTokenSignedResponseAlg', 'none'],
    ['idTokenSignedResponseAlg', 'HS256'],
    ['accessTokenSigningAlg', 'PS256'],
    ['defaultMaxAge', -1],
    ['defaultMaxAge', 1.5],
    ['defaultMaxAge', 1e12],
    ['skipConsent', 'yes'],
    ['requirePushedAuthorizationRequests', null],
  ])('%s is not %j', async (name, value) => {
    const scene = new ClientScene(world.provider.organization, family);
    const answer = await scene.call('PATCH', `/clients/${world.party.id}`, { [name]: value });
    expect(answer.status).toBe(400);
    expect(answer.at('errors[0].path') ?? JSON.stringify(answer.body)).toContain(name);
  });
});

test('tokens are signed as the client is registered', async () => {
  const own = await AuthorizeWorld.open(first, { idTokenSignedResponseAlg: 'ES256', accessTokenSigningAlg: 'RS256' });
  const request = await own.party.begin();
  const url = await own.answered(await own.browser(), request);
  const { body } = await own.token({ code: url.searchParams.get('code') ?? '', code_verifier: request.verifier });
  expect(decodeProtectedHeader(String(body.id_token)).alg).toBe('ES256');
  expect(decodeProtectedHeader(String(body.access_token)).alg).toBe('RS256');
  expect((await own.userinfo(String(body.access_token))).status).toBe(200);
});

describe('a client that registers itself', () => {
  test('says what it needs, and does without consent in no way', async () => {
    const scene = new ClientScene(world.provider.organization);
    await scene.openRegistration();
    const answer = await scene.register('POST', '', {
      redirect_uris: ['https://app.example/cb'],
      id_token_signed_response_alg: 'ES256',
      default_max_age: 60,
      require_pushed_authorization_requests: true,
      dpop_bound_access_tokens: true,
      skip_consent: true,
      skipConsent: true,
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      id_token_signed_response_alg: 'ES256',
      default_max_age: 60,
      require_pushed_authorization_requests: true,
      dpop_bound_access_tokens: true,
    });
    const seen = await scene.call('GET', `/clients/${answer.text('client_id')}`);
    expect(scene.inside(seen)).toMatchObject({ skipConsent: false, accessTokenSigningAlg: 'ES256' });
  });

  test.each([
    ['id_token_signed_response_alg', 'none'],
    ['default_max_age', -1],
    ['subject_type', 'pairwise'],
  ])('is refused with %s %j', async (name, value) => {
    const scene = new ClientScene(world.provider.organization);
    await scene.openRegistration();
    const answer = await scene.register('POST', '', { redirect_uris: ['https://app.example/cb'], [name]: value });
    expect([answer.status, answer.at('error')]).toEqual([400, 'invalid_client_metadata']);
  });
});
