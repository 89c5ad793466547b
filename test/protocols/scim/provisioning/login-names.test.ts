import { expect, test } from 'vitest';
import { provisioned, user } from './organization.ts';

const on = provisioned();
const address = (count: number) => `person${count}@people.example`;
const emails = (value: string) => [{ value, primary: true }];

/** What becomes of two requests for one login, both sent at once, many times. */
async function races(send: (count: number) => readonly Promise<{ status: number }>[]): Promise<number[][]> {
  const outcomes = await Promise.all(Array.from({ length: 15 }, (_, count) => Promise.all(send(count))));
  return outcomes.map((answers) => answers.map(({ status }) => status).sort());
}

test('a user name that is the address of another, both made at the same moment: one is', async () => {
  const org = on();
  const outcomes = await races((count) => [
    org.send('POST', '/Users', user(address(count), { emails: emails(`other${count}@people.example`) })),
    org.send('POST', '/Users', user(`named${count}`, { emails: emails(address(count).toUpperCase()) })),
  ]);
  expect(outcomes).toEqual(outcomes.map(() => [201, 409]));
});

test('the same of a change of the name, and a change of the address', async () => {
  const org = on();
  const made = await Promise.all(
    Array.from({ length: 15 }, async (_, count) => ({
      named: await org.make('/Users', user(`first${count}`)),
      addressed: await org.make('/Users', user(`second${count}`)),
    })),
  );
  const replace = (id: string | undefined, path: string, value: unknown) =>
    org.patch(`/Users/${id}`, { op: 'replace', path, value });
  const outcomes = await races((count) => [
    replace(made[count]?.named.id, 'userName', address(count)),
    replace(made[count]?.addressed.id, 'emails', emails(address(count))),
  ]);
  expect(outcomes).toEqual(outcomes.map(() => [200, 409]));
});

test('the same where an administrator makes the other', async () => {
  const org = on();
  const outcomes = await races((count) => [
    org.send('POST', '/Users', user(address(count), { emails: emails(`other${count}@people.example`) })),
    org.admin.call('POST', '/users', { email: address(count) }),
  ]);
  expect(outcomes).toEqual(outcomes.map(() => [201, 409]));
});

test('administrators give nobody the name of one who is provisioned, as an address or as a name', async () => {
  const org = on();
  await org.make('/Users', user('ada@names.example', { emails: emails('ada@people.example') }));
  const { id } = await org.make('/Users', user('bob'));
  const taken = (path: string) => ({ status: 409, body: { errors: [{ path, message: 'is taken' }] } });
  expect(await org.admin.call('POST', '/users', { email: 'ADA@names.example' })).toMatchObject(taken('email'));
  const change = (body: object) => org.admin.call('PATCH', `/users/${id}`, body);
  expect(await change({ email: 'ada@names.example' })).toMatchObject(taken('email'));
  expect(await change({ username: 'Ada@names.example' })).toMatchObject(taken('username'));
  expect(await change({ username: 'ada@people.example' })).toMatchObject(taken('username'));
  // one's own address is a name that one may have
  expect((await change({ username: 'bob@people.example' })).status).toBe(200);
});
