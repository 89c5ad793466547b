import { beforeAll, expect, test } from 'vitest';
import { type Body, expectError, expectStatus, schemaOf } from './messages.ts';
import { atBothBases, type Made } from './provider.ts';

const search = (rest: Body): Body => ({ schemas: [schemaOf.search], ...rest });

atBothBases('RFC 7644, 3.4.3 and 3.4.2.1: searching with POST', 'scim-search', (scim) => {
  let user: Made;
  let group: Made;
  beforeAll(async () => {
    user = await scim().newUser({ displayName: 'Searched', title: 'Dr' });
    group = await scim().newGroup({ displayName: 'Searched', members: [{ value: user.id }] });
    await scim().newUser();
  });

  test('3.4.3: a search of a type is answered as a query of it is', async () => {
    for (const path of ['/Users', '/Groups']) {
      const filter = 'displayName eq "Searched"';
      const posted = expectStatus(await scim().post(`${path}/.search`, search({ filter })), 200);
      expect(posted.body).toEqual((await scim().query(path, filter)).body);
      expect(posted.body).toMatchObject({ schemas: [schemaOf.list], totalResults: 1 });
    }
  });

  test('3.4.3: takes every parameter of a query', async () => {
    const body = search({
      filter: 'userName pr',
      attributes: ['displayName'],
      sortBy: 'meta.created',
      sortOrder: 'ascending',
      startIndex: 1,
      count: 1,
    });
    const answer = expectStatus(await scim().post('/Users/.search', body), 200);
    expect(answer.body).toMatchObject({
      totalResults: 2,
      startIndex: 1,
      itemsPerPage: 1,
      Resources: [{ displayName: 'Searched' }],
    });
    expect(answer.at('Resources.0')).not.toHaveProperty('userName');
  });

  test('3.4.2.1: a search of the root finds resources of every type', async () => {
    const answer = expectStatus(await scim().post('/.search', search({ filter: 'displayName eq "Searched"' })), 200);
    const found = answer.at('Resources') as Made[];
    expect(found.map(({ id }) => id).sort()).toEqual([user.id, group.id].sort());
    expect(found.map(({ meta }) => (meta as { resourceType: string }).resourceType).sort()).toEqual(['Group', 'User']);
  });

  test('3.4.2.1: at the root without a filter, all resources are there', async () => {
    expect(expectStatus(await scim().post('/.search', search({ count: 0 })), 200).at('totalResults')).toBe(3);
  });

  test('3.4.2.1: an attribute that a type does not have does not match resources of it', async () => {
    const answer = expectStatus(await scim().post('/.search', search({ filter: 'title eq "Dr"' })), 200);
    expect((answer.at('Resources') as Made[]).map(({ id }) => id)).toEqual([user.id]);
  });

  test('3.4.2.1: the type of a resource can be asked for', async () => {
    const filter = 'meta.resourceType eq "Group"';
    const answer = expectStatus(await scim().post('/.search', search({ filter })), 200);
    expect((answer.at('Resources') as Made[]).map(({ id }) => id)).toEqual([group.id]);
  });

  test('3.4.2.1: pages of the root hold each resource once', async () => {
    const pages = [1, 2, 3].map((startIndex) => scim().post('/.search', search({ startIndex, count: 1 })));
    const ids = (await Promise.all(pages)).flatMap((page) => (page.at('Resources') as Made[]).map(({ id }) => id));
    expect(new Set(ids).size).toBe(3);
  });

  test('3.4.3: attributes may be left out by name', async () => {
    const answer = expectStatus(await scim().post('/Groups/.search', search({ excludedAttributes: ['members'] })), 200);
    expect(answer.at('Resources.0')).not.toHaveProperty('members');
  });

  test.each([
    ['no schemas', { filter: 'userName pr' }],
    ['the schema of another message', { schemas: [schemaOf.patch], filter: 'userName pr' }],
    ['a filter that is no text', search({ filter: 7 })],
    ['attributes that are no list', search({ attributes: { a: 1 } })],
    ['a count that is no number', search({ count: 'many' })],
  ])('3.4.3: refuses %s', async (_, body) => {
    expectError(
      await scim().post('/Users/.search', body),
      400,
      'invalidSyntax',
      'invalidValue',
      'invalidFilter',
      'invalidCount',
    );
  });

  test('3.4.3: a search changes nothing, and makes nothing', async () => {
    expectStatus(await scim().post('/Users/.search', search({})), 200);
    expect((await scim().get('/Users')).at('totalResults')).toBe(2);
  });
});
