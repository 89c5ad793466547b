import { expect, test } from 'vitest';
import { readRevision, revisionKey } from '../../../engine/store/layout.ts';

const revisions = [
  0,
  1,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 32 + 2 ** 31,
  2 ** 45 + 7,
  Number.MAX_SAFE_INTEGER,
];

test.each(revisions)('revision %s is read as it was written', (revision) => {
  expect(readRevision(revisionKey(revision))).toBe(revision);
});

test('the keys of revisions are in their order', () => {
  const keys = revisions.map((revision) => revisionKey(revision));
  expect(keys.toSorted(Buffer.compare)).toEqual(keys);
});
