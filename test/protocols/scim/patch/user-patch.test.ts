import { describe, expect, test } from 'vitest';
import { barbara, enterprise } from '../people.ts';
import { add } from './cases/add.ts';
import { refused } from './cases/refused.ts';
import { remove } from './cases/remove.ts';
import { replace } from './cases/replace.ts';
import { patched, refusal, withChanges } from './patching.ts';

describe('PATCH of a user', () => {
  test.each(add)('adds %s', (_, operations, changes) => {
    expect(patched(barbara, operations)).toEqual(withChanges(barbara, changes));
  });

  test.each(replace)('replaces %s', (_, operations, changes) => {
    expect(patched(barbara, operations)).toEqual(withChanges(barbara, changes));
  });

  test.each(remove)('removes %s', (_, operations, changes) => {
    expect(patched(barbara, operations)).toEqual(withChanges(barbara, changes));
  });

  test.each(refused)('refuses %s', (_, operation, code, detail) => {
    const before = structuredClone(barbara);
    expect(() => patched(barbara, [{ op: 'replace', path: 'title', value: 'x' }, operation])).toThrow(
      refusal(code, new RegExp(detail.source.replace('Operations\\[0\\]', 'Operations\\[1\\]'))),
    );
    expect(barbara).toEqual(before);
  });

  // RFC 7644, 3.5.2.1: no change of the time of modification
  const unchanged = [...add, ...replace, ...remove].filter(([, , changes]) => Object.keys(changes).length === 0);
  test.each(unchanged)('gives back the same object after nothing: %s', (_, operations) => {
    expect(patched(barbara, operations)).toBe(barbara);
  });

  test('says what has changed and leaves the rest as it is', () => {
    const after = patched(barbara, [{ op: 'replace', path: 'title', value: 'Boss' }]);
    expect(after.emails).toBe(barbara.emails);
    expect(after[enterprise]).toBe(barbara[enterprise]);
  });

  test('asks only for what was there: who has no name yet can be deactivated', () => {
    const { name, emails, ...nameless } = barbara;
    expect([name, emails]).not.toContain(undefined);
    expect(patched(nameless, [{ op: 'replace', path: 'active', value: false }])).toEqual({
      ...nameless,
      active: false,
    });
  });
});
