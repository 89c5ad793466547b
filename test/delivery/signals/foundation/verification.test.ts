import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PushWorld } from '../push-world.ts';
import { type Delivery, SuiteReceiver, suiteAuthorization } from './suite-receiver.ts';

let world: PushWorld;
beforeAll(async () => {
  world = await PushWorld.start('verification');
  world.dispatch();
});
afterAll(() => world.stop());

// the modules of `openid-ssf-transmitter-test-plan` that look at what is delivered, by their names
describe.each(['push', 'poll'] as const)('SSF 1.0 Final, transmitter, %s', (delivery: Delivery) => {
  const open = () => SuiteReceiver.open(world, delivery);

  test('openid-ssf-transmitter-paused-stream-holds-events', async () => {
    const suite = await open();
    const stream = await suite.stream();
    expect((await suite.setStatus(stream, 'paused')).status).toBe(200);
    const state = await suite.verify(stream);
    expect(await suite.received(stream)).toEqual([]);
    expect((await suite.setStatus(stream, 'enabled')).status).toBe(200);
    await suite.verified(stream, state);
  });

  test('openid-ssf-transmitter-disabled-stream-drops-events', async () => {
    const suite = await open();
    const stream = await suite.stream();
    expect((await suite.setStatus(stream, 'disabled')).status).toBe(200);
    await suite.verify(stream);
    expect(await suite.received(stream)).toEqual([]);
    expect((await suite.setStatus(stream, 'enabled')).status).toBe(200);
    await suite.verified(stream, await suite.verify(stream));
  });
});

describe('SSF 1.0 Final, transmitter, push', () => {
  test('openid-ssf-transmitter-stream-verification-push', async () => {
    const suite = await SuiteReceiver.open(world, 'push');
    const stream = await suite.stream();
    await suite.verified(stream, await suite.verify(stream));
    expect(suite.authorizations).toEqual([suiteAuthorization]);
  });

  test('openid-ssf-transmitter-stream-verification-error-push-no-auth', async () => {
    const suite = await SuiteReceiver.open(world, 'push');
    const stream = await suite.stream(true);
    await suite.verified(stream, await suite.verify(stream));
    expect(suite.authorizations).toEqual([undefined]);
  });
});

describe('SSF 1.0 Final, transmitter, poll', () => {
  const begun = async () => {
    const suite = await SuiteReceiver.open(world, 'poll');
    const stream = await suite.stream();
    return { suite, stream, state: await suite.verify(stream) };
  };

  test('openid-ssf-transmitter-stream-verification-poll-only', async () => {
    const { suite, stream, state } = await begun();
    await suite.verified(stream, state, false);
  });

  test('openid-ssf-transmitter-stream-verification-poll-and-ack', async () => {
    const { suite, stream } = await begun();
    const first = Object.keys(await suite.sets(stream, {}));
    expect(first).toHaveLength(1);
    const next = await suite.verify(stream);
    const both = await suite.sets(stream, { ack: first });
    expect(Object.keys(both)).toHaveLength(1);
    await suite.verified(stream, next);
  });

  test('openid-ssf-transmitter-stream-verification-ack-only', async () => {
    const { suite, stream } = await begun();
    const ack = Object.keys(await suite.sets(stream, {}));
    expect(await suite.sets(stream, { ack, maxEvents: 0 })).toEqual({});
    expect(await suite.sets(stream, {})).toEqual({});
  });

  test('openid-ssf-transmitter-stream-verification-long-poll', async () => {
    const suite = await SuiteReceiver.open(world, 'poll');
    const stream = await suite.stream();
    const waiting = suite.client.poll(stream.stream_id, { returnImmediately: false });
    const state = await suite.verify(stream);
    const sets = (await waiting).at('sets') as Readonly<Record<string, string>>;
    expect(Object.keys(sets)).toHaveLength(1);
    await suite.verified(stream, state);
  });

  test('openid-ssf-transmitter-stream-verification-set-errs', async () => {
    const { suite, stream } = await begun();
    const [jti = ''] = Object.keys(await suite.sets(stream, {}));
    const setErrs = { [jti]: { err: 'invalid_request', description: 'It cannot be used.' } };
    expect(await suite.sets(stream, { setErrs, maxEvents: 0 })).toEqual({});
    expect(await suite.sets(stream, {})).toEqual({});
  });
});
