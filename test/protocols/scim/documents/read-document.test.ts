import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../../src/protocols/scim/documents/read-document.ts';
import { groupType } from '../../../../src/protocols/scim/schema/group-type.ts';
import { userType } from '../../../../src/protocols/scim/schema/user-type.ts';
import { refusal } from '../patch/patching.ts';
import { core, groupUrn } from '../people.ts';
import { refused, strictlyRefused } from './refused.ts';
import { taken } from './taken.ts';

const least = { schemas: [core], userName: 'b', name: { givenName: 'B' }, emails: [{ value: 'b@example.com' }] };
const read = (more: object, strict = false) => readDocument(userType, { ...least, ...more }, { strict });
const readGroup = (more: object, strict = false) =>
  readDocument(groupType, { schemas: [groupUrn], displayName: 'G', ...more }, { strict });

describe('a document of a user', () => {
  test.each(taken)('is read with %s', (_, sent, expected) => {
    expect(read(sent)).toEqual({ ...least, ...expected });
  });

  test.each(refused)('is refused with %s', (_, sent, code, detail) => {
    expect(() => read(sent)).toThrow(refusal(code, detail));
  });

  test.each(strictlyRefused)('is refused by a strict reader with %s', (_, sent, detail) => {
    expect(() => read(sent, true)).toThrow(refusal('invalidSyntax', detail));
    expect(read({ ...sent, schemas: least.schemas })).toBeDefined();
  });

  test.each([undefined, null, 'x', 1, [], [least]])('is refused where it is %j', (body) => {
    expect(() => readDocument(userType, body, { strict: false })).toThrow(
      refusal('invalidSyntax', /body: must be an object/),
    );
  });

  test('reaches into nothing by its names', () => {
    const body = JSON.parse(
      '{"__proto__": {"title": "x"}, "name": {"__proto__": {"familyName": "x"}, "givenName": "B"}}',
    );
    const resource = readDocument(userType, { ...least, name: body.name, ['__proto__']: 1 }, { strict: false });
    expect(Object.keys(resource)).toEqual(['userName', 'name', 'emails', 'schemas'].toSorted(orderIn(resource)));
    expect((resource.name as { familyName?: string }).familyName).toBeUndefined();
    expect(({} as { title?: string }).title).toBeUndefined();
  });
});

describe('a document of a group', () => {
  test('is read with members of any form', () => {
    const members = ['a', { value: 'b', display: 'B', $ref: null }, { value: 'c', type: 'Group', $ref: 'Groups/c' }];
    expect(readGroup({ members })).toEqual({
      schemas: [groupUrn],
      displayName: 'G',
      members: [{ value: 'a' }, { value: 'b' }, { value: 'c', type: 'Group', $ref: 'Groups/c' }],
    });
  });

  test('is read with the schema that Entra ID puts on groups, strictly as well', () => {
    const schemas = [groupUrn, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'];
    expect(readGroup({ schemas }, true)).toEqual({ schemas: [groupUrn], displayName: 'G' });
  });

  test('is read with 100,000 members, and not with more', () => {
    const members = Array.from({ length: 100_000 }, (_, index) => `m${index}`);
    expect(readGroup({ members }).members).toHaveLength(100_000);
    expect(() => readGroup({ members: [...members, 'x'] })).toThrow(
      refusal('invalidValue', /members: has more than 100000/),
    );
  });

  test.each([
    ['a member without an id', [{ type: 'User', $ref: 'x' }], /^members\[0\]\.value: is required/],
    ['a member that is a number', [1], /^members\[0\]\.value: must be a text/],
  ])('is refused with %s', (_, members, detail) => {
    expect(() => readGroup({ members })).toThrow(refusal('invalidValue', detail));
  });

  test('is refused without a name', () => {
    expect(() => readGroup({ displayName: null })).toThrow(refusal('invalidValue', /^displayName: is required/));
  });
});

/** Order of keys is not what is asked here. */
function orderIn(resource: object): (one: string, other: string) => number {
  const keys = Object.keys(resource);
  return (one, other) => keys.indexOf(one) - keys.indexOf(other);
}
