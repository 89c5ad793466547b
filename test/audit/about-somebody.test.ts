import { beforeAll, expect, test } from 'vitest';
import { InFamily } from '../server/in-family.ts';
import type { Service } from '../server/running-service.ts';
import { sharedService } from '../server/shared-service.ts';

let service: Service;

beforeAll(async () => {
  service = await sharedService();
});

test('what is done to somebody is on record about them, whichever endpoint did it', async () => {
  const admin = new InFamily(await service.organization('somebody'), 'org');
  const { id: user } = await admin.make('POST', '/users', { email: 'anne@somebody.example' });
  const { id: role } = await admin.make('POST', '/roles', { name: 'Editor', slug: 'editor' });
  const { id: group } = await admin.make('POST', '/groups', { name: 'eng' });
  const actions: [method: string, path: string, body?: object][] = [
    ['POST', `/roles/${role}/users`, { userId: user }],
    ['DELETE', `/roles/${role}/users/${user}`],
    ['POST', `/users/${user}/roles`, { roleId: role }],
    ['DELETE', `/users/${user}/roles/${role}`],
    ['POST', `/groups/${group}/members`, { userIds: [user] }],
    ['DELETE', `/groups/${group}/members/${user}`],
    ['POST', `/users/${user}/groups`, { groupId: group }],
    ['DELETE', `/users/${user}/groups/${group}`],
  ];
  for (const [method, path, body] of actions) await admin.make(method, path, body);
  const query = `/audit-logs?targetId=${user}&targetType=user&sortBy=createdAt&sortOrder=asc`;
  const entries = await admin.make<object[]>('GET', query);
  const given = (action: string, what: object) => ({ action, targetType: 'user', targetId: user, metadata: what });
  const twice = (...entry: object[]) => [...entry, ...entry];
  expect(entries).toMatchObject([
    { action: 'user.create' },
    ...twice(given('role.assign', { role: 'editor' }), given('role.unassign', { role: 'editor' })),
    ...twice(given('group.add_member', { group: 'eng' }), given('group.remove_member', { group: 'eng' })),
  ]);
});
