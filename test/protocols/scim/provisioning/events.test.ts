import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type InProcessOrganization, InProcessService } from '../../../identity/sessions/in-process-service.ts';
import { expectEvents } from '../../../kernel/events/operations/observed.ts';
import { group, user } from './organization.ts';

let service: InProcessService;
let org: InProcessOrganization;
let token: string;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start({ RELATA_ALLOW_PRIVATE_URLS: '1' });
});
beforeEach(async () => {
  org = await service.organization(`told-${++count}`);
  const settings = `/orgs/${org.organization.slug}/api/v1/admin/settings/scim`;
  const { key } = org;
  const body = { enabled: true, provisioning: { delete_users: true } };
  await service.call('PATCH', settings, { key, body });
  const made = await service.call('POST', `${settings}/tokens`, { key, body: { name: 'directory' } });
  token = String(made.at('data.data.token'));
});
afterAll(() => service.stop());

const send = async (method: string, path: string, body?: unknown) => {
  const answer = await service.call(method, `/orgs/${org.organization.slug}/scim2.0${path}`, { key: token, body });
  expect(answer.status).toBeLessThan(300);
  return answer;
};
const patch = (path: string, operation: object) =>
  send('PATCH', path, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [operation] });

test('what is done over SCIM is told as what administrators do', async () => {
  let id = '';
  const ada = () => ({ userId: id, email: 'ada@people.example' });
  await expectEvents(org, async () => {
    id = (await send('POST', '/Users', user('ada'))).text('id');
  }, [['user.created', { email: 'ada@people.example', user: { username: 'ada' } }]]);
  const changes = [
    { op: 'replace', path: 'title', value: 'Countess' },
    { op: 'replace', path: 'active', value: false },
    { op: 'replace', path: 'active', value: true },
  ];
  for (const change of changes) {
    const suspended = change.value === false ? [['user.deactivated', ada()] as const] : [];
    await expectEvents(org, () => patch(`/Users/${id}`, change), [['user.updated', ada()], ...suspended]);
  }
  let groupId = '';
  await expectEvents(org, async () => {
    groupId = (await send('POST', '/Groups', group('Sales', id))).text('id');
  }, [['group.member_added', { ...ada(), group: 'sales' }]]);
  await expectEvents(org, () => patch(`/Groups/${groupId}`, { op: 'remove', path: `members[value eq "${id}"]` }), [
    ['group.member_removed', { ...ada(), groupId, group: 'sales' }],
  ]);
  await expectEvents(org, () => send('DELETE', `/Users/${id}`), [['user.deleted', ada()]]);
});

test('a password that is provisioned is told as one that an administrator sets', async () => {
  const id = (await send('POST', '/Users', user('ada'))).text('id');
  const change = { op: 'replace', value: { password: 'correct horse battery staple', title: 'Dr' } };
  await expectEvents(org, () => patch(`/Users/${id}`, change), [
    ['user.updated', { userId: id }],
    ['user.password_changed', { userId: id, reason: 'set' }],
  ]);
});

test('the audit log says who provisioned, and what changed', async () => {
  const id = (await send('POST', '/Users', user('ada'))).text('id');
  await patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Countess' });
  const { slug } = org.organization;
  const log = await service.call('GET', `/orgs/${slug}/api/v1/admin/audit-logs?limit=50`, { key: org.key });
  const entries = log.list('data.data') as { action: string; actorType: string; targetId: string }[];
  const about = entries.filter(({ targetId }) => targetId === id);
  expect(about.map(({ action }) => action).sort()).toEqual(['user.create', 'user.update']);
  for (const entry of about) expect(JSON.stringify(entry)).toContain('scim_token');
  expect(JSON.stringify(about)).toContain('Countess');
});

test('who was a member for a time and is none any more is taken out without an error', async () => {
  const id = (await send('POST', '/Users', user('ada'))).text('id');
  const groupId = (await send('POST', '/Groups', group('Sales'))).text('id');
  const expiresAt = new Date(service.clock.now() + 60_000).toISOString();
  const tuple = { object: 'group:sales', relation: 'member', subject: `user:${id}`, expiresAt };
  const path = `/orgs/${org.organization.slug}/api/v1/zanzibar/tuples`;
  const written = await service.call('POST', path, { key: org.key, body: { writes: [tuple] } });
  expect(written.status).toBeLessThan(300);
  expect((await send('GET', `/Groups/${groupId}`)).list('members')).toHaveLength(1);
  service.clock.advance(61_000);
  expect((await send('GET', `/Groups/${groupId}`)).body).not.toHaveProperty('members');
  await patch(`/Groups/${groupId}`, { op: 'remove', path: `members[value eq "${id}"]` });
});
