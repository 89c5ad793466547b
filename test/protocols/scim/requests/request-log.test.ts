import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { problem, type Visit, type WatchedVisit } from '../../../../src/http/index.ts';
import { ScimRequestLog } from '../../../../src/protocols/scim/index.ts';
import { ClockedProvider } from '../../oauth/in-process.ts';

let provider: ClockedProvider;
let log: ScimRequestLog;
let count = 0;

beforeAll(async () => {
  provider = await ClockedProvider.start('log');
});
beforeEach(async () => {
  provider = await provider.neighbour(`log${++count}`);
  log = new ScimRequestLog(provider.service.keyDependencies().engine, provider.service.clock);
});
afterAll(() => provider.service.stop());

const day = 86_400_000;
const visit = {
  requestId: 'r',
  path: `/orgs/log/scim2.0/Users?${'x'.repeat(2000)}`,
  params: {},
  query: { filter: 'f'.repeat(2000) },
  body: undefined,
  endpoint: { method: 'GET', path: '/orgs/{orgId}/scim2.0/Users', access: { scope: 'scim' } },
} as unknown as WatchedVisit & Visit;

const listed = async (query = '') => {
  const answer = await provider.organization.org('GET', `/admin/scim/requests?limit=100${query}`);
  return { total: Number(answer.at('data.meta.total')), entries: answer.list('data.data') as Entry[] };
};

interface Entry {
  readonly path: string;
  readonly filter: string;
  readonly omitted: number;
  readonly detail: string;
}

function note(times: number): void {
  const { organization } = provider.organization;
  const caller = {
    organization,
    subject: 'scim_token:t',
    seesRights: false,
    may: () => true,
    isStillValid: () => true,
  };
  for (let time = 0; time < times; time++) log.watch(caller, visit)(problem('not_found', 'd'.repeat(2000)));
}

test('what is too long is cut', async () => {
  note(1);
  await log.flush();
  const { entries } = await listed();
  expect(entries[0]).toMatchObject({
    path: visit.path.slice(0, 500),
    filter: 'f'.repeat(1000),
    detail: 'd'.repeat(500),
  });
});

test('a filter that names a password is not kept', async () => {
  const asking = { ...visit, query: { filter: 'userName eq "a" and PassWord eq "Correct-Horse-1"' } };
  log.watch(
    {
      organization: provider.organization.organization,
      subject: 'scim_token:t',
      seesRights: false,
      may: () => true,
      isStillValid: () => true,
    },
    asking,
  )(problem('not_found'));
  await log.flush();
  const { entries } = await listed();
  expect(entries[0]?.filter).toBe('(names a password)');
});

test('what is too much at once is counted, and left out', async () => {
  note(520);
  for (let time = 0; time < 15; time++) {
    log.watchStranger(visit)(provider.organization.organization, problem('unauthenticated'));
  }
  await log.flush();
  const { total, entries } = await listed();
  expect(total).toBe(500);
  expect(entries[0]?.omitted).toBe(35);
  note(1);
  await log.flush();
  expect((await listed()).entries[0]?.omitted).toBe(0);
});

test('strangers do not push out what others did', async () => {
  for (let time = 0; time < 15; time++) {
    log.watchStranger(visit)(provider.organization.organization, problem('unauthenticated'));
  }
  note(1);
  await log.flush();
  const { total, entries } = await listed();
  expect([total, entries[0]?.omitted]).toEqual([11, 5]);
});

test('the oldest go when they are too many, and all after thirty days', async () => {
  for (let batch = 0; batch < 11; batch++) {
    note(500);
    await log.flush();
  }
  expect((await listed()).total).toBe(5500);
  await provider.service.runJob('scim_requests');
  expect((await listed()).total).toBe(5000);
  provider.service.clock.advance(30 * day + 1);
  note(3);
  await log.flush();
  await provider.service.runJob('scim_requests');
  expect((await listed()).total).toBe(3);
});

test('nothing is lost of others where an organization is gone', async () => {
  const gone = await provider.neighbour(`gone${count}`);
  const caller = { ...gone.organization, subject: 'x', seesRights: false, may: () => true, isStillValid: () => true };
  log.watch(caller, visit)(problem('not_found'));
  note(1);
  const other = { ...caller, organization: { ...gone.organization.organization, store: { name: 'org:nobody' } } };
  log.watch(other as never, visit)(problem('not_found'));
  await expect(log.flush()).resolves.toBeUndefined();
  expect((await listed()).total).toBe(1);
});
