import { beforeAll, expect, test } from 'vitest';
import { expectStatus, schemaOf, word } from './messages.ts';
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
