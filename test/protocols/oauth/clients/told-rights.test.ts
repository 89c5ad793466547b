import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewUser } from '../../../identity/sessions/in-process-service.ts';
import { agreed } from '../grants/issuing.ts';
import { ClockedProvider } from '../in-process.ts';
import { RelyingParty } from '../relying-party.ts';

let provider: ClockedProvider;
let user: NewUser;

beforeAll(async () => {
  provider = await ClockedProvider.start('told');
  await provider.organization.org('PATCH', '/admin/settings/auth', {
    body: { registration: { dynamic_client_registration_enabled: true } },
  });
  user = await provider.organization.newUser('ada@told.example');
  await provider.admin('POST', '/admin/groups', { name: 'eng' });
  await provider.admin('PUT', `/admin/users/${user.id}/roles`, { roles: ['ROLE_TENANT_ADMIN'] });
  await provider.admin('PUT', `/admin/users/${user.id}/groups`, { groups: ['eng'] });
});
afterAll(() => provider.service.stop());

const question = { permission: 'users.read' };
const relation = (id: string) => ({ object: 'group:eng', relation: 'member', subject: `user:${id}` });

/** Everything that tells its bearer what it may do. */
const decisions = (id: string): readonly [method: string, path: string, body?: object][] => [
  ['GET', '/authz/permissions'],
  ['POST', '/authz/check', question],
  ['POST', '/authz/check-bulk', { checks: [question] }],
  ['POST', '/authz/check-any', { permissions: ['users.read'] }],
  ['POST', '/authz/check-all', { permissions: ['users.read'] }],
  ['POST', '/abac/check', question],
  ['POST', '/zanzibar/check', relation(id)],
  ['POST', '/zanzibar/check-bulk', { checks: [relation(id)] }],
];

const claimsOf = (token: string): string[] => {
  const { roles, groups, permissions, overage } = decodeJwt(token);
  return Object.keys(JSON.parse(JSON.stringify({ roles, groups, permissions, overage })) as object);
};

async function asked(key: string) {
  const answers = [];
  for (const [method, path, body] of decisions(user.id)) {
    const options = { key, ...(body === undefined ? {} : { body }) };
    answers.push(await provider.organization.org(method, path, options));
    answers.push(await provider.organization.tenant(method, path, options));
  }
  return answers;
}

async function itsOwn(scope: string): Promise<string> {
  const party = await RelyingParty.registerItself(provider, { scope });
  return (await agreed(provider, party, user, scope.split(' '))).access;
}

describe('what its user may do is told to a client that registered itself', () => {
  test('by no decision and in no token, where it has not asked for it', async () => {
    const token = await itsOwn('openid profile');
    expect(claimsOf(token)).toEqual([]);
    for (const answer of await asked(token)) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      const header = answer.headers.get('www-authenticate');
      expect(header).toBe('Bearer realm="relata", error="insufficient_scope", scope="permissions"');
    }
    const told = await provider.organization.org('GET', '/oauth/userinfo', { key: token });
    expect([told.status, told.body]).toEqual([200, { sub: user.id, updated_at: expect.any(Number) }]);
  });

  test('with the scope for it', async () => {
    const token = await itsOwn('openid permissions');
    expect(claimsOf(token)).toEqual(['permissions']);
    for (const { status } of await asked(token)) expect(status).toBe(200);
    const listed = await provider.organization.org('GET', '/authz/permissions', { key: token });
    expect(JSON.stringify(listed.body)).toContain('agents.manage');
  });

  test('and not before its user has agreed', async () => {
    const party = await RelyingParty.registerItself(provider, { scope: 'openid permissions' });
    const { access } = await agreed(provider, party, user, ['openid']);
    expect(new Set((await asked(access)).map(({ status }) => status))).toEqual(new Set([403]));
  });

  test('while one that an administrator has registered is told without it', async () => {
    const party = await RelyingParty.register(provider);
    const { access } = await agreed(provider, party, user, ['openid']);
    expect(claimsOf(access)).toEqual(['roles', 'groups', 'permissions']);
    for (const { status } of await asked(access)) expect(status).toBe(200);
  });
});
