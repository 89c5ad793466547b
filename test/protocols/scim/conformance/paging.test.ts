import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../../server/running-service.ts';
import { expectError, expectStatus, schemaOf } from './messages.ts';
import { atBothBases, type Provider } from './provider.ts';

const TOTAL = 7;

const idsOf = (answer: Answer): string[] => (answer.list('Resources') as { id: string }[]).map(({ id }) => id);

/** Follows cursors from the first page to the last. */
async function allPages(scim: Provider, query: string): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let cursor: unknown = ''; typeof cursor === 'string' && pages.length <= TOTAL; ) {
    const page = expectStatus(await scim.get(`/Users?${query}&cursor=${cursor}`), 200);
    pages.push(page);
    cursor = page.at('nextCursor');
  }
  return pages;
}

atBothBases('pages', 'scim-paging', (scim) => {
  const get = async (query: string) => expectStatus(await scim().get(`/Users?${query}`), 200);

  beforeAll(async () => {
    for (let number = 0; number < TOTAL; number++) await scim().newUser({ title: number % 2 === 0 ? 'even' : 'odd' });
  });

  describe('RFC 7644, 3.4.2.4: by index', () => {
    test('pages follow one another and hold each resource once', async () => {
      const pages = [
        await get('startIndex=1&count=3'),
        await get('startIndex=4&count=3'),
        await get('startIndex=7&count=3'),
      ];
      expect(pages.map(({ body }) => body)).toMatchObject([
        { totalResults: TOTAL, startIndex: 1, itemsPerPage: 3 },
        { totalResults: TOTAL, startIndex: 4, itemsPerPage: 3 },
        { totalResults: TOTAL, startIndex: 7, itemsPerPage: 1 },
      ]);
      expect(new Set(pages.flatMap(idsOf)).size).toBe(TOTAL);
    });

    test.each(['0', '-3'])('a start of %s is taken as 1', async (start) => {
      const page = await get(`startIndex=${start}&count=2`);
      expect(page.body).toMatchObject({ startIndex: 1, itemsPerPage: 2 });
      expect(idsOf(page)).toEqual(idsOf(await get('startIndex=1&count=2')));
    });

    test.each(['0', '-3'])('a count of %s answers no resources, and the total', async (count) => {
      const page = await get(`count=${count}`);
      expect(page.at('totalResults')).toBe(TOTAL);
      expect(idsOf(page)).toEqual([]);
    });

    test('no more resources are answered than were asked for', async () => {
      for (const count of [1, 2, 5]) expect(idsOf(await get(`count=${count}`))).toHaveLength(count);
    });

    test('a start behind the end answers no resources, and the total', async () => {
      const page = await get('startIndex=100&count=5');
      expect(page.at('totalResults')).toBe(TOTAL);
      expect(idsOf(page)).toEqual([]);
    });

    test('a count beyond the greatest answers as many as there are', async () => {
      expect(idsOf(await get('count=100000'))).toHaveLength(TOTAL);
    });

    test('the total counts what matches the filter, and not what is shown', async () => {
      const page = await get(`filter=${encodeURIComponent('title eq "even"')}&count=2`);
      expect(page.body).toMatchObject({ totalResults: 4, itemsPerPage: 2 });
      const rest = await get(`filter=${encodeURIComponent('title eq "even"')}&startIndex=3&count=2`);
      expect(new Set([...idsOf(page), ...idsOf(rest)]).size).toBe(4);
    });

    test.each(['startIndex=one', 'count=many', 'startIndex=1.5'])('%s is refused', async (query) => {
      expectError(await scim().get(`/Users?${query}`), 400, 'invalidValue', 'invalidCount');
    });
  });

  describe('RFC 9865: by cursor', () => {
    test('2: an empty cursor asks for the first page; each but the last has a next cursor, and holds others', async () => {
      const pages = await allPages(scim(), 'count=3');
      expect(pages.map((page) => idsOf(page).length)).toEqual([3, 3, 1]);
      expect(new Set(pages.flatMap(idsOf)).size).toBe(TOTAL);
      expect(pages.map((page) => typeof page.at('nextCursor'))).toEqual(['string', 'string', 'undefined']);
    });

    test('2: a cursor has only characters that need no encoding in a URL', async () => {
      for (const page of (await allPages(scim(), 'count=2')).slice(0, -1)) {
        expect(page.at('nextCursor')).toMatch(/^[A-Za-z0-9._~-]+$/);
      }
    });

    test('2: a page holds no more than the count, and its total is that of all pages', async () => {
      for (const page of await allPages(scim(), 'count=2')) {
        expect(idsOf(page).length).toBeLessThanOrEqual(2);
        expect(page.body).toMatchObject({ schemas: [schemaOf.list], totalResults: TOTAL });
      }
    });

    test('2: the filter holds on every page', async () => {
      const pages = await allPages(scim(), `count=3&filter=${encodeURIComponent('title eq "even"')}`);
      expect(pages.flatMap(idsOf)).toHaveLength(4);
    });

    test('2.2: pages of a sorted query are sorted', async () => {
      const pages = await allPages(scim(), 'count=2&sortBy=userName&sortOrder=descending');
      const names = pages
        .flatMap((page) => page.list('Resources') as { userName: string }[])
        .map(({ userName }) => userName);
      expect(names).toHaveLength(TOTAL);
      expect(names).toEqual(names.toSorted().reverse());
    });

    test('2.1: what is no cursor of this provider is refused as invalidCursor', async () => {
      expectError(await scim().get('/Users?cursor=not-a-cursor&count=2'), 400, 'invalidCursor');
      const cursor = (await get('cursor=&count=2')).text('nextCursor');
      expectError(await scim().get(`/Users?cursor=x${cursor}&count=2`), 400, 'invalidCursor');
    });

    test('2.1: a count that is none is refused as invalidCount', async () => {
      expectError(await scim().get('/Users?cursor=&count=many'), 400, 'invalidCount', 'invalidValue');
    });

    test('2.3: no pagination named: no error, and all of a short list', async () => {
      expect(idsOf(await get(''))).toHaveLength(TOTAL);
    });

    test('3: a posted search takes and answers cursors', async () => {
      const first = expectStatus(
        await scim().post('/Users/.search', { schemas: [schemaOf.search], cursor: '', count: 4 }),
        200,
      );
      const cursor = first.text('nextCursor');
      const second = expectStatus(
        await scim().post('/Users/.search', { schemas: [schemaOf.search], cursor, count: 4 }),
        200,
      );
      expect(second.body).not.toHaveProperty('nextCursor');
      expect(new Set([...idsOf(first), ...idsOf(second)]).size).toBe(TOTAL);
    });

    test('4: the service provider configuration tells of both ways', async () => {
      const { pagination } = (await scim().shown('/ServiceProviderConfig')) as unknown as {
        pagination: Record<string, unknown>;
      };
      expect(pagination).toMatchObject({ cursor: true, index: true });
      expect(['index', 'cursor', undefined]).toContain(pagination.defaultPaginationMethod);
      for (const name of ['defaultPageSize', 'maxPageSize', 'cursorTimeout']) {
        if (pagination[name] !== undefined) expect(pagination[name]).toBeGreaterThan(0);
      }
    });
  });
});
