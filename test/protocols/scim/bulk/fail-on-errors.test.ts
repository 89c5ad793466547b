import { describe, expect, test } from 'vitest';
import { FakeProvider, patch, post, statuses } from './fake-provider.ts';

describe('failOnErrors (RFC 7644, 3.7 and 3.7.3)', () => {
  const bad = patch('/Users/none');

  test.each([
    { failOnErrors: 1, expect: ['201', '404'] },
    { failOnErrors: 2, expect: ['201', '404', '201', '404'] },
    { failOnErrors: 3, expect: ['201', '404', '201', '404', '201', '404'] },
    { failOnErrors: 4, expect: ['201', '404', '201', '404', '201', '404', '201'] },
    { failOnErrors: 99, expect: ['201', '404', '201', '404', '201', '404', '201'] },
  ])('of $failOnErrors ends the processing; what was not attempted is not in the answer', async (given) => {
    const operations = [post('a'), bad, post('b'), bad, post('c'), bad, post('d')];
    const provider = new FakeProvider();
    const response = await provider.bulk(operations, { failOnErrors: given.failOnErrors });
    expect(statuses(response)).toEqual(given.expect);
    expect(provider.begun.length).toBe(given.expect.length);
  });

  test('counts operations that are not valid, and circles', async () => {
    const operations = [{ method: 'GET', path: '/Users' }, post('a', { manager: { value: 'bulkId:a' } }), post('b')];
    expect(statuses(await new FakeProvider().bulk(operations, { failOnErrors: 2 }))).toEqual(['400', '409']);
  });

  test('bounds how many run at once: never so many that more could fail', async () => {
    const provider = new FakeProvider();
    await provider.bulk(
      Array.from({ length: 50 }, (_, n) => post(`u${n}`)),
      { failOnErrors: 3 },
    );
    expect(provider.runningMost).toBe(3);
  });

  test('attempts what would be attempted one after the other, however long each takes', async () => {
    const operations = [post('slow'), bad, bad, post('a'), post('b')];
    const provider = new FakeProvider(({ bulkId }) => (bulkId === 'slow' ? 50 : 1));
    expect(statuses(await provider.bulk(operations, { failOnErrors: 2 }))).toEqual(['201', '404', '404']);
  });
});
