import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { facts, type InProcessOrganization, InProcessService } from '../sessions/in-process-service.ts';

let service: InProcessService;
let org: InProcessOrganization;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  org = await service.organization(`lockout${++count}`);
});
afterAll(() => service.stop());

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const anne = { account: 'anne@example.com', address: '192.0.2.1' };

/** One attempt with a wrong password. Answers whether the password was looked at. */
async function wrong(attempt = anne): Promise<boolean> {
  const { lockout } = service.signedIn;
  const until = await lockout.begin(org.organization, attempt);
  if (until !== undefined) return false;
  await lockout.failed(org.organization, attempt, facts);
  return true;
}

async function tries(number: number, attempt = anne): Promise<number> {
  let looked = 0;
  for (let i = 0; i < number; i++) if (await wrong(attempt)) looked++;
  return looked;
}

async function setPolicy(loginPolicy: Readonly<Record<string, number>>): Promise<void> {
  const answer = await org.tenant('PUT', '/admin/settings', { body: { loginPolicy } });
  expect([answer.status, answer.at('errors')]).toEqual([200, undefined]);
}

describe('an account and address', () => {
  test('are locked out after ten failures, for fifteen minutes', async () => {
    expect(await tries(12)).toBe(10);
    const until = await service.signedIn.lockout.begin(org.organization, anne);
    expect(until).toBe(service.clock.now() + 15 * MINUTE);
    service.clock.advance(15 * MINUTE - 1);
    expect(await wrong()).toBe(false);
    service.clock.advance(1);
    expect(await tries(12)).toBe(10);
  });

  test('stay locked out whatever is swept, also where that takes longer than failures are counted for', async () => {
    await setPolicy({ maxAttempts: 3, attemptWindow: 60, lockoutDuration: 600 });
    expect(await tries(5)).toBe(3);
    service.clock.advance(10 * MINUTE - 1);
    await service.sweep();
    expect(await wrong()).toBe(false);
    service.clock.advance(1);
    await service.sweep();
    expect(await wrong()).toBe(true);
  });

  test('are locked out whether or not there is such an account', async () => {
    await org.newUser('anne@example.com');
    expect(await tries(12)).toBe(10);
    expect(await tries(12, { ...anne, account: 'nobody@example.com' })).toBe(10);
  });

  test('are not charged for what nobody could look at', async () => {
    const { lockout } = service.signedIn;
    const shed = async () => {
      expect(await lockout.begin(org.organization, anne)).toBeUndefined();
      const look = () => Promise.reject(new Error('too many wait'));
      await expect(lockout.looked(org.organization, anne, look)).rejects.toThrow('too many wait');
    };
    for (let i = 0; i < 12; i++) await shed();
    expect(service.idsOf(org.organization.store.name, 'login_failures')).toEqual([]);
    expect(await tries(9)).toBe(9);
    await shed();
    expect(await tries(3)).toBe(1);
  });

  test('stay apart from other accounts and addresses', async () => {
    await tries(10);
    expect(await wrong({ ...anne, address: '192.0.2.2' })).toBe(true);
    expect(await wrong({ ...anne, account: 'bob@example.com' })).toBe(true);
    const other = await service.organization(`lockout-other${count}`);
    expect(await service.signedIn.lockout.begin(other.organization, anne)).toBeUndefined();
  });

  test('are the same in any spelling, and in one network', async () => {
    await tries(5, { account: 'Anne@Example.com', address: '2001:db8::1' });
    await tries(5, { account: ' anne@example.com', address: '2001:db8::2' });
    expect(await wrong({ account: 'ANNE@EXAMPLE.COM', address: '2001:db8:0:0:7::' })).toBe(false);
  });

  test('are forgiven when they succeed', async () => {
    await tries(9);
    const { lockout } = service.signedIn;
    expect(await lockout.begin(org.organization, anne)).toBeUndefined();
    await service.submit(lockout.forgiven(org.organization.store, anne));
    expect(await tries(12)).toBe(10);
  });

  test('begin anew when the window has passed', async () => {
    await tries(9);
    service.clock.advance(15 * MINUTE);
    expect(await tries(12)).toBe(10);
  });

  test('follow the settings of the organization', async () => {
    await setPolicy({ maxAttempts: 3, lockoutDuration: 60, attemptWindow: 10 });
    expect(await tries(5)).toBe(3);
    service.clock.advance(59 * SECOND);
    expect(await wrong()).toBe(false);
    service.clock.advance(SECOND);
    expect(await tries(2)).toBe(2);
    service.clock.advance(10 * SECOND);
    expect(await tries(5)).toBe(3);
  });
});

test('of a hundred attempts at once, ten passwords are looked at', async () => {
  const looked = await Promise.all(Array.from({ length: 100 }, () => wrong()));
  expect(looked.filter((each) => each)).toHaveLength(10);
});

test('a lockout is put on record once, and nobody reads the account from what is stored', async () => {
  await tries(15);
  const entries = await org.org('GET', '/admin/audit-logs?action=login.lockout');
  expect(entries.list('data.data')).toMatchObject([
    {
      eventType: 'user.login_failed',
      severity: 'warning',
      result: 'failure',
      metadata: { failures: 10, account: 'anne@example.com' },
    },
  ]);
  expect(service.idsOf(org.organization.store.name, 'login_failures').join()).not.toContain('anne');
});

test('of attempts that were begun before any of them failed, one is told that it locks out', async () => {
  const { lockout } = service.signedIn;
  const told: boolean[] = [];
  for (let i = 0; i < 10; i++) await lockout.begin(org.organization, anne);
  for (let i = 0; i < 10; i++) told.push(await lockout.failed(org.organization, anne, facts));
  expect(told.filter((each) => each)).toHaveLength(1);
});

test('counts that no longer matter are swept', async () => {
  await tries(3);
  await tries(12, { ...anne, account: 'bob@example.com' });
  await service.sweep();
  expect(service.idsOf(org.organization.store.name, 'login_failures')).toHaveLength(2);
  service.clock.advance(15 * MINUTE + 1);
  await service.sweep();
  expect(service.idsOf(org.organization.store.name, 'login_failures')).toEqual([]);
});
