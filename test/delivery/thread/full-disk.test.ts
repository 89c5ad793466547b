import { afterEach, beforeEach, expect, test } from 'vitest';
import { obstacle, SmallDisk } from '../../server/damage/small-disk.ts';
import { Organization, RunningService } from '../../server/running-service.ts';
import { Receiver, until } from '../dispatch/receiver.ts';

const environment = { RELATA_ALLOW_PRIVATE_URLS: '1', RELATA_THREADS: '1', RELATA_DEMO: '0' };

let disk: SmallDisk;
let service: RunningService;
let receiver: Receiver;
beforeEach(async () => {
  disk = new SmallDisk();
  receiver = await Receiver.start();
});
afterEach(async () => {
  await service?.stop('SIGKILL');
  await receiver.stop();
  disk.remove();
});

const emailOf = ({ body }: { readonly body: string }): string => /user-\d+@example\.test/.exec(body)?.[0] ?? '';
const arrived = (): string[] => [...new Set(receiver.at('/hook').map(emailOf))];

/** Users whose creation was acknowledged, in its order. */
class Created {
  readonly emails: string[] = [];
  #tried = 0;

  /** Answers whether it was acknowledged. */
  async one(organization: Organization): Promise<boolean> {
    const email = `user-${this.#tried++}@example.test`;
    const { status, body } = await organization.post('/admin/users', { email });
    if (status === 201) this.emails.push(email);
    else expect({ status, body }).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    return status === 201;
  }
}

test('on a full disk nothing acknowledged is lost, and deliveries go on when there is space', async ({ skip }) => {
  if (obstacle !== undefined) skip(obstacle);
  service = await RunningService.start(environment, disk.path);
  const organization = await service.organization('acme');
  const hook = await organization.post('/admin/webhooks', { url: receiver.url('/hook'), events: ['user.created'] });
  expect(hook.status).toBe(201);
  const path = `/admin/webhooks/${hook.text('data.id')}`;
  const created = new Created();
  for (let n = 0; n < 20; n++) await created.one(organization);
  disk.fill();
  let refused = 0;
  for (let n = 0; n < 10_000 && refused < 3; n++) if (!(await created.one(organization))) refused++;
  expect(refused).toBe(3);
  // what was acknowledged is sent, though what comes of it cannot be put on record
  await until(() => arrived().length === created.emails.length);
  const sent = receiver.received.length;
  await new Promise((resolve) => setTimeout(resolve, 5000));
  expect(receiver.received.length).toBe(sent);

  // a kill forgets what was not on record: it is sent again, and not again and again
  await service.stop('SIGKILL');
  service = await RunningService.start(environment, disk.path);
  const again = new Organization(service, organization.slug, organization.key);
  await new Promise((resolve) => setTimeout(resolve, 5000));
  expect(receiver.received.length - sent).toBeLessThanOrEqual(created.emails.length);
  expect(arrived()).toEqual(created.emails);

  disk.free();
  await expect
    .poll(() => service.call('GET', '/readyz?writes=required'), { timeout: 60_000 })
    .toMatchObject({ status: 200 });
  for (let n = 0; n < 5; n++) expect(await created.one(again)).toBe(true);
  await until(() => arrived().length === created.emails.length, 60_000);
  expect(arrived()).toEqual(created.emails);
  const deliveredCount = async () => (await again.call('GET', path)).at('data.deliveredCount');
  await expect.poll(deliveredCount, { timeout: 60_000 }).toBeGreaterThanOrEqual(created.emails.length);
  expect((await again.call('GET', path)).at('data')).toMatchObject({ isActive: true, failureCount: 0, failedCount: 0 });
  const pending = await again.call('GET', `${path}/deliveries?status=pending`);
  expect(pending.at('data.deliveries')).toEqual([]);
}, 300_000);
