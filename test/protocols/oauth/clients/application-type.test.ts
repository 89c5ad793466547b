import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InProcessService } from '../../../identity/sessions/in-process-service.ts';
import { ClientScene } from './scene.ts';

let service: InProcessService;
let scene: ClientScene;

beforeAll(async () => {
  service = await InProcessService.start();
  scene = new ClientScene(await service.organization('types'));
  await scene.openRegistration();
});
afterAll(() => service.stop());

const publicClient = { token_endpoint_auth_method: 'none' };

describe('application_type of a client that registers itself', () => {
  test.each([
    [{ redirect_uris: ['http://localhost:3000/cb'] }, 'native'],
    [{ redirect_uris: ['com.example.app:/cb'], ...publicClient }, 'native'],
    [{ redirect_uris: ['https://app.example/cb'], application_type: 'native' }, 'native'],
    [{ redirect_uris: ['http://[::1]/cb'], application_type: 'native' }, 'native'],
    [{ redirect_uris: ['https://app.example/cb'] }, 'web'],
    [{ redirect_uris: ['https://app.example/cb'], application_type: 'web' }, 'web'],
  ])('of %j is told to be %s', async (metadata, type) => {
    expect(await scene.register('POST', '', metadata)).toMatchObject({ status: 201, body: { application_type: type } });
  });

  const web = { application_type: 'web' };
  test.each([
    ['web, and a redirect URI in the clear', { ...web, redirect_uris: ['http://127.0.0.1/cb'] }],
    ['web, and one at a loopback host', { ...web, redirect_uris: ['https://localhost/cb'] }],
    ['web, and a scheme of its own', { ...web, ...publicClient, redirect_uris: ['com.example.app:/cb'] }],
    ['another word', { application_type: 'desktop', redirect_uris: ['https://app.example/cb'] }, 'client_metadata'],
  ])('%s is refused', async (_, metadata, what = 'redirect_uri') => {
    const answer = await scene.register('POST', '', metadata);
    expect([answer.status, answer.at('error')]).toEqual([400, `invalid_${what}`]);
  });
});

test('an administrator says it, and takes it back', async () => {
  const local = { redirectUris: ['http://localhost:3000/cb'] };
  const refused = await scene.call('POST', '/clients', { name: 'Shop', ...local, applicationType: 'web' });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('redirectUris[0]')]);
  const { id } = await scene.make({ ...local, applicationType: 'native' });
  const said = await scene.call('PATCH', `/clients/${id}`, {
    applicationType: null,
    redirectUris: ['https://a.example/'],
  });
  expect(scene.inside(said)).toMatchObject({ applicationType: null });
});
