import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Organization, Service } from '../../server/running-service.ts';
import { sharedService } from '../../server/shared-service.ts';
import { type FamilyName, families, People } from './people.ts';

let service: Service;
let org: Organization;
let count = 0;

beforeAll(async () => {
  service = await sharedService();
});
beforeEach(async () => {
  org = await service.organization(`status${++count}`);
  await org.model(
    'type team',
    '  relations',
    '    define member: [user]',
    'type doc',
    '  relations',
    '    define viewer: [user, user:*, team#member]',
    '    define can_read: viewer',
  );
});

const people = (family: FamilyName) => new People(service, org, family);

/** Every kind of decision and list in which the user can count. */
async function whatCounts(id: string): Promise<Record<string, boolean>> {
  const subject = `user:${id}`;
  const permission = 'doc:read';
  const resource = { type: 'doc', id: 'shared' };
  const allowed = async (path: string, body: unknown) => (await org.post(path, body)).at('allowed') === true;
  const bulk = async (path: string, check: unknown) =>
    (await org.post(path, { checks: [check] })).at('results.0.allowed') === true;
  const listed = async (path: string, body: unknown, list: string, item: string) =>
    (await org.post(path, body)).list(list).includes(item);
  const relation = { object: 'doc:shared', relation: 'can_read', subject };
  const viewers = { object: 'doc:shared', relation: 'viewer', subjectType: 'user' };
  const permissions = await org.call('GET', `/authz/permissions?subject=${subject}`);
  return {
    relation: await allowed('/zanzibar/check', relation),
    everybody: await allowed('/zanzibar/check', { ...relation, object: 'doc:public' }),
    relations: await bulk('/zanzibar/check-bulk', relation),
    permission: await allowed('/authz/check', { permission, subject }),
    resource: await allowed('/authz/check', { permission, subject, resource }),
    permissions: await bulk('/authz/check-bulk', { permission, subject }),
    any: await allowed('/authz/check-any', { permissions: [permission], subject }),
    all: await allowed('/authz/check-all', { permissions: [permission], subject }),
    attributes: await allowed('/abac/check', { permission, subject }),
    held: permissions.list('data.data').length > 0,
    objects: await listed(
      '/zanzibar/list-objects',
      { type: 'doc', relation: 'can_read', subject },
      'objects',
      'doc:shared',
    ),
    subjects: await listed('/zanzibar/list-subjects', viewers, 'subjects', subject),
  };
}

async function userWithRights(): Promise<string> {
  const id = await people('org').user('anne@example.com');
  await org.write(
    `team:a#member@user:${id}`,
    'doc:shared#viewer@team:a#member',
    'doc:public#viewer@user:*',
    `role:reader#assignee@user:${id}`,
    'permission:doc:read#granted@role:reader#assignee',
  );
  return id;
}

const everywhere = (value: boolean) =>
  expect.toSatisfy((found: Record<string, boolean>) => {
    const wrong = Object.entries(found).filter(([, counts]) => counts !== value);
    if (wrong.length > 0) throw new Error(`not ${value}: ${wrong.map(([name]) => name).join(', ')}`);
    return true;
  });

describe.each(families)('in the %s family', (family) => {
  test('a blocked user counts in no decision and no list, until unblocked', async () => {
    const id = await userWithRights();
    const name = family === 'org' ? 'isBlocked' : 'blocked';
    expect(await whatCounts(id)).toEqual(everywhere(true));
    const blocked = await people(family).call('POST', `/users/${id}/block`);
    expect(blocked.status).toBe(200);
    expect(people(family).item(blocked)).toMatchObject({ id, [name]: true, isActive: true });
    expect(await whatCounts(id)).toEqual(everywhere(false));
    // the tuples stay, whatever they say
    expect((await org.call('GET', `/zanzibar/tuples?subject=user:${id}`)).list('tuples')).toHaveLength(2);
    const unblocked = await people(family).call('POST', `/users/${id}/unblock`);
    expect(people(family).item(unblocked)).toMatchObject({ id, [name]: false });
    expect(await whatCounts(id)).toEqual(everywhere(true));
  });

  test('neither does one who is not active; one who is both counts when both have ended', async () => {
    const id = await userWithRights();
    await people(family).call('PATCH', `/users/${id}`, { isActive: false });
    expect(await whatCounts(id)).toEqual(everywhere(false));
    await people(family).call('POST', `/users/${id}/block`);
    await people(family).call('PATCH', `/users/${id}`, { isActive: true });
    expect(await whatCounts(id)).toEqual(everywhere(false));
    await people(family).call('POST', `/users/${id}/unblock`);
    expect(await whatCounts(id)).toEqual(everywhere(true));
  });

  test('blocking twice changes and records one thing', async () => {
    const id = await people(family).user('anne@example.com');
    const first = await people(family).call('POST', `/users/${id}/block`);
    const second = await people(family).call('POST', `/users/${id}/block`);
    expect(second.body).toEqual(first.body);
    const log = await people('org').call('GET', `/audit-logs?targetId=${id}&action=user.block`);
    expect(people('org').items(log)).toMatchObject([{ eventType: 'user.blocked', targetType: 'user' }]);
    await people(family).call('POST', `/users/${id}/unblock`);
    const undone = await people('org').call('GET', `/audit-logs?targetId=${id}&action=user.unblock`);
    expect(people('org').items(undone)).toMatchObject([{ eventType: 'user.unblocked', targetType: 'user' }]);
  });

  test('mark-verified, mfa/reset', async () => {
    const id = await people(family).user('anne@example.com');
    const verified = await people(family).call('POST', `/users/${id}/mark-verified`);
    expect(people(family).item(verified)).toMatchObject({ id, emailVerified: true });
    const reset = await people(family).call('POST', `/users/${id}/mfa/reset`);
    expect(reset.status).toBe(200);
    expect(people(family).item(reset)).toMatchObject({ id, mfaEnabled: false });
    const actions = people('org')
      .items(await people('org').call('GET', `/audit-logs?targetId=${id}`))
      .map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['user.mark_verified', 'user.reset_mfa']));
  });

  test.each(['block', 'unblock', 'mark-verified', 'mfa/reset', 'password-reset', 'verify-email'])(
    '%s of nobody is not found',
    async (action) => {
      expect((await people(family).call('POST', `/users/nobody/${action}`)).status).toBe(404);
    },
  );
});

test('a deleted user is somebody else’s again, without a tuple', async () => {
  const id = await userWithRights();
  await people('org').call('POST', `/users/${id}/block`);
  await people('org').call('DELETE', `/users/${id}`);
  const { everybody, ...others } = await whatCounts(id);
  expect(everybody).toBe(true);
  expect(others).toEqual(everywhere(false));
});

test('a user created inactive counts from the first moment as one who is', async () => {
  await org.write('doc:public#viewer@user:*');
  const id = await people('org').user('anne@example.com', { isActive: false });
  const check = { object: 'doc:public', relation: 'viewer', subject: `user:${id}` };
  expect((await org.post('/zanzibar/check', check)).body).toMatchObject({ allowed: false });
});

describe('attributes on record', () => {
  const model = [
    'type doc',
    '  relations',
    '    define viewer: [user, user:* with rule]',
    '    define can_read: viewer',
    'condition rule(expression: string) {',
    '  holds(expression)',
    '}',
  ];
  const expression = 'subject.department == "bones" && subject.emailVerified && resource.id != "secret"';
  const rule = { name: 'rule', context: { expression } };

  test('win over what a question says, in authz/check and abac/check', async () => {
    await org.model(...model);
    await org.write({ object: 'doc:1', relation: 'viewer', subject: 'user:*', condition: rule });
    const stored = { metadata: { department: 'bones' }, emailVerified: true };
    const anne = await people('org').user('anne@example.com', stored);
    const ben = await people('org').user('ben@example.com', { metadata: { department: 'fish' }, emailVerified: true });
    const ask = async (subject: string, supplied: Record<string, unknown>) => {
      const check = { permission: 'doc:read', resource: { type: 'doc', id: '1' }, subject };
      const context = { subject: supplied };
      const answers = [
        await org.post('/authz/check', { ...check, context }),
        await org.post('/abac/check', { ...check, subjectAttributes: supplied }),
        await org.post('/authz/check-any', { ...check, permission: undefined, permissions: ['doc:read'], context }),
      ];
      const bulk = await org.post('/authz/check-bulk', { checks: [{ ...check, context }] });
      return [...answers.map((answer) => answer.at('allowed')), bulk.at('results.0.allowed')];
    };
    expect(await ask(`user:${anne}`, {})).toEqual([true, true, true, true]);
    expect(await ask(`user:${anne}`, { department: 'fish' })).toEqual([true, true, true, true]);
    const lie = { department: 'bones', emailVerified: true };
    expect(await ask(`user:${ben}`, lie)).toEqual([false, false, false, false]);
    // who has no record is what the question says
    expect(await ask('user:elsewhere', lie)).toEqual([true, true, true, true]);
    await people('org').call('PATCH', `/users/${anne}`, { metadata: { department: 'fish' } });
    expect(await ask(`user:${anne}`, lie)).toEqual([false, false, false, false]);
  });
});
