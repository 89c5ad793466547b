import { describe, expect, test } from 'vitest';
import { deviations } from '../../../../src/protocols/scim/patch/deviations.ts';
import { groupType } from '../../../../src/protocols/scim/schema/group-type.ts';
import { userType } from '../../../../src/protocols/scim/schema/user-type.ts';
import { barbara, enterprise, guides } from '../people.ts';
import { taken } from './cases/taken.ts';
import { patched, refusal, withChanges } from './patching.ts';

describe('PATCH takes', () => {
  test.each(taken)('%s', (_, kind, operations, changes) => {
    const resource = kind === 'user' ? barbara : guides;
    const type = kind === 'user' ? userType : groupType;
    expect(patched(resource, operations, { type })).toEqual(withChanges(resource, changes as Record<string, unknown>));
  });
});

describe('a strict PATCH refuses', () => {
  test.each([
    ['unknown attributes without a path', { op: 'replace', value: { nothing: 'x' } }, 'invalidPath', /not known/],
    [
      'unknown attributes of an extension',
      { op: 'add', path: enterprise, value: { nothing: 'x' } },
      'invalidSyntax',
      /nothing: is not an attribute/,
    ],
    [
      'unknown sub-attributes',
      { op: 'add', path: 'emails', value: [{ nothing: 'x' }] },
      'invalidSyntax',
      /emails\[0\]\.nothing/,
    ],
    [
      'unknown members of an operation',
      { op: 'add', path: 'title', value: 'x', more: 1 },
      'invalidSyntax',
      /more: is not known/,
    ],
    ['no value to replace', { op: 'replace', path: 'title' }, 'invalidValue', /value: is required/],
  ])('%s', (_, operation, code, detail) => {
    expect(() => patched(barbara, [operation], { strict: true })).toThrow(refusal(code, detail));
  });
});

describe('each deviation from RFC 7644', () => {
  test.each(deviations)('is as it is described: $name', ({ shown }) => {
    const { operation, resource, changes } = shown;
    const start = withChanges(resource === 'user' ? barbara : guides, shown.before ?? {});
    const type = resource === 'user' ? userType : groupType;
    expect(patched(start, [operation], { type })).toEqual(withChanges(start, changes));
  });

  test('names a section and a reason', () => {
    for (const { name, section, says, reason } of deviations) {
      expect([name, section]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/^RFC 764[34], \d/)]);
      expect([says, reason].every((text) => text.length > 20 && text.endsWith('.'))).toBe(true);
    }
  });
});
