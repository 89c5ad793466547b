import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SmtpInbox } from '../../platform/smtp-inbox.ts';
import { scene } from '../../security/organizations.ts';
import { forms, InForm } from './in-form.ts';
import { type Received, Receiver } from './receiver.ts';

const inbox = await SmtpInbox.open();
const on = scene({ RELATA_ALLOW_PRIVATE_URLS: '1', RELATA_SMTP_URL: inbox.url });
const SOON = { timeout: 30_000, interval: 20 };
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.open();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = (_, response) => response.writeHead(204).end();
});
afterAll(async () => {
  receiver.close();
  await inbox.close();
});

let count = 0;
async function newUser(): Promise<{ readonly id: string; readonly email: string }> {
  const email = `person${++count}@arrival.example`;
  const made = await on.org.post('/admin/users', { email });
  return { id: made.text('data.id'), email };
}

const at = (path: string): Received[] => receiver.received.filter((each) => each.path === path);
/** The ids of the users that were created, in the order of arrival. */
const told = (path: string): string[] =>
  at(path).map(({ body }) => {
    const { data } = JSON.parse(body) as { data: { user?: { id?: string }; userId?: string; user_id?: string } };
    return data.user?.id ?? data.userId ?? data.user_id ?? '';
  });

describe.each(forms)('webhooks of form $form', (form) => {
  const here = () => new InForm(on.org, form);
  const make = async (path: string, body: object = {}) => {
    const made = await here().make('POST', '', { url: receiver.url + path, events: ['user.created'], ...body });
    return { id: made.id, secret: String(made[form.secret]) };
  };

  test('are sent what happens from their creation on, signed, once and in its order', async () => {
    await newUser();
    const { id, secret } = await make('/all');
    const users = [await newUser(), await newUser(), await newUser()];
    await expect.poll(() => told('/all'), SOON).toEqual(users.map((user) => user.id));
    for (const { body, headers } of at('/all')) {
      const event = new Webhook(secret).verify(body, headers as Record<string, string>);
      expect(event).toMatchObject({ id: headers['webhook-id'], type: 'user.created' });
    }
    const shown = async () => (await here().call('GET', `/${id}`)).at(form.data);
    await expect.poll(shown, SOON).toMatchObject({ deliveredCount: 3, failedCount: 0, failureCount: 0 });
    const list = (await here().call('GET', `/${id}/deliveries?resource=user:${users[1]?.id}`)).at(form.data);
    expect(list).toMatchObject({ deliveries: [{ event: 'user.created', status: 'delivered', statusCode: 204 }] });
  });

  test('are sent only what is about their resources, as ids alone where they want that', async () => {
    const [first, second] = [await newUser(), await newUser()];
    await make('/some', { events: ['user.updated'], resources: [`user:${second.id}`], payload: 'thin' });
    await make('/every', { events: ['user.updated'] });
    for (const { id } of [first, second]) await on.org.call('PATCH', `/admin/users/${id}`, { body: { name: 'Named' } });
    await expect.poll(() => at('/every').length, SOON).toBe(2);
    await expect.poll(() => at('/some').length, SOON).toBe(1);
    const [thin] = at('/some');
    expect(JSON.parse(thin?.body ?? '')).toMatchObject({ type: 'user.updated', resources: [`user:${second.id}`] });
    expect(thin?.body).not.toContain('Named');
  });

  test('are sent nothing while they are off, and what they missed by a replay', async () => {
    const { id } = await make('/switched');
    const other = await make('/steady');
    const since = new Date(Date.now() - 1).toISOString();
    const before = await newUser();
    await expect.poll(() => told('/switched'), SOON).toEqual([before.id]);
    await here().make('POST', `/${id}/disable`);
    const missed = await newUser();
    await expect.poll(() => told('/steady'), SOON).toEqual([before.id, missed.id]);
    await here().make('POST', `/${id}/enable`);
    const after = await newUser();
    await expect.poll(() => told('/switched'), SOON).toEqual([before.id, after.id]);
    const replay = await here().make('POST', `/${id}/replay`, { since });
    await expect.poll(() => told('/switched'), SOON).toEqual([before.id, after.id, before.id, missed.id, after.id]);
    const progress = async () => (await here().call('GET', `/${id}/replays/${replay.id}`)).at(form.data);
    await expect.poll(progress, SOON).toMatchObject({ status: 'done', sent: 3, finishedAt: expect.any(String) });
    expect(await progress()).toMatchObject({ passed: (replay as { events?: number }).events });
    const ids = at('/switched').map(({ headers }) => headers['webhook-id']);
    expect(ids[2]).toBe(ids[0]);
    expect((await here().call('GET', `/${other.id}/replays/${replay.id}`)).status).toBe(404);
  });

  test('are sent a delivery again with the same ids', async () => {
    const { id } = await make('/again');
    const user = await newUser();
    const list = async () =>
      (await here().call('GET', `/${id}/deliveries?status=delivered`)).at(`${form.data}.deliveries`) as {
        id: string;
      }[];
    await expect.poll(async () => (await list()).length, SOON).toBe(1);
    const [{ id: delivery } = { id: '' }] = await list();
    expect((await here().call('POST', `/${id}/deliveries/${delivery}/redeliver`)).status).toBe(202);
    await expect.poll(() => told('/again'), SOON).toEqual([user.id, user.id]);
    const [first, second] = at('/again').map(({ headers }) => headers);
    for (const name of ['webhook-id', `${form.form === 'b' ? 'x-relata' : 'x-service'}-delivery-id`]) {
      expect(second?.[name]).toBe(first?.[name]);
    }
    const read = async () => (await here().call('GET', `/${id}/deliveries/${delivery}`)).at(form.data);
    await expect.poll(read, SOON).toMatchObject({
      status: 'delivered',
      attempts: [
        { round: 1, statusCode: 204 },
        { round: 2, statusCode: 204 },
      ],
    });
  });

  test('that answer 410 are disabled, and administrators are told by audit entry, event and mail', async () => {
    const admin = await newUser();
    const roles = { roles: ['ROLE_TENANT_ADMIN'] };
    expect((await on.org.call('PUT', `/admin/users/${admin.id}/roles`, { body: roles })).status).toBe(200);
    const { id } = await make('/gone', { description: 'The old one' });
    await make('/watch', { events: ['webhook.disabled'] });
    receiver.answer = ({ path }, response) => response.writeHead(path === '/gone' ? 410 : 204).end();
    await newUser();
    const shown = async () => (await here().call('GET', `/${id}`)).at(form.data);
    await expect.poll(shown, SOON).toMatchObject({ [form.active]: false, disabledReason: 'gone' });
    await expect.poll(() => at('/watch').length, SOON).toBe(1);
    expect(JSON.parse(at('/watch')[0]?.body ?? '')).toMatchObject({
      type: 'webhook.disabled',
      data: { webhook: { id, description: 'The old one' }, reason: 'gone' },
    });
    const log = JSON.stringify((await on.org.call('GET', '/admin/audit-logs?action=webhook.disable')).body);
    expect(log).toContain(id);
    const mails = () => inbox.mails.filter(({ to }) => to.includes(admin.email));
    await expect.poll(() => mails().length, SOON).toBe(1);
    expect(mails()[0]?.raw).toContain('A webhook was disabled');
    await newUser();
    await here().make('POST', `/${id}/enable`);
    expect(await shown()).toMatchObject({ [form.active]: true, disabledReason: null, failureCount: 0 });
    expect(at('/gone')).toHaveLength(1);
  });

  test('that are deleted get nothing more', async () => {
    const { id } = await make('/deleted');
    await make('/kept');
    const first = await newUser();
    await expect.poll(() => told('/deleted'), SOON).toEqual([first.id]);
    expect((await here().call('DELETE', `/${id}`)).status).toBe(204);
    const second = await newUser();
    await expect.poll(() => told('/kept'), SOON).toEqual([first.id, second.id]);
    expect(told('/deleted')).toEqual([first.id]);
  });
});
