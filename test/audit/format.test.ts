import { expect, test } from 'vitest';
import { chainStart, cutProof, nextLink } from '../../engine/store/chain/links.ts';
import { entryDigest } from '../../src/kernel/audit/canonical.ts';
import { entryRecords, type StoredEntry } from '../../src/kernel/audit/entry.ts';
import { storeOf } from '../../src/kernel/organizations/index.ts';
import { deriveKey } from '../../src/platform/index.ts';

/**
 * The form that a log has on disk for good, and that anybody can compute who has read of it: all values below were made
 * by another program, in another language. A change here makes every log that was written before look changed.
 */
const entry: StoredEntry = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  orgId: '01890a5d-0000-7000-8000-000000000001',
  eventType: 'user.created',
  action: 'user.create',
  severity: 'info',
  actorId: 'api_key:K',
  actorType: 'admin',
  targetId: 'U',
  targetType: 'user',
  result: 'success',
  metadata: { requestId: 'r-1', changes: { name: ['a', 'b'] }, count: 3 },
  createdAt: '2023-06-29T19:32:15.254Z',
  personal: {
    actorEmail: { value: 'ann@example.org', salt: 'c2FsdA' },
    ipAddress: { hash: 'w9Z2PjB0x4Vd7yq5cJ1f3uK8sT6mN0hL2aE4gR1iXoQ' },
    'metadata.address': { value: { city: 'Zürich', a: [1, null, true] }, salt: 'cGVwcGVy' },
  },
};
const DIGEST = 'f302adf06a27c39aa2ed247cecebf8dd4be6977471d47b0c1d449367f3c76b60';
const KEY = '515a0ff367d8248d8b4f4e955cd4deeeb487e5ec9db76b1b266d0d8293ba0874';

test('the digest of an entry stays what it is', () => {
  expect(entryDigest(entry).toString('hex')).toBe(DIGEST);
});

test('and is the same once a personal field is erased, and in whatever order the fields are', () => {
  const hash = 'uKl6MTDXrGKkf8vaDVFJQ0k89gbKjd_hQq6dadhqGPI';
  const { personal, ...plain } = entry;
  const erased = { personal: { ...personal, actorEmail: { hash } }, ...plain };
  expect(entryDigest(erased).toString('hex')).toBe(DIGEST);
});

test('the links of a log, and the proof of a cut, stay what they are', () => {
  const key = deriveKey('the master key of a test', 'audit chain');
  expect(Buffer.from(key).toString('hex')).toBe(KEY);
  const start = chainStart(storeOf('acme'), entryRecords.collection);
  const first = nextLink(key, start.link, 1, Buffer.from(DIGEST, 'hex'));
  const second = nextLink(key, first, 2, Buffer.from(DIGEST, 'hex'));
  const proof = cutProof(key, start, { sequence: 2, link: second });
  expect([start.link, first, second, proof].map((each) => each.toString('hex'))).toEqual([
    'deb54ff64db073c3e31d3b107675e6948de20d00e06b7bc9d398ba2ebb24734f',
    '6f61f87653141b02f4b63692a191261467b4f56c337cf4a0895063d65b89d5db',
    '2b470bb3df58931378c4a03e1273185123dd0e5ecb83d302dfba1cbda15ea240',
    '430e99e87686fbd575d65c36cfb9de1cae922e222bd60990ef888832f0b08f7b',
  ]);
});
