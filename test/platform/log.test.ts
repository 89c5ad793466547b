import { describe, expect, test } from 'vitest';
import { createLog, redact, redactText } from '../../src/platform/index.ts';

function logged(level = 'debug'): { lines: string[]; log: ReturnType<typeof createLog> } {
  const lines: string[] = [];
  return { lines, log: createLog({ level, write: (line) => lines.push(line) }) };
}

const key = 'rlt_admin_abcdefghijklmnopqrstuvwxyz1234';

describe('the log', () => {
  test('one entry is one line of JSON, whatever a caller put into it', () => {
    const { lines, log } = logged();
    log.info({ path: '/a\r\n{"level":"error"}\u2028' }, 'first\nsecond');
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', msg: 'first\nsecond' });
  });

  test('carries no secret, in fields, in text, in children or in errors', () => {
    const { lines, log } = logged();
    log.with({ apiKey: key }).warn({ headers: { Authorization: `Bearer ${key}`, 'x-api-key': key } }, `used ${key}`);
    log.error({ error: new Error(`bad key ${key}`, { cause: new Error('Bearer abcdefghijklmnop') }) }, 'failed');
    const text = lines.join('');
    expect(text).not.toContain('abcdefghijklmnop');
    expect(text).toContain('[redacted]');
    expect(text).toContain('bad key rlt_[redacted]');
  });

  test('writes nothing below its level', () => {
    const { lines, log } = logged('warn');
    log.info({}, 'quiet');
    log.warn({}, 'loud');
    expect(lines).toHaveLength(1);
  });
});

describe('redaction', () => {
  const table = [
    { name: 'a password', given: { password: 'x' }, expect: { password: '[redacted]' } },
    {
      name: 'any spelling',
      given: { Client_Secret: 'x', 'X-API-Key': 'y' },
      expect: { Client_Secret: '[redacted]', 'X-API-Key': '[redacted]' },
    },
    { name: 'nested', given: { a: [{ token: 'x' }] }, expect: { a: [{ token: '[redacted]' }] } },
    { name: 'an authorization code', given: { code: 'SplxlOBeZQQYbYS6WxSbIA' }, expect: { code: '[redacted]' } },
    { name: 'an error code stays', given: { code: 'not_found' }, expect: { code: 'not_found' } },
    { name: 'a system error code stays', given: { code: 'ECONNREFUSED' }, expect: { code: 'ECONNREFUSED' } },
    { name: 'an absent secret stays', given: { password: null }, expect: { password: null } },
    { name: 'bytes', given: { body: Buffer.from('x') }, expect: { body: '[bytes]' } },
    { name: 'a large integer', given: { revision: 12n }, expect: { revision: '12' } },
  ];
  test.each(table)('$name', ({ given, expect: expected }) => {
    expect(redact(given)).toEqual(expected);
  });

  // written down again, so that a name that is gone from the table is missed
  const secrets = [
    'authorization proxy-authorization cookie set-cookie x-api-key',
    'apiKey adminApiKey platformKey masterKey privateKey secret clientSecret signingSecret',
    'password smtpPassword smtpUrl',
    'token access_token refresh_token id_token bearerToken subject_token actor_token',
    'code code_verifier dpop assertion client_assertion',
  ].flatMap((line) => line.split(' '));
  test.each(secrets)('%s is a secret, in every spelling', (name) => {
    const spellings = [name, name.toUpperCase(), name.replaceAll(/[-_]/g, ''), name.replaceAll('-', '_')];
    const given = Object.fromEntries(spellings.map((spelling) => [spelling, 'Kept-4-nobody']));
    expect(JSON.stringify(redact(given))).not.toContain('nobody');
  });

  test.each([
    ['sent Bearer abcdefgh.ijk', 'sent Bearer [redacted]'],
    ['sent basic YWJjOmRlZg==', 'sent basic [redacted]'],
    ['sent ApiKey abcdefgh', 'sent ApiKey [redacted]'],
    ['sent DPoP abcdefgh', 'sent DPoP [redacted]'],
    ['used rlt_a_abcdefgh', 'used rlt_[redacted]'],
  ])('of the text %j is left %j', (given, left) => {
    expect(redactText(given)).toBe(left);
  });

  test('ends on deep, circular, long and wide values', () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    expect(JSON.stringify(redact(circular))).toContain('[deep]');
    expect(redactText('x'.repeat(100_000)).length).toBeLessThan(5_000);
    expect(redact(Array.from({ length: 10_000 }, () => 1))).toHaveLength(200);
  });
});
