import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningService } from '../../server/running-service.ts';
import { Receiver, until } from '../dispatch/receiver.ts';

const environment = {
  RELATA_ALLOW_PRIVATE_URLS: '1',
  RELATA_DEMO: '0',
  RELATA_THREADS: '1',
  RELATA_PLATFORM_KEY: 'platform-key-of-the-tests-0123456789',
};

/** As `/proc` names them; a thread of its own has its own metrics. */
async function deliveredOf(service: RunningService): Promise<number> {
  const { body } = await service.call('GET', '/metrics');
  return Number(/relata_delivery_attempts_total\{outcome="delivered"\} (\d+)/.exec(String(body))?.[1] ?? 0);
}

describe('the delivery thread', () => {
  let service: RunningService;
  let receiver: Receiver;

  beforeAll(async () => {
    [service, receiver] = await Promise.all([RunningService.start(environment), Receiver.start()]);
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  it('sends what was committed to whoever subscribed, and counts it', async () => {
    const one = await service.organization('one');
    const { status, body } = await one.call('POST', '/admin/webhooks', {
      body: { url: receiver.url('/hook'), events: ['user.created'] },
    });
    expect([status, body]).toMatchObject([201, expect.anything()]);
    for (const name of ['ann', 'ben', 'cid']) {
      const made = await one.call('POST', '/admin/users', { body: { email: `${name}@example.test` } });
      expect(made.status).toBe(201);
    }
    await until(() => receiver.at('/hook').length === 3);
    const events = receiver.at('/hook').map((each) => JSON.parse(each.body));
    expect(events.map(({ type, data }) => [type, data.user?.email ?? data.email])).toEqual([
      ['user.created', 'ann@example.test'],
      ['user.created', 'ben@example.test'],
      ['user.created', 'cid@example.test'],
    ]);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(await deliveredOf(service)).toBe(3);
  });
});
