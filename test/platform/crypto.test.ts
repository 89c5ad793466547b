import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  apiKeyKind,
  createApiKey,
  createSealer,
  digestOf,
  equalSecrets,
  loadOrCreateSecret,
  randomText,
  SealError,
} from '../../src/platform/index.ts';

describe('API keys', () => {
  test('carry their kind and at least 160 random bits, and differ', () => {
    const keys = Array.from({ length: 200 }, () => createApiKey('admin'));
    expect(new Set(keys).size).toBe(200);
    for (const key of keys) {
      expect(key).toMatch(/^rlt_admin_[0-9A-Za-z]{30}$/);
      expect(apiKeyKind(key)).toBe('admin');
    }
    expect(30 * Math.log2(62)).toBeGreaterThanOrEqual(160);
  });

  test('draw each character evenly: bytes past the last multiple of 62 are thrown away', () => {
    const bytes = Uint8Array.from([255, 248, 61, 62, 0, 250]);
    expect(randomText(3, () => bytes)).toBe('z00');
  });

  test.each([
    '',
    'rlt_',
    'rlt_admin_',
    'rlt_Admin_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    'rlt_admin_a-b',
    `rlt_admin_${'a'.repeat(65)}`,
    'x',
  ])('%j is no key', (text) => expect(apiKeyKind(text)).toBeUndefined());

  test('are stored as a SHA-256', () => {
    expect(digestOf('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
  });

  const comparisons = [
    { name: 'equal', given: ['abc', 'abc'], expect: true },
    { name: 'different', given: ['abc', 'abd'], expect: false },
    { name: 'of different length', given: ['abc', 'abcd'], expect: false },
    { name: 'empty', given: ['', ''], expect: true },
  ] as const;
  test.each(comparisons)('compares secrets that are $name', ({ given: [left, right], expect: expected }) => {
    expect(equalSecrets(left, right)).toBe(expected);
  });
});

describe('sealing', () => {
  const sealer = createSealer('a master key of more than 32 characters');
  const place = { organization: 'acme', record: 'smtp', field: 'password' };

  test('opens where it was sealed, and never looks the same twice', () => {
    const sealed = sealer.seal('hunter2 ü', place);
    expect(sealer.open(sealed, place)).toBe('hunter2 ü');
    expect(sealed).not.toContain('hunter2');
    expect(sealer.seal('hunter2 ü', place)).not.toBe(sealed);
  });

  const elsewhere = [
    { name: 'another organization', given: { ...place, organization: 'other' } },
    { name: 'another record', given: { ...place, record: 'x' } },
    { name: 'another field', given: { ...place, field: 'user' } },
    { name: 'parts moved across their border', given: { organization: 'acmes', record: 'mtp', field: 'password' } },
  ];
  test.each(elsewhere)('does not open in $name', ({ given }) => {
    expect(() => sealer.open(sealer.seal('x', place), given)).toThrow(SealError);
  });

  test('does not open with another master key, which its check value tells beforehand', () => {
    const other = createSealer('another master key of 32 characters and more');
    expect(() => other.open(sealer.seal('x', place), place)).toThrow(SealError);
    expect(other.keyCheck).not.toBe(sealer.keyCheck);
    expect(createSealer('a master key of more than 32 characters').keyCheck).toBe(sealer.keyCheck);
  });

  test('does not open when a bit was changed, cut off or the form is unknown', () => {
    const sealed = sealer.seal('secret', place);
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => sealer.open(`s1.${changed.toString('base64url')}`, place)).toThrow(SealError);
    }
    for (const text of ['', 's1.', 's2.abc', sealed.slice(0, 20), 'secret']) {
      expect(() => sealer.open(text, place)).toThrow(SealError);
    }
  });
});

describe('a generated secret', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relata-secret-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is made once, kept with mode 0600, and read afterwards', () => {
    const file = join(folder, 'keys', 'platform.key');
    expect(loadOrCreateSecret(file, () => 'first')).toEqual({ secret: 'first', created: true });
    expect(loadOrCreateSecret(file, () => 'second')).toEqual({ secret: 'first', created: false });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe('first\n');
  });

  test('is not replaced when its file is empty', () => {
    const file = join(folder, 'empty.key');
    writeFileSync(file, '');
    expect(() => loadOrCreateSecret(file, () => 'new')).toThrow(/is empty/);
  });
});
