import { expect, test } from 'vitest';
import { slugOfName } from '../../../src/kernel/organizations/index.ts';

test.each([
  ['Sales (EMEA)', 'sales-emea'],
  ['  Über Größe! ', 'uber-grosse'],
  ['ĐÆŒØŁÞı', 'daeoeolthi'],
  ['STRASSE, STRAẞE', 'strasse-strasse'],
  ['Ａ Ⅳ ﬁ', 'a-iv-fi'],
  ['日本', ''],
  ['-- --', ''],
])('%j is %j', (name, slug) => expect(slugOfName(name, 60)).toBe(slug));

test('is cut without a dash at its end', () => {
  expect(slugOfName('abc def', 4)).toBe('abc');
});
