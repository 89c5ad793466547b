import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewUser } from '../identity/sessions/in-process-service.ts';
import { exchange } from '../protocols/oauth/grants/exchange-scene.ts';
import { agreed } from '../protocols/oauth/grants/issuing.ts';
import { ClockedProvider } from '../protocols/oauth/in-process.ts';
import { RelyingParty } from '../protocols/oauth/relying-party.ts';
import { forbidden } from './organizations.ts';

interface Touch {
  readonly what: string;
  /** Of a token that reaches just that. */
  readonly scopes: readonly string[];
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** What changes how a user signs in. */
const signIn: readonly Touch[] = [
  {
    what: 'password',
    scopes: ['users.reset_password'],
    method: 'PUT',
    path: '/password',
    body: { password: 'correct horse battery' },
  },
  { what: 'second factors', scopes: ['users.reset_mfa'], method: 'POST', path: '/mfa/reset' },
  { what: 'address', scopes: ['users.update'], method: 'PATCH', path: '', body: { email: 'mallory@example.com' } },
  {
    what: 'address, as a whole',
    scopes: ['users.update'],
    method: 'PUT',
    path: '',
    body: { email: 'mallory2@example.com', name: 'Mallory' },
  },
  { what: 'user name', scopes: ['users.update'], method: 'PATCH', path: '', body: { username: 'mallory' } },
  { what: 'telephone', scopes: ['users.update'], method: 'PATCH', path: '', body: { phoneNumber: '+41446681800' } },
  { what: 'that the address is verified', scopes: ['users.verify'], method: 'POST', path: '/mark-verified' },
  {
    what: 'the same by a change',
    scopes: ['users.update', 'users.verify'],
    method: 'PATCH',
    path: '',
    body: { emailVerified: true },
  },
];

/** What else is done only to those who hold no more. */
const standing: readonly Touch[] = [
  { what: 'link to a new password', scopes: ['users.reset_password'], method: 'POST', path: '/password-reset' },
  { what: 'link to verify the address', scopes: ['users.verify'], method: 'POST', path: '/verify-email' },
  { what: 'unblock', scopes: ['users.block'], method: 'POST', path: '/unblock' },
  { what: 'block', scopes: ['users.block'], method: 'POST', path: '/block' },
  { what: 'status', scopes: ['users.update', 'users.block'], method: 'PATCH', path: '', body: { isActive: false } },
  { what: 'deletion', scopes: ['users.delete'], method: 'DELETE', path: '' },
];

let provider: ClockedProvider;
let admins = 0;

beforeAll(async () => {
  provider = await ClockedProvider.start('narrow');
});
afterAll(() => provider.service.stop());

async function newAdministrator(): Promise<NewUser> {
  const user = await provider.organization.newUser(`admin${++admins}@example.com`);
  const { status } = await provider.admin('PUT', `/admin/users/${user.id}/roles`, { roles: ['ROLE_TENANT_ADMIN'] });
  expect(status).toBe(200);
  return user;
}

async function tokenOf(user: NewUser, scopes: readonly string[]): Promise<string> {
  return (await agreed(provider, await RelyingParty.register(provider, { scopes }), user, scopes)).access;
}

/** The answers of both families. */
async function touched(user: NewUser, { method, path, body }: Touch, token: string) {
  const options = { key: token, ...(body === undefined ? {} : { body }) };
  const at = `/admin/users/${user.id}${path}`;
  return [
    await provider.organization.org(method, at, options),
    await provider.organization.tenant(method, at, options),
  ];
}

describe('Rights 3: a token has no more rights over its own user than over others', () => {
  test.each([...signIn, ...standing])(
    'one that reaches no more than $what leaves its administrator as it is',
    async (touch) => {
      const user = await newAdministrator();
      const before = (await provider.admin('GET', `/admin/users/${user.id}`)).body;
      const token = await tokenOf(user, touch.scopes);
      expect(await touched(user, touch, token)).toMatchObject([forbidden, forbidden]);
      expect((await provider.admin('GET', `/admin/users/${user.id}`)).body).toEqual(before);
    },
  );

  test.each(signIn)('$what: not by a token for its own user, even if it reaches everything', async (touch) => {
    const token = await tokenOf(await newAdministrator(), ['settings.manage']);
    const user = await newAdministrator();
    const own = await tokenOf(user, ['settings.manage']);
    expect(await touched(user, touch, own)).toMatchObject([forbidden, forbidden]);
    // by somebody else's that reaches as much, as before
    expect((await touched(user, touch, token)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('a profile is still changed, and a token that reaches all that its user holds changes the status', async () => {
    const user = await newAdministrator();
    const profile = { what: 'name', scopes: ['users.update'], method: 'PATCH', path: '', body: { name: 'Anne' } };
    const renamed = await touched(user, profile, await tokenOf(user, ['users.update']));
    const blocked = await provider.organization.org('POST', `/admin/users/${user.id}/block`, {
      key: await tokenOf(user, ['settings.manage']),
    });
    expect([...renamed, blocked].map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

describe('Rights 3: nor has an agent that acts with it', () => {
  const acting = async (permissions: readonly string[], scopes: readonly string[]) => {
    const agent = await RelyingParty.register(provider, {
      grantTypes: [exchange],
      redirectUris: [],
      scopes,
      permissions,
    });
    const app = await RelyingParty.register(provider, { scopes, mayAct: [agent.id] });
    return async (user: NewUser): Promise<string> => {
      const answer = await provider.form('token', {
        grant_type: exchange,
        client_id: agent.id,
        client_secret: agent.secret ?? '',
        subject_token: (await agreed(provider, app, user, scopes)).access,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      });
      return answer.text('access_token');
    };
  };

  test.each(standing)(
    '$what: an agent that holds just that, with all scopes, for its own, more powerful user',
    async (touch) => {
      const user = await newAdministrator();
      const token = await (await acting(touch.scopes, ['settings.manage']))(user);
      expect(await touched(user, touch, token)).toMatchObject([forbidden, forbidden]);
    },
  );

  test.each(signIn)('$what: not even one that holds everything', async (touch) => {
    const user = await newAdministrator();
    const token = await (await acting(['settings.manage'], ['settings.manage']))(user);
    expect(await touched(user, touch, token)).toMatchObject([forbidden, forbidden]);
  });
});

describe('Rights 3: nor has a program with a token of its own', () => {
  test.each([...signIn, ...standing])('$what of an administrator', async (touch) => {
    const user = await newAdministrator();
    // the program may do everything, and its token reaches just this
    const token = await provider.token(await provider.client(touch.scopes, ['settings.manage']));
    expect(await touched(user, touch, token)).toMatchObject([forbidden, forbidden]);
  });
});
