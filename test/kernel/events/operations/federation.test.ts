import { afterAll, beforeAll, expect, it } from 'vitest';
import { configurations, FederationWorld } from '../../../identity/federation/world.ts';
import { expectEvents } from './observed.ts';

let world: FederationWorld;
beforeAll(async () => {
  world = await FederationWorld.start();
});
afterAll(() => world.stop());

const ada = { sub: 'g-1', email: 'ada@gmail.com', email_verified: true };

it('exactly the events of who comes by a provider: registered and linked, signed in, unlinked', async () => {
  const on = await world.site({ ...configurations.google, allowSignup: true });
  const org = on.organization;
  const callback = 'GET /oauth/social/{provider}/callback';
  const enter = () => on.signIn(on.browser(), 'google', { claims: ada });
  const [created] = await expectEvents(
    org,
    enter,
    [
      ['user.created', { email: ada.email }],
      ['identity.linked', { email: ada.email, provider: 'google', reason: 'registered' }],
      ['user.login', { email: ada.email, method: 'social' }],
    ],
    callback,
  );
  const userId = String(created?.data.userId);
  await expectEvents(org, enter, [['user.login', { userId, method: 'social' }]], callback);
  const [identity] = await on.identities(userId);
  expect(identity).toBeDefined();
  await expectEvents(
    org,
    () => org.org('DELETE', `/admin/users/${userId}/identities/${String(identity?.id)}`),
    [['identity.unlinked', { userId, provider: 'google', reason: 'removed' }]],
    'DELETE /admin/users/{userId}/identities/{identityId}',
  );
});
