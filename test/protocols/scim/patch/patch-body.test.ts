import { describe, expect, test } from 'vitest';
import { applyOperation } from '../../../../src/protocols/scim/patch/apply-patch.ts';
import { parsePatch } from '../../../../src/protocols/scim/patch/parse-patch.ts';
import { userType } from '../../../../src/protocols/scim/schema/user-type.ts';
import { barbara, enterprise, patchUrn } from '../people.ts';
import { refusal } from './patching.ts';

const operation = { op: 'replace', path: 'title', value: 'x' };
const read = (body: unknown, strict = false) => parsePatch(userType, body, { strict });

describe('the body of PATCH', () => {
  test.each([
    ['nothing', undefined, /body: must be an object/],
    ['a list', [operation], /body: must be an object/],
    ['a text', 'x', /body: must be an object/],
    ['no schemas', { Operations: [operation] }, /schemas: must name/],
    ['other schemas', { schemas: ['urn:x'], Operations: [operation] }, /schemas: must name/],
    ['schemas that are no list', { schemas: patchUrn, Operations: [operation] }, /schemas: must name/],
    ['no operations', { schemas: [patchUrn] }, /Operations: must be a list/],
    ['an empty list of operations', { schemas: [patchUrn], Operations: [] }, /Operations: must be a list/],
    ['operations that are no list', { schemas: [patchUrn], Operations: operation }, /Operations: must be a list/],
    [
      'an operation that is no object',
      { schemas: [patchUrn], Operations: ['x'] },
      /Operations\[0\]: must be an object/,
    ],
    ['operations twice', { schemas: [patchUrn], Operations: [operation], operations: [operation] }, /given twice/],
    ['an operation twice', { schemas: [patchUrn], Operations: [{ ...operation, OP: 'add' }] }, /op: is given twice/],
  ])('is refused with %s', (_, body, detail) => {
    expect(() => read(body)).toThrow(refusal('invalidSyntax', detail));
  });

  test('has a thousand operations at most', () => {
    const body = (count: number) => ({
      schemas: [patchUrn],
      Operations: Array.from({ length: count }, () => operation),
    });
    expect(read(body(1000))).toHaveLength(1000);
    expect(() => read(body(1001))).toThrow(refusal('invalidValue', /more than 1000/));
  });

  test('is read in any case', () => {
    const body = { SCHEMAS: [patchUrn.toUpperCase()], operations: [{ OP: 'REPLACE', Path: 'TITLE', VALUE: 'x' }] };
    expect(read(body)).toEqual([{ op: 'replace', path: { attribute: 'title' }, value: 'x' }]);
  });

  test('may have other members, where the reader is not strict', () => {
    const body = { schemas: [patchUrn], Operations: [{ ...operation, name: 'x' }], more: 1 };
    expect(read(body)).toHaveLength(1);
    expect(() => read(body, true)).toThrow(refusal('invalidSyntax', /more: is not known/));
  });

  test('comes out as operations with one path each', () => {
    const value = {
      'name.givenName': 'B',
      name: { familyName: 'J' },
      [enterprise]: { department: 'D', manager: { value: 'K1' } },
      [`${enterprise}:costCenter`]: 7 as unknown,
      active: 'False',
    };
    value[`${enterprise}:costCenter`] = '7';
    const paths = read({ schemas: [patchUrn], Operations: [{ op: 'Add', value }] });
    expect(paths).toEqual([
      { op: 'add', path: { attribute: 'name', subAttribute: 'givenName' }, value: 'B' },
      { op: 'add', path: { attribute: 'name', subAttribute: 'familyName' }, value: 'J' },
      { op: 'add', path: { urn: enterprise, attribute: 'department' }, value: 'D' },
      { op: 'add', path: { urn: enterprise, attribute: 'manager', subAttribute: 'value' }, value: 'K1' },
      { op: 'add', path: { urn: enterprise, attribute: 'costCenter' }, value: '7' },
      { op: 'add', path: { attribute: 'active' }, value: false },
    ]);
  });

  test.each(['__proto__', 'constructor', 'prototype', 'toString'])('reaches into nothing by the name %s', (name) => {
    const value = JSON.parse(`{"${name}": {"x": 1}, "name": {"${name}": "x"}, "title": "x"}`) as unknown;
    expect(read({ schemas: [patchUrn], Operations: [{ op: 'add', value }] })).toEqual([
      { op: 'add', path: { attribute: 'title' }, value: 'x' },
    ]);
    const path = { schemas: [patchUrn], Operations: [{ op: 'add', path: name, value: 'x' }] };
    expect(() => read(path)).toThrow(refusal('invalidPath'));
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  test('is applied to attributes of the type alone', () => {
    expect(() => applyOperation(userType, barbara, { op: 'add', path: { attribute: 'nothing' }, value: 'x' })).toThrow(
      refusal('invalidPath'),
    );
  });
});
