import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewUser } from '../../../identity/sessions/in-process-service.ts';
import { ClockedProvider } from '../in-process.ts';
import { RelyingParty } from '../relying-party.ts';
import { agreed, refreshedAt } from './issuing.ts';

let provider: ClockedProvider;
let users = 0;

beforeAll(async () => {
  provider = await ClockedProvider.start('ending-grants');
});
afterAll(() => provider.service.stop());

const newUser = (): Promise<NewUser> => provider.organization.newUser(`ending${++users}@example.com`);
const offline = ['openid', 'profile', 'offline_access'];
const isGood = async (token: string): Promise<boolean> => (await provider.status(token)) === 200;

const endings: readonly [string, (who: NewUser, by: RelyingParty) => Promise<{ readonly status: number }>][] = [
  ['its user is blocked', (who) => provider.admin('POST', `/admin/users/${who.id}/block`)],
  ['its user is deleted', (who) => provider.admin('DELETE', `/admin/users/${who.id}`)],
  ['its user is deactivated', (who) => provider.admin('PATCH', `/admin/users/${who.id}`, { isActive: false })],
  [
    'its user gets another password',
    (who) => provider.admin('PUT', `/admin/users/${who.id}/password`, { password: 'another horse battery 9' }),
  ],
  ['the tokens of its user are revoked', (who) => provider.admin('DELETE', `/admin/users/${who.id}/tokens`)],
  ['the tokens of its client are revoked', (_, by) => provider.admin('DELETE', `/admin/clients/${by.id}/tokens`)],
  ['its client is deactivated', (_, by) => provider.admin('PATCH', `/admin/clients/${by.id}`, { isActive: false })],
  ['its client is deleted', (_, by) => provider.admin('DELETE', `/admin/clients/${by.id}`)],
  ['everybody is signed out', () => provider.admin('POST', '/admin/sessions/revoke-all', { confirm: true })],
];
test.each(endings)('a grant ends when %s, on the very next request', async (_, end) => {
  const who = await newUser();
  const by = await RelyingParty.register(provider);
  const { access, refresh } = await agreed(provider, by, who, offline);
  expect(await isGood(access)).toBe(true);
  const answer = await end(who, by);
  expect(answer.status).toBeLessThan(300);
  expect(await isGood(access)).toBe(false);
  expect((await refreshedAt(provider, by, refresh)).status).toBeGreaterThanOrEqual(400);
});

const ofTheSession: typeof endings = [
  ['the sessions of its user end', (who) => provider.admin('DELETE', `/admin/users/${who.id}/sessions`)],
];
test.each([...endings, ...ofTheSession])(
  'nothing is issued by a grant that ends because %s while its next token is made',
  async (_, end) => {
    const who = await newUser();
    const by = await RelyingParty.register(provider);
    const { refresh } = await agreed(provider, by, who, ['openid']);
    provider.service.beforeNextCommit(() => end(who, by));
    expect((await refreshedAt(provider, by, refresh)).status).toBeGreaterThanOrEqual(400);
  },
);
