import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError, loadConfig } from '../../src/platform/index.ts';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig({ environment });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('settings', () => {
  test('the defaults stand without any variable', () => {
    const { config, warnings } = loadConfig({ environment: {}, cores: 3 });
    expect(config).toMatchObject({ port: 8080, threads: 3, baseUrl: 'http://localhost:8080', transport: 'auto' });
    expect(config.limits).toMatchObject({ bodyBytes: 1_048_576, checkBulk: 1000, evaluationDepth: 25 });
    expect(warnings).toEqual([]);
  });

  const accepted = [
    { name: 'a port', given: { RELATA_PORT: '0' }, expect: { port: 0 } },
    { name: 'a data folder', given: { RELATA_DATA_DIR: 'elsewhere' }, expect: { dataDir: 'elsewhere' } },
    { name: 'threads', given: { RELATA_THREADS: '4' }, expect: { threads: 4 } },
    { name: 'no demo', given: { RELATA_DEMO: '0' }, expect: { demo: false } },
    {
      name: 'a base URL without its slash',
      given: { RELATA_BASE_URL: 'https://id.example/' },
      expect: { baseUrl: 'https://id.example' },
    },
    {
      name: 'a base URL as browsers write it',
      given: { RELATA_BASE_URL: 'HTTPS://ID.Example:443/people/' },
      expect: { baseUrl: 'https://id.example/people' },
    },
    {
      name: 'a base URL from an address of version 6',
      given: { RELATA_HOST: '::1' },
      expect: { baseUrl: 'http://[::1]:8080' },
    },
    {
      name: 'proxies',
      given: { RELATA_TRUSTED_PROXIES: '10.0.0.0/8, ::1' },
      expect: { trustedProxies: ['10.0.0.0/8', '::1'] },
    },
    { name: 'a limit', given: { RELATA_LIMIT_CHECK_BULK: '5' }, expect: { limits: { checkBulk: 5 } } },
    { name: 'an empty variable as unset', given: { RELATA_PORT: '' }, expect: { port: 8080 } },
  ];
  test.each(accepted)('takes $name', ({ given, expect: expected }) => {
    const environment = Object.fromEntries(Object.entries(given));
    expect(loadConfig({ environment }).config).toMatchObject(expected);
  });

  const shared = {
    RELATA_BASE_URL: 'https://id.example',
    RELATA_PLATFORM_KEY: 'k'.repeat(32),
    RELATA_MASTER_KEY: 'm'.repeat(32),
  };
  const refused = [
    { name: 'a port that is no number', given: { RELATA_PORT: 'http' }, expect: 'RELATA_PORT: must be a whole number' },
    { name: 'a port out of range', given: { RELATA_PORT: '70000' }, expect: /^RELATA_PORT: / },
    { name: 'a transport that is none', given: { RELATA_TRANSPORT: 'quic' }, expect: /^RELATA_TRANSPORT: / },
    { name: 'a short master key', given: { RELATA_MASTER_KEY: 'short' }, expect: /^RELATA_MASTER_KEY: .*32/ },
    {
      name: 'a cluster whose nodes would each have keys of their own',
      given: { RELATA_CLUSTER_URL: 'nats://localhost:4222', RELATA_PLATFORM_KEY: 'k'.repeat(32) },
      expect: /^RELATA_CLUSTER_URL: needs RELATA_BASE_URL, RELATA_MASTER_KEY to be set/,
    },
    {
      name: 'a certificate of a node without its key',
      given: { ...shared, RELATA_CLUSTER_URL: 'tls://one:4222', RELATA_CLUSTER_CERTIFICATE: '/etc/node.pem' },
      expect: /^RELATA_CLUSTER_CERTIFICATE: needs RELATA_CLUSTER_KEY to be set, too/,
    },
    {
      name: 'API keys that end before tokens do',
      given: { ...shared, RELATA_CLUSTER_URL: 'nats://one:4222', RELATA_CLUSTER_SILENT_KEYS_S: '20' },
      expect: /^RELATA_CLUSTER_SILENT_KEYS_S: must not be less than RELATA_CLUSTER_SILENT_S, which is 30/,
    },
    {
      name: 'a server of a cluster with another scheme',
      given: { ...shared, RELATA_CLUSTER_URL: 'nats://one:4222, https://two:4222' },
      expect: /^RELATA_CLUSTER_URL: must be one or more nats or tls URLs/,
    },
    {
      name: 'a name of a stream that is none',
      given: { RELATA_CLUSTER_STREAM: 'a.b' },
      expect: /^RELATA_CLUSTER_STREAM: must be 1 to 64/,
    },
    { name: 'a switch that is neither', given: { RELATA_DEMO: 'maybe' }, expect: 'RELATA_DEMO: must be 1 or 0' },
    {
      name: 'a proxy that is no range',
      given: { RELATA_TRUSTED_PROXIES: '10.0.0.0/99' },
      expect: /^RELATA_TRUSTED_PROXIES: /,
    },
    {
      name: 'a base URL of another scheme',
      given: { RELATA_BASE_URL: 'ftp://x' },
      expect: /^RELATA_BASE_URL: .*https/,
    },
    {
      name: 'a base URL with a query',
      given: { RELATA_BASE_URL: 'https://id.example/?a' },
      expect: /^RELATA_BASE_URL: .*query/,
    },
    {
      name: 'a base URL with a user',
      given: { RELATA_BASE_URL: 'https://me@id.example' },
      expect: /^RELATA_BASE_URL: .*user/,
    },
    { name: 'a mail server without a host', given: { RELATA_SMTP_URL: 'smtp://' }, expect: /^RELATA_SMTP_URL: .*host/ },
    { name: 'a mail server of another scheme', given: { RELATA_SMTP_URL: 'http://x' }, expect: /^RELATA_SMTP_URL: / },
    {
      name: 'a provider of messages that is none',
      given: { RELATA_SMS_URL: 'sms', RELATA_SMS_FORMAT: 'form' },
      expect: /^RELATA_SMS_URL: must be an http or https URL$/,
    },
    {
      name: 'a limit out of range',
      given: { RELATA_LIMIT_JSON_DEPTH: '100000' },
      expect: /^RELATA_LIMIT_JSON_DEPTH: /,
    },
  ];
  test.each(refused)('refuses $name and names the variable', ({ given, expect: expected }) => {
    const problems = problemsOf(Object.fromEntries(Object.entries(given)));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(expected);
  });

  test('names every unusable setting at once, and the file where it is the source', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'relata-config-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'default.json');
    writeFileSync(file, JSON.stringify({ port: 'x', unknown: 1 }));
    expect(() => loadConfig({ environment: {}, file })).toThrow(/default\.json: port: [\s\S]*unknown/);
  });

  test('points out a variable that is no setting', () => {
    const { warnings } = loadConfig({ environment: { RELATA_PROT: '1', PATH: '/bin' } });
    expect(warnings).toEqual(['RELATA_PROT is not a setting of this version and is ignored']);
  });

  test('says nothing of a variable that single commands read', () => {
    const environment = { RELATA_KEY: 'rlt_admin_x', RELATA_BACKUP_PASSPHRASE: 'four words nobody guesses' };
    expect(loadConfig({ environment }).warnings).toEqual([]);
  });

  test('a message does not repeat a secret', () => {
    expect(problemsOf({ RELATA_PLATFORM_KEY: 'hunter2' }).join()).not.toContain('hunter2');
  });
});
