import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Organization, RunningService } from './running-service.ts';

const model = [
  'type user',
  'type group',
  '  relations',
  '    define member: [user, group#member]',
  'type doc',
  '  relations',
  '    define viewer: [group#member]',
];
const QUERIES = 60;

async function filled(org: Organization): Promise<void> {
  await org.model(...model);
  for (let page = 0; page < 2; page++) {
    await org.write(...Array.from({ length: 1000 }, (_, n) => `doc:${page}-${n}#viewer@group:all#member`));
  }
  await org.write('group:all#member@user:anne');
}

const list = (org: Organization) =>
  org.post('/zanzibar/list-objects', { type: 'doc', relation: 'viewer', subject: 'user:anne', limit: 1000 });

describe('queries of the pool', () => {
  let service: RunningService;
  let busy: Organization;
  let other: Organization;

  beforeAll(async () => {
    service = await RunningService.start({ RELATA_LIMIT_QUERIES_PER_ORGANIZATION: String(QUERIES / 2) });
    busy = await service.organization('busy');
    other = await service.organization('other');
    for (const each of [busy, other]) await filled(each);
    for (const each of [busy, other]) expect((await list(each)).status).toBe(200);
  });
  afterAll(() => service.remove());

  test('of which too many wait are refused with the reason, and when to come again', async () => {
    const answers = await Promise.all(Array.from({ length: QUERIES * 4 }, () => list(busy)));
    expect((await list(other)).status).toBe(200);
    const refused = answers.find(({ status }) => status === 503);
    expect(refused?.body).toMatchObject({
      code: 'unavailable',
      detail: `The organization has ${QUERIES / 2} queries waiting, which is the limit.`,
    });
    expect(refused?.headers.get('retry-after')).toBe('1');
  });
});

test('a query that takes too long ends, and says which limit it passed', async () => {
  const service = await RunningService.start({ RELATA_LIMIT_QUERY_TIME_MS: '1' });
  try {
    const org = await service.organization('slow');
    const answer = await org.call('GET', '/zanzibar/tuples?object=role:');
    expect(answer).toMatchObject({
      status: 503,
      body: { code: 'unavailable', detail: 'The query took longer than the limit of 1 ms (limits.queryTimeMs).' },
    });
    expect(answer.headers.get('retry-after')).toBe('10');
    expect((await service.call('GET', '/readyz')).status).toBe(200);
  } finally {
    await service.remove();
  }
});
