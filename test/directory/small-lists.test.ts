import { beforeAll, describe, expect, test } from 'vitest';
import { families, InFamily } from '../server/in-family.ts';
import type { Organization } from '../server/running-service.ts';
import { sharedService } from '../server/shared-service.ts';

let org: Organization;
const models: string[] = [];
const slugs = ['alpha', 'beta', 'gamma'];
/** In another order than that of the slugs. */
const names = { alpha: 'Zulu', beta: 'mike', gamma: 'Bravo' } as const;

beforeAll(async () => {
  org = await (await sharedService()).organization('small-lists');
  const admin = new InFamily(org, 'org');
  for (const [slug, name] of Object.entries(names)) {
    await admin.make('POST', '/roles', { slug, name });
    await admin.make('POST', '/groups', { name: slug, displayName: name });
    await admin.make('POST', '/permissions', { slug, name });
    await admin.make('POST', '/api-keys', { name });
  }
  for (const slug of slugs) {
    await admin.make('POST', `/roles/beta/permissions`, { permissionId: slug });
    if (slug !== 'beta') await admin.make('POST', `/roles/${slug}/permissions`, { permissionId: 'beta' });
    await admin.make('POST', `/groups/beta/roles`, { roleId: slug });
    const dsl = `model\n  schema 1.1\ntype ${slug}\n`;
    models.unshift((await org.post('/zanzibar/models', { dsl })).text('id'));
  }
  const email = 'ann@example.com';
  await admin.make('POST', '/users', { email, roles: slugs, groups: slugs });
  for (const permissionId of slugs) await admin.make('POST', `/users/${email}/permissions`, { permissionId });
}, 60_000);

interface SmallList {
  readonly path: string;
  /** Which field names an item, and by which the list is sorted. */
  readonly by: string;
}

const lists: readonly SmallList[] = [
  { path: '/users/ann@example.com/roles', by: 'name' },
  { path: '/users/ann@example.com/groups', by: 'displayName' },
  { path: '/users/ann@example.com/permissions', by: 'name' },
  { path: '/roles/beta/permissions', by: 'name' },
  { path: '/permissions/beta/roles', by: 'name' },
  { path: '/groups/beta/roles', by: 'name' },
  { path: '/api-keys', by: 'name' },
];

describe.each(families)('in the %s family', (family) => {
  const ask = async (path: string, query: string) => {
    const admin = new InFamily(org, family);
    const answer = await admin.call('GET', `${path}?${query}`);
    expect([path, query, answer.status]).toEqual([path, query, 200]);
    return { items: admin.inside(answer) as Record<string, string>[], body: answer };
  };

  test.each(lists)('$path is searched and sorted', async ({ path, by }) => {
    const named = async (query: string) => {
      const { items } = await ask(path, query);
      // the organization has keys of its own
      return items.map((item) => item[by]).filter((name) => (Object.values(names) as unknown[]).includes(name));
    };
    expect(await named(`sortBy=${by}`)).toEqual(['Bravo', 'mike', 'Zulu']);
    expect(await named(`sortBy=${by}&sortOrder=desc`)).toEqual(['Zulu', 'mike', 'Bravo']);
    expect(await named(`sortBy=${by}&sortDir=DESC&limit=100`)).toEqual(['Zulu', 'mike', 'Bravo']);
    expect(await named('search=MIKE')).toEqual(['mike']);
    expect(await named('q=rav')).toEqual(['Bravo']);
    expect(await named('search=nothing')).toEqual([]);
    expect(await named(`search=mike&sortBy=${by}&page=2&limit=1`)).toEqual([]);
    const one = await ask(path, 'search=mike&limit=1');
    expect(one.body.at(family === 'org' ? 'data.meta' : 'meta')).toMatchObject({ total: 1, limit: 1, page: 1 });
    for (const query of ['sortBy=secret', 'sortOrder=up', `search=${'x'.repeat(201)}`, 'unknown=1']) {
      const refused = await new InFamily(org, family).call('GET', `${path}?${query}`);
      expect([path, query, refused.status]).toEqual([path, query, 400]);
    }
  });

  test.each(lists.slice(0, 6))('$path keeps its order where none is asked for', async ({ path, by }) => {
    const { items } = await ask(path, '');
    const backwards = await ask(path, 'sortOrder=desc');
    expect(items.map((item) => item[by])).toEqual(backwards.items.map((item) => item[by]).toReversed());
    expect(items).toHaveLength(3);
  });

  test('versions of models are searched and sorted', async () => {
    const base = family === 'org' ? 'orgs' : 't';
    const ids = async (query: string) => {
      const answer = await org.service.call('GET', `/${base}/small-lists/api/v1/zanzibar/models?${query}`, {
        key: org.key,
      });
      expect([query, answer.status]).toEqual([query, 200]);
      const items = answer.list(family === 'org' ? 'data.data' : 'data') as { id: string }[];
      return items.map(({ id }) => id).filter((id) => models.includes(id));
    };
    expect(await ids('')).toEqual(models);
    expect(await ids('sortBy=createdAt')).toEqual(models.toReversed());
    expect(await ids('sortBy=createdAt&sortOrder=desc')).toEqual(models);
    const [newest = '', ...others] = models;
    expect(await ids(`search=${newest.toUpperCase()}`)).toEqual([newest]);
    expect(await ids('page=2&limit=1')).toEqual(others.slice(0, 1));
    const path = `/${base}/small-lists/api/v1/zanzibar/models?sortBy=id`;
    expect((await org.service.call('GET', path, { key: org.key })).status).toBe(400);
  });
});
