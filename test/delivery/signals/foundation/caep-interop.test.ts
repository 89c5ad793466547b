import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wordedEvent } from '../../../../src/delivery/signals/events/event-for-stream.ts';
import { PushWorld } from '../push-world.ts';
import { caep, type ReceivedEvent } from '../transmitter-world.ts';
import { checkCaep } from './set-checks.ts';
import { type Delivery, SuiteReceiver } from './suite-receiver.ts';

let world: PushWorld;
beforeAll(async () => {
  world = await PushWorld.start('interop');
  world.dispatch();
});
afterAll(() => world.stop());

// the module that `openid-ssf-transmitter-caep-test-plan` of the OpenID Foundation's suite adds, by its name
describe.each(['push', 'poll'] as const)('SSF 1.0 Final, CAEP interop, transmitter, %s', (delivery: Delivery) => {
  test('openid-ssf-transmitter-stream-caep-interop', async () => {
    const suite = await SuiteReceiver.open(world, delivery);
    const stream = await suite.stream();
    const path = `/stream?stream_id=${stream.stream_id}`;
    expect((await suite.client.call('GET', path)).body).toEqual(stream);
    await suite.verified(stream, await suite.verify(stream));

    const { organization } = world.provider;
    const user = await organization.newUser(`${delivery}@example.com`);
    const does = async (method: string, what: string, body?: object) => {
      const options = { key: organization.key, ...(body === undefined ? {} : { body }) };
      expect((await organization.org(method, what, options)).status, what).toBeLessThan(300);
    };
    const { id: sessionId } = await organization.signIn(user);
    await does('DELETE', `/admin/users/${user.id}/sessions/${sessionId}`);
    await organization.signIn(user);
    await does('DELETE', `/admin/users/${user.id}/sessions`);
    await does('PUT', `/admin/users/${user.id}/password`, { password: 'an entirely different one 9' });
    await organization.signIn(user);
    await does('POST', '/admin/sessions/revoke-all', { confirm: true });
    // that ends the client's token, too
    suite.client.forgetToken();
    const events = await suite.received(stream);
    for (const event of events) checkCaep(event);
    const ofUser = { format: 'iss_sub', iss: stream.iss, sub: user.id };
    expect(events.map(({ sub_id, events: said }) => [Object.keys(said)[0], sub_id])).toEqual([
      [`${caep}/session-revoked`, { format: 'complex', user: ofUser, session: { format: 'opaque', id: sessionId } }],
      [`${caep}/session-revoked`, ofUser],
      [`${caep}/credential-change`, ofUser],
      [`${caep}/session-revoked`, { format: 'complex', tenant: { format: 'opaque', id: 'interop' } }],
    ]);
    expect((await suite.client.call('DELETE', path)).status).toBe(204);
  });
});

// however it comes about
test.each([
  ['user.logout', { reason: 'signed_out' }, 'user'],
  ['user.logout', { reason: 'revoked' }, 'admin'],
  ['user.logout', { reason: 'signal' }, 'system'],
  ['user.password_changed', { reason: 'set' }, 'admin'],
  ['user.password_changed', { reason: 'reset' }, 'user'],
  ['user.password_changed', { reason: 'change' }, 'user'],
  ['user.mfa_enabled', { factor: { id: '1', type: 'totp' } }, 'user'],
  ['user.mfa_disabled', { reason: 'removed' }, 'user'],
  ['user.mfa_disabled', { reason: 'reset' }, 'admin'],
])('%s with %j says who has done it, and why', (type, data, initiator) => {
  const { uri = '', details = {} } = wordedEvent(type, { userId: 'u', ...data }) ?? {};
  expect(details.initiating_entity).toBe(initiator);
  checkCaep({
    jti: '1',
    sub_id: { format: 'iss_sub' },
    events: { [uri]: { event_timestamp: 1, ...details } },
  } satisfies ReceivedEvent);
});
