import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { liveToken, succession, type TokenEntry } from '../../../src/identity/sessions/index.ts';
import { getSession } from '../../../src/identity/sessions/records/session-record.ts';
import { tokenRecords } from '../../../src/identity/sessions/records/token-record.ts';
import { earlierWrite } from './earlier-tokens.ts';
import { type InProcessOrganization, InProcessService, isGoodToken, type NewUser } from './in-process-service.ts';

let service: InProcessService;
let org: InProcessOrganization;
let anne: NewUser;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  org = await service.organization(`grants${++count}`);
  anne = await org.newUser('anne@example.com');
});
afterAll(() => service.stop());

const HOUR = 3_600_000;

async function begun(sessionId?: string): Promise<TokenEntry> {
  const bound = sessionId === undefined ? {} : { sessionId };
  const grant = { type: 'refresh', clientId: 'app', userId: anne.id, scopes: [], ...bound } as const;
  const entry = await org.issue({ ...grant, expiresAt: service.clock.now() + 2 * HOUR });
  return entry as TokenEntry;
}

/** An access token of the grant, as it is issued with its next refresh token. */
async function issuedBy(grant: TokenEntry): Promise<string> {
  await renewed(grant.id);
  const { clientId, userId, sessionId } = grant.document;
  const own = { clientId, ...(userId && { userId }), ...(sessionId && { sessionId }) };
  const access = { ...own, type: 'access', scopes: [], grantId: grant.id } as const;
  return (await org.issue({ ...access, expiresAt: service.clock.now() + HOUR }))?.id ?? 'refused';
}

async function renewed(id: string): Promise<void> {
  const { store } = org.organization;
  await service.commit(() => {
    const entry = liveToken(store, id, service.clock.now());
    return entry && service.signedIn.tokens.renewal(store, entry, service.clock.now() + 2 * HOUR);
  });
}

async function listed(query: string): Promise<string[]> {
  const answer = await org.org('GET', `/admin/tokens?${query}`);
  return answer.list('data.data').map((each) => (each as { id: string }).id);
}

const record = (id: string) => service.read(() => tokenRecords.get(org.organization.store, id));
const rows = (index: string, key: string): string[] =>
  service.read(() => tokenRecords.index(org.organization.store).ids(index, key, { limit: 100 }));

test('an access token of a grant is found by whatever its grant is found by, by user and session through the grant', async () => {
  const session = await org.signIn(anne);
  const grant = await begun(session.id);
  const access = await issuedBy(grant);
  for (const query of [`userId=${anne.id}`, 'clientId=app', `search=${anne.id}`, `search=${access}`]) {
    expect(await listed(query), query).toContain(access);
  }
  expect(rows('grant', grant.id)).toEqual([access]);
  for (const key of [anne.id, session.id]) {
    for (const index of ['user', 'session']) expect(rows(index, key)).toEqual([]);
  }
});

test.each([0, 1])('a token of a grant that was exchanged for another ends with either (%d)', async (place) => {
  const grant = await begun();
  const parent = await org.issue({ ...grant.document, type: 'access' });
  const both = { ...grant.document, type: 'access', grantId: grant.id, parentId: parent?.id ?? '' } as const;
  const id = (await org.issue(both))?.id ?? 'refused';
  expect(isGoodToken(org, id)).toBe(true);
  expect((await org.org('DELETE', `/admin/tokens/${[grant.id, parent?.id][place]}`)).status).toBe(204);
  expect(isGoodToken(org, id)).toBe(false);
});

test('what an earlier version wrote is found as before, also when its grant goes on', async () => {
  const session = await org.signIn(anne);
  const { store } = org.organization;
  const grant = await begun(session.id);
  const first = await issuedBy(grant);
  const earlier = [grant.id, first].map((id) => earlierWrite(store, record(id) as TokenEntry));
  await service.submit(earlier);
  const all = [grant.id, first];
  expect(await listed('clientId=app')).toEqual(all);
  all.push(await issuedBy(grant));
  for (const query of [`userId=${anne.id}`, 'clientId=app']) expect(await listed(query)).toEqual(all);
  expect((await org.org('DELETE', `/admin/tokens/${grant.id}`)).status).toBe(204);
  expect(all.map((id) => isGoodToken(org, id))).toEqual([false, false, false]);
  expect(await listed('clientId=app')).toEqual([]);
  await service.sweep();
  expect(service.idsOf(store.name, 'tokens')).toEqual([]);
});

test.each(['now', 'earlier'])('tokens of a grant go over to the session that follows (written %s)', async (when) => {
  const { store } = org.organization;
  const before = await org.signIn(anne);
  const grant = await begun(before.id);
  const access = await issuedBy(grant);
  if (when === 'earlier') {
    await service.submit([grant.id, access].map((id) => earlierWrite(store, record(id) as TokenEntry)));
  }
  const after = await org.signIn(anne);
  await service.commit(() => {
    const session = getSession(store, before.id);
    return session && succession(store, session, after.id, service.clock.now());
  });
  expect([grant.id, access].map((id) => isGoodToken(org, id))).toEqual([true, true]);
  await service.sweep();
  expect(await listed(`userId=${anne.id}`)).toEqual([grant.id, access]);
  await org.org('DELETE', `/admin/sessions/${after.id}`);
  expect([grant.id, access].map((id) => isGoodToken(org, id))).toEqual([false, false]);
  await service.sweep();
  expect(service.idsOf(store.name, 'tokens')).toEqual([]);
});

test('a token that is revoked while it goes over to the session that follows stays revoked', async () => {
  const { store } = org.organization;
  const before = await org.signIn(anne);
  const [kept, revoked] = [await begun(before.id), await begun(before.id)];
  const after = await org.signIn(anne);
  service.beforeNextCommit(() => org.org('DELETE', `/admin/tokens/${revoked.id}`));
  await service.commit(() => {
    const session = getSession(store, before.id);
    return session && succession(store, session, after.id, service.clock.now());
  });
  expect([kept, revoked].map(({ id }) => isGoodToken(org, id))).toEqual([true, false]);
});

test('the place of a grant among what is due moves when its time has come, and not at each use', async () => {
  const { store } = org.organization;
  const grant = await begun();
  const keys = () => service.read(() => tokenRecords.index(store).keys('expires', { limit: 10 })).map(Number);
  const { expiresAt: first } = grant.document;
  for (let use = 0; use < 3; use++) {
    service.clock.advance(HOUR / 2);
    await renewed(grant.id);
    expect(keys()).toEqual([first]);
  }
  const end = service.clock.now() + 2 * HOUR;
  expect(record(grant.id)?.document.expiresAt).toBe(end);
  service.clock.advance(HOUR);
  // its first time has passed, and it goes on
  expect(await listed('clientId=app')).toEqual([grant.id]);
  await service.sweep();
  expect(keys()).toEqual([end]);
  expect(isGoodToken(org, grant.id)).toBe(true);
  service.clock.advance(HOUR);
  expect(await listed('clientId=app')).toEqual([]);
  await service.sweep();
  expect(service.idsOf(store.name, 'tokens')).toEqual([]);
});

test('a grant that is used for a shorter time than before is due earlier', async () => {
  const { store } = org.organization;
  const grant = await begun();
  await service.commit(() => {
    const entry = liveToken(store, grant.id, service.clock.now());
    return entry && service.signedIn.tokens.renewal(store, entry, service.clock.now() + 1000);
  });
  service.clock.advance(1000);
  expect(await listed('clientId=app')).toEqual([]);
  await service.sweep();
  expect(service.idsOf(store.name, 'tokens')).toEqual([]);
});
