import { expect, test } from 'vitest';
import { readListQuery } from '../../../../src/protocols/scim/lists/list-parameters.ts';
import { cursorOf, cursorText } from '../../../../src/protocols/scim/lists/list-task.ts';

const query = readListQuery({ cursor: '', filter: 'title pr', sortBy: 'userName' });
const list = { types: ['User'], base: 'https://relata.example/t/red/scim/v2', query };
const cursor = cursorText(list, { key: 'anne', id: 'u1' });

test('a cursor is the place in its list', () => {
  expect(cursorOf(list, cursor)).toEqual({ key: 'anne', id: 'u1' });
});

test.each([
  ['resources of another kind', { ...list, types: ['Group'] }],
  ['another organization', { ...list, base: 'https://relata.example/t/blue/scim/v2' }],
  ['another filter', { ...list, query: { ...query, filter: 'title eq "x"' } }],
  ['another attribute to sort by', { ...list, query: { ...query, sortBy: undefined } }],
  ['the other order', { ...list, query: { ...query, descending: !query.descending } }],
])('a cursor is refused by a list of %s', (_, other) => {
  expect(() => cursorOf(other, cursor)).toThrow('does not belong to this list');
});
