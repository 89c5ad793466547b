import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { RevisionTokens } from '../../../src/access/decisions/index.ts';

const PATH = 'consistency.atLeast';
const [id, other] = [randomBytes(8), randomBytes(8)];
const tokens = new RevisionTokens({ id, since: 100 });
const LATEST = 2 ** 48 - 1;

/** As they were given out before logs had an identity. */
function oldToken(revision: number): string {
  const bytes = Buffer.alloc(12);
  bytes[0] = 1;
  bytes.writeUIntBE(revision, 1, 6);
  createHash('sha256').update('relata consistency token').update(bytes.subarray(0, 7)).digest().copy(bytes, 7, 0, 5);
  return bytes.toString('base64url');
}

const refusal = (token: string): unknown => {
  try {
    return tokens.revisionOf(token, PATH);
  } catch (error) {
    return error;
  }
};

describe('a consistency token', () => {
  it.each([0, 1, 99, 100, 101, 2 ** 32, LATEST])('of revision %d comes back as it', (revision) => {
    expect(tokens.revisionOf(tokens.of(revision), PATH)).toBe(revision);
    expect(tokens.of(revision)).toBe(new RevisionTokens({ id, since: 0 }).of(revision));
    expect(tokens.of(revision).length).toBeLessThanOrEqual(64);
  });

  it.each([0, 1, 100, 101, LATEST])('of revision %d of another log is refused, and says what to do', (revision) => {
    expect(refusal(new RevisionTokens({ id: other, since: 100 }).of(revision))).toMatchObject({
      code: 'log_replaced',
      message: expect.stringMatching(/a backup was restored.*Read the data again/),
      details: { path: PATH },
    });
  });

  it('without a log counts up to where this one got its identity, and no further', () => {
    expect([0, 1, 100].map((revision) => refusal(oldToken(revision)))).toEqual([0, 1, 100]);
    for (const revision of [101, 102, LATEST]) {
      expect(refusal(oldToken(revision))).toMatchObject({ code: 'log_replaced' });
    }
  });

  it.each([
    { name: 'empty', given: '' },
    { name: 'a word', given: 'nonsense' },
    { name: 'cut', given: tokens.of(7).slice(0, -1) },
    { name: 'longer', given: `${tokens.of(7)}A` },
    { name: 'of another alphabet', given: `${tokens.of(7).slice(0, -1)}+` },
    { name: 'mistyped', given: tokens.of(7).replace(/^(.{14})./, (_, head: string) => `${head}_`) },
    { name: 'of a version to come', given: `Aw${tokens.of(7).slice(2)}` },
    { name: 'an old one with this length', given: `AQ${tokens.of(7).slice(2)}` },
    { name: 'an old one mistyped', given: oldToken(7).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) },
  ])('that is $name was not given out here', ({ given }) => {
    expect(refusal(given)).toMatchObject({ code: 'invalid_token', details: { path: PATH } });
  });
});
