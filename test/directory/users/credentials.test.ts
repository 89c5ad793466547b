import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mailBodies, mailHead, SmtpInbox } from '../../platform/smtp-inbox.ts';
import { type Organization, RunningService } from '../../server/running-service.ts';
import { type FamilyName, families, People, time } from './people.ts';

let inbox: SmtpInbox;
let service: RunningService;
let org: Organization;
let count = 0;

beforeAll(async () => {
  inbox = await SmtpInbox.open();
  service = await RunningService.start({ RELATA_THREADS: '1', RELATA_SMTP_URL: inbox.url });
});
beforeEach(async () => {
  org = await service.organization(`credentials${++count}`);
});
afterAll(async () => {
  await service.remove();
  await inbox.close();
});

const people = (family: FamilyName) => new People(service, org, family);
const settings = async (changes: Record<string, unknown>) => {
  expect((await org.call('PUT', '/admin/settings', { body: changes })).status).toBe(200);
};

describe.each(families)('a password in the %s family', (family) => {
  const set = (id: string, body: unknown) => people(family).call('PUT', `/users/${id}/password`, body);

  test('is set, and never shown', async () => {
    const id = await people(family).user('anne@example.com');
    const done = await set(id, { password: 'correct horse', requireChange: true });
    expect(done.status).toBe(200);
    expect(people(family).item(done)).toMatchObject({ id });
    const log = await people('org').call('GET', `/audit-logs?targetId=${id}&action=user.set_password`);
    expect(people('org').items(log)).toMatchObject([
      { eventType: 'user.password_changed', severity: 'warning', metadata: { requireChange: true } },
    ]);
    for (const answer of [done, log]) expect(JSON.stringify(answer.body)).not.toMatch(/correct horse|argon2/);
  });

  test.each([
    ['nothing', {}],
    ['an empty one', { password: '' }],
    ['a number', { password: 12345678 }],
    ['a long one', { password: 'a'.repeat(257) }],
    ['an unknown field', { password: 'correct horse', force: true }],
    ['a text as a flag', { password: 'correct horse', requireChange: 'yes' }],
  ])('%s is malformed', async (_, body) => {
    const id = await people(family).user('anne@example.com');
    expect(await set(id, body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('has at least eight characters, unless the organization says otherwise', async () => {
    const id = await people(family).user('anne@example.com');
    const fault = { status: 422, body: { code: 'refused', errors: [{ path: 'password' }] } };
    const animals = [...'🐎🐖🐄🐑🐓🦆🐇🐁🐈🐕🦌🐝'];
    expect(await set(id, { password: 'seven77' })).toMatchObject(fault);
    const created = await people(family).call('POST', '/users', { email: 'b@example.com', password: 'seven77' });
    expect(created).toMatchObject(fault);
    expect((await set(id, { password: 'wq7 zkt3' })).status).toBe(200);
    await settings({ passwordPolicy: { minLength: 12 } });
    expect(await set(id, { password: 'eleven00000' })).toMatchObject(fault);
    expect((await set(id, { password: animals.join('') })).status).toBe(200);
    expect(await set(id, { password: animals.slice(1).join('') })).toMatchObject(fault);
  });

  test.each([
    ['requireUppercase', 'correct horse', 'Correct horse'],
    ['requireNumbers', 'correct horse', 'correct horse 1'],
    ['requireSymbols', 'correcthorse', 'correct-horse'],
  ])('meets %s', async (rule, bad, good) => {
    const id = await people(family).user('anne@example.com');
    await settings({ passwordPolicy: { [rule]: true } });
    expect((await set(id, { password: bad })).status).toBe(422);
    expect((await set(id, { password: good })).status).toBe(200);
  });

  test('is none of the last ones, where the policy remembers them', async () => {
    const id = await people(family).user('anne@example.com', { password: 'password one' });
    await settings({ passwordPolicy: { preventReuse: 2 } });
    expect((await set(id, { password: 'password one' })).status).toBe(422);
    expect((await set(id, { password: 'password two' })).status).toBe(200);
    expect((await set(id, { password: 'password one' })).status).toBe(422);
    expect((await set(id, { password: 'password three' })).status).toBe(200);
    expect((await set(id, { password: 'password two' })).status).toBe(422);
    expect((await set(id, { password: 'password one' })).status).toBe(200);
  });

  test('in two spellings of Unicode is one', async () => {
    const id = await people(family).user('anne@example.com', { password: 'caf\u00e9 au lait' });
    await settings({ passwordPolicy: { preventReuse: 1 } });
    expect((await set(id, { password: 'cafe\u0301 au lait' })).status).toBe(422);
  });

  test('of many at once, each is judged by those before it', async () => {
    const id = await people(family).user('anne@example.com');
    await settings({ passwordPolicy: { preventReuse: 5 } });
    const done = await Promise.all([1, 2, 3].map(() => set(id, { password: 'the same one' })));
    expect(done.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
  });
});

describe.each(families)('a password that is easy to guess, in the %s family', (family) => {
  const set = (id: string, body: unknown) => people(family).call('PUT', `/users/${id}/password`, body);

  test.each([
    ['password123', 'most common'],
    ['passwort123', 'similar to a common password'],
    ['hunter2hunter2', 'Repeated characters'],
    ['qwertyuiop', 'most common passwords'],
  ])('is refused, and told why: %s', async (password, reason) => {
    const fault = { path: 'password', message: expect.stringContaining(reason) };
    const refused = { status: 422, body: { code: 'refused', detail: fault.message, errors: [fault] } };
    const id = await people(family).user('anne@example.com');
    expect(await set(id, { password })).toMatchObject(refused);
    const body = { email: 'b@example.com', password };
    expect(await people(family).call('POST', '/users', body)).toMatchObject(refused);
  });

  test('may name the user no more than another one', async () => {
    const id = await people(family).user('wilhelmina@example.com', { name: 'Wilhelmina' });
    const fault = { status: 422, body: { detail: expect.stringMatching(/name|guess/) } };
    expect(await set(id, { password: 'wilhelmina1' })).toMatchObject(fault);
  });

  test('is taken where the organization allows it', async () => {
    const id = await people(family).user('anne@example.com');
    await settings({ passwordPolicy: { allowGuessable: true } });
    expect((await set(id, { password: 'password123' })).status).toBe(200);
    await settings({ passwordPolicy: { allowGuessable: false } });
    expect((await set(id, { password: 'password123' })).status).toBe(422);
  });

  test('is judged in bounded time, however long it is', async () => {
    const id = await people(family).user('anne@example.com');
    const start = performance.now();
    expect((await set(id, { password: 'pass word 1'.repeat(20).slice(0, 256) })).status).toBeLessThan(500);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

test('an organization that asks for strong passwords refuses what is easy to guess', async () => {
  const strong = await people('org').call('PATCH', '/settings/auth', { password_policy: { template: 'strong' } });
  expect(strong.status).toBe(200);
  const id = await people('org').user('anne.elk@example.com', { name: 'Anne Elk' });
  const set = (password: string) => people('org').call('PUT', `/users/${id}/password`, { password });
  for (const password of ['Password123!', 'Qwertyuiop1!', 'Anne.elk@example.com1']) {
    const detail = expect.stringMatching(/guess|common password/);
    expect(await set(password)).toMatchObject({ status: 422, body: { detail } });
  }
  expect((await set('vexed-Llama-78-hums')).status).toBe(200);
});

describe.each(families)('mail in the %s family', (family) => {
  test.each([
    ['password-reset', 'reset-password', 'Set a new password'],
    ['verify-email', 'verify-email', 'Confirm your email address'],
  ])('%s goes to the address as it was given', async (action, page, subject) => {
    const email = `Anne.${action}.${family}@example.com`;
    const id = await people(family).user(email);
    const sent = await people(family).call('POST', `/users/${id}/${action}`);
    expect(sent).toMatchObject({ status: 200 });
    expect(sent.body).toEqual(people(family).wrapped({ sent: true, expiresAt: time }));
    const mail = await inbox.mailTo(email);
    expect(mailHead(mail).get('subject')).toContain(subject);
    const link = new RegExp(`${service.url}/orgs/${org.slug}/account/${page}\\?token=([0-9A-Za-z]{43})`);
    const token = link.exec(mailBodies(mail))?.[1] ?? 'no token';
    expect(token).toHaveLength(43);
    const log = await people('org').call('GET', `/audit-logs?targetId=${id}`);
    expect(JSON.stringify(log.body)).not.toContain(token);
    expect(
      people('org')
        .items(log)
        .map(({ action: done }) => done),
    ).toContain(action === 'password-reset' ? 'user.send_password_reset' : 'user.send_verification');
  });
});

test('without a mail server, and with one that does not answer, nobody is told that mail was sent', async () => {
  const id = await people('org').user('anne@example.com');
  const own = { smtpHost: '127.0.0.1', smtpPort: 9, fromEmail: 'no-reply@example.com' };
  expect((await people('org').call('PATCH', '/settings/email', own)).status).toBe(200);
  // a tenant's own server on a private network is refused
  expect((await people('org').call('POST', `/users/${id}/verify-email`)).status).toBe(422);
  const without = await RunningService.start({ RELATA_THREADS: '1' });
  try {
    const there = new People(without, await without.organization('quiet'), 'org');
    const other = await there.user('anne@example.com');
    expect(await there.call('POST', `/users/${other}/password-reset`)).toMatchObject({
      status: 422,
      body: { code: 'refused' },
    });
  } finally {
    await without.remove();
  }
});
