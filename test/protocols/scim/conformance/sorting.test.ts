import { beforeAll, expect, test } from 'vitest';
import { expectError, expectStatus, schemaOf, word } from './messages.ts';
import { atBothBases } from './provider.ts';

interface Shown {
  readonly displayName: string;
}

atBothBases('RFC 7644, 3.4.2.3: sorting', 'scim-sorting', (scim) => {
  // made in an order that is none of those that are asked for
  beforeAll(async () => {
    const mail = (type: string, first: string) => ({
      value: `${first}.${word()}@sort.example`,
      type,
      primary: type === 'work',
    });
    await scim().newUser({
      displayName: 'carl',
      title: 'a',
      emails: [mail('home', 'a'), mail('work', 'z')],
      name: { familyName: 'Ö', givenName: 'C' },
    });
    await scim().newUser({
      displayName: 'Alma',
      title: 'C',
      emails: [mail('work', 'm')],
      name: { familyName: 'Z', givenName: 'A' },
    });
    await scim().newUser({
      displayName: 'berta',
      emails: [mail('work', 'b')],
      name: { familyName: 'a', givenName: 'B' },
    });
  });

  const order = async (query: string): Promise<string[]> => {
    const { body } = expectStatus(await scim().get(`/Users?${query}`), 200);
    return (body as { Resources: Shown[] }).Resources.map(({ displayName }) => displayName);
  };

  test('the order is ascending where none is named', async () => {
    expect(await order('sortBy=displayName')).toEqual(['Alma', 'berta', 'carl']);
    expect(await order('sortBy=displayName')).toEqual(await order('sortBy=displayName&sortOrder=ascending'));
  });

  test('the order is descending where that is asked for', async () => {
    expect(await order('sortBy=displayName&sortOrder=descending')).toEqual(['carl', 'berta', 'Alma']);
  });

  test('texts that are not case-exact are sorted without regard to case', async () => {
    expect(await order('sortBy=name.familyName&count=1')).toEqual(['berta']);
    expect(await order('sortBy=displayName')).toEqual(['Alma', 'berta', 'carl']);
  });

  test('resources without a value come last, and first in descending order', async () => {
    expect(await order('sortBy=title')).toEqual(['carl', 'Alma', 'berta']);
    expect(await order('sortBy=title&sortOrder=descending')).toEqual(['berta', 'Alma', 'carl']);
  });

  test('of several values the primary one counts', async () => {
    expect(await order('sortBy=emails')).toEqual(['berta', 'Alma', 'carl']);
    expect(await order('sortBy=emails.value&sortOrder=descending')).toEqual(['carl', 'Alma', 'berta']);
  });

  test('a part of a complex attribute can be sorted by', async () => {
    expect(await order('sortBy=name.givenName')).toEqual(['Alma', 'berta', 'carl']);
    expect(await order('sortBy=NAME.GIVENNAME&sortOrder=descending')).toEqual(['carl', 'berta', 'Alma']);
  });

  test('an extension, a part of several values and a truth value can be sorted by', async () => {
    const urn = schemaOf.enterprise;
    const made = await Promise.all(
      [
        { costCenter: 'b', nickName: 'X', active: true, country: 'CH' },
        { costCenter: 'A', nickName: 'y', active: false, country: 'US' },
        { costCenter: 'c', active: true, country: 'AT' },
      ].map(async ({ costCenter, country, ...rest }) => {
        const extra = { ...rest, title: 'by parts', displayName: costCenter, addresses: [{ country }] };
        const user = await scim().newUser({ schemas: [schemaOf.user, urn], [urn]: { costCenter }, ...extra });
        return user.id;
      }),
    );
    const sorted = (sortBy: string) => order(`filter=title%20eq%20%22by%20parts%22&sortBy=${sortBy}`);
    expect(await sorted(`${urn}:costCenter`)).toEqual(['A', 'b', 'c']);
    expect(await sorted('nickName')).toEqual(['b', 'A', 'c']);
    expect(await sorted('nickname&sortOrder=descending')).toEqual(['c', 'A', 'b']);
    expect(await sorted('addresses.country')).toEqual(['c', 'b', 'A']);
    expect((await sorted('active'))[0]).toBe('A');
    const pages: string[] = [];
    let cursor = '';
    for (let page = 0; page < 3; page++) {
      const query = `filter=title%20eq%20%22by%20parts%22&sortBy=nickName&count=1&cursor=${cursor}`;
      const answer = expectStatus(await scim().get(`/Users?${query}`), 200);
      pages.push(...(answer.at('Resources') as Shown[]).map(({ displayName }) => displayName));
      cursor = answer.text('nextCursor');
    }
    expect(pages).toEqual(['b', 'A', 'c']);
    await Promise.all(made.map((id) => scim().delete(`/Users/${id}`)));
  });

  test('texts that are case-exact are sorted with regard to case', async () => {
    const groups = ['b', 'B', 'a'].map((externalId) => scim().newGroup({ externalId }));
    const ids = (await Promise.all(groups)).map(({ id }) => id);
    const { body } = expectStatus(await scim().get('/Groups?sortBy=externalId'), 200);
    const found = (body as { Resources: { externalId: string }[] }).Resources;
    expect(found.map(({ externalId }) => externalId)).toEqual(['B', 'a', 'b']);
    await Promise.all(ids.map((id) => scim().delete(`/Groups/${id}`)));
  });

  test.each(['password', 'name', 'unknown', 'name.unknown'])('%s gives no order', async (sortBy) => {
    expectError(await scim().get(`/Users?sortBy=${sortBy}`), 400, 'invalidPath');
  });

  test('times are sorted as times', async () => {
    expect(await order('sortBy=meta.created')).toEqual(['carl', 'Alma', 'berta']);
    expect(await order('sortBy=meta.created&sortOrder=descending')).toEqual(['berta', 'Alma', 'carl']);
  });

  test('the order holds over the pages', async () => {
    const pages = [1, 2, 3].map((start) => order(`sortBy=displayName&startIndex=${start}&count=1`));
    expect((await Promise.all(pages)).flat()).toEqual(['Alma', 'berta', 'carl']);
  });

  test('a search that is posted is sorted alike', async () => {
    const body = { schemas: [schemaOf.search], sortBy: 'displayName', sortOrder: 'descending' };
    const answer = expectStatus(await scim().post('/Users/.search', body), 200);
    expect((answer.at('Resources') as Shown[]).map(({ displayName }) => displayName)).toEqual([
      'carl',
      'berta',
      'Alma',
    ]);
  });
});
