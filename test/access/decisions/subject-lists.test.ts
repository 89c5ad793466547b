import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Organization } from '../../server/running-service.ts';
import { sharedService } from '../../server/shared-service.ts';

let org: Organization;

beforeAll(async () => {
  const service = await sharedService();
  org = await service.organization('subject-lists');
  await org.model(
    'type team',
    '  relations',
    '    define member: [user]',
    'type doc',
    '  relations',
    '    define blocked: [user, team#member]',
    '    define viewer: [user, user:*, team#member, user with in_region] but not blocked',
    'condition in_region(region: string, regions: list<string>) {',
    '  region in regions',
    '}',
  );
  await org.write(
    'doc:open#viewer@user:*',
    'doc:open#viewer@user:ann',
    'doc:open#blocked@user:bob',
    'doc:open#blocked@team:out#member',
    'team:out#member@user:cat',
    'doc:eu#viewer@user:ann',
    {
      object: 'doc:eu',
      relation: 'viewer',
      subject: 'user:dan',
      condition: { name: 'in_region', context: { regions: ['eu'] } },
    },
  );
});

const families = ['t', 'orgs'] as const;

function ask(family: string, path: string, body: object, key = org.key): Promise<Answer> {
  return org.service.call('POST', `/${family}/${org.slug}/api/v1/zanzibar/${path}`, { key, body });
}

const question = { object: 'doc:open', relation: 'viewer', subjectType: 'user' };

describe.each(families)('POST /zanzibar/list-subjects under /%s', (family) => {
  const list = (body: object) => ask(family, 'list-subjects', { ...question, ...body });

  test('tells who is excluded beside a wildcard, where it is asked for', async () => {
    const answer = await list({ excluded: true });
    expect(answer.list('subjects').toSorted()).toEqual(['user:*', 'user:ann']);
    expect(answer.list('excluded').toSorted()).toEqual(['user:bob', 'user:cat']);
    expect((await list({})).body).not.toHaveProperty('excluded');
    const closed = await list({ object: 'doc:eu', excluded: true });
    expect(closed.body).toMatchObject({ subjects: ['user:ann'], excluded: [] });
  });

  test('tells who has access, and why, in one call', async () => {
    const answer = await list({ excluded: true, explain: true });
    const told = answer.list('explanations') as unknown as { subject: string; explanation: { outcome: string } }[];
    expect(told.map(({ subject }) => subject).toSorted()).toEqual(['user:*', 'user:ann', 'user:bob', 'user:cat']);
    for (const { subject, explanation } of told) {
      const asked = { object: 'doc:open', relation: 'viewer', subject, explain: true };
      const check = await ask(family, 'check', asked);
      expect(explanation).toEqual(check.at('explanation'));
      expect(explanation.outcome).toBe(check.at('allowed') === true ? 'allowed' : 'denied');
    }
  });

  test('explains what is conditional, too, and at most a hundred on a page', async () => {
    const answer = await list({ object: 'doc:eu', explain: true });
    expect(answer.body).toMatchObject({
      conditional: [{ subject: 'user:dan', missing: ['region'] }],
      explanations: expect.arrayContaining([
        { subject: 'user:dan', explanation: expect.objectContaining({ outcome: 'conditional' }) },
      ]),
    });
    const tooMany = await list({ explain: true, limit: 101 });
    expect(tooMany.status).toBe(400);
    expect(JSON.stringify(tooMany.body)).toContain('from 1 to 100');
    const pages: string[] = [];
    for (let cursor: unknown, count = 0; count === 0 || cursor !== undefined; count++) {
      const page = await list({ explain: true, limit: 1, ...(cursor === undefined ? {} : { cursor }) });
      expect(page.list('explanations')).toHaveLength(page.list('subjects').length);
      pages.push(...page.list('subjects').map(String));
      cursor = page.at('cursor');
    }
    expect(pages.toSorted()).toEqual(['user:*', 'user:ann']);
  });
});

describe.each(families)('POST /zanzibar/expand under /%s', (family) => {
  const expand = async (body: object): Promise<unknown> => {
    const answer = await ask(family, 'expand', { object: 'doc:eu', relation: 'viewer', ...body });
    return (answer.at('tree') as { base: { subjects: string[] } }).base.subjects.toSorted();
  };

  test('takes context: a tuple whose condition does not hold is left out', async () => {
    expect(await expand({})).toEqual(['user:ann', 'user:dan']);
    expect(await expand({ context: { region: 'eu' } })).toEqual(['user:ann', 'user:dan']);
    expect(await expand({ context: { region: 'us' } })).toEqual(['user:ann']);
  });

  test('takes contextual tuples, and refuses those that the model does not allow', async () => {
    const tuple = { object: 'doc:eu', relation: 'viewer', subject: 'team:x#member' };
    expect(await expand({ contextualTuples: [tuple] })).toEqual(['team:x#member', 'user:ann', 'user:dan']);
    const refused = await ask(family, 'expand', {
      object: 'doc:eu',
      relation: 'viewer',
      contextualTuples: ['doc:eu#owner@user:x'],
    });
    expect(refused.status).toBe(400);
  });

  test('needs authz:check for what is brought along', async () => {
    const { key } = await org.newKey({ permissions: ['tuples.read'] });
    const body = { object: 'doc:eu', relation: 'viewer' };
    expect((await ask(family, 'expand', body, key)).status).toBe(200);
    expect((await ask(family, 'expand', { ...body, context: { region: 'eu' } }, key)).status).toBe(403);
  });
});
