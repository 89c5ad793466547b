import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTables } from '../../../engine/store/environment.ts';
import { FORMAT_VERSION, readFormat } from '../../../engine/store/folder/format.ts';
import { FormBrowser } from '../../browser/form-browser.ts';
import { runCli } from '../../cli/run-cli.ts';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { type Answer, Organization, RunningService } from '../running-service.ts';

interface Noted {
  readonly secrets: {
    readonly key: string;
    readonly narrow: string;
    readonly revoked: string;
    readonly password: string;
    readonly client: Readonly<Record<string, string>>;
  };
  readonly checks: readonly { readonly path: string; readonly body: unknown; readonly allowed: boolean }[];
  readonly lists: Readonly<Record<string, readonly unknown[]>>;
  readonly tuples: readonly unknown[];
  readonly published: readonly unknown[];
  readonly auditHead: string;
}

/** For so long the service has not run: nothing is removed or rotated, however old the data may be by now. */
const YEAR_MS = 365 * 24 * 3_600_000;

const kept = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const noted = JSON.parse(readFileSync(kept('answers.json'), 'utf8')) as Noted;
const { secrets } = noted;

const folder = mkdtempSync(join(tmpdir(), 'relata-earlier-'));
const data = join(folder, 'data');
let service: RunningService;
let org: Organization;

async function formatOfStore(): Promise<number | undefined> {
  const tables = openTables({ path: join(data, 'store') });
  const format = readFormat(tables);
  await tables.root.close();
  return format;
}

beforeAll(async () => {
  mkdirSync(join(data, 'store'), { recursive: true });
  writeFileSync(join(data, 'store', 'data.mdb'), gunzipSync(readFileSync(kept('data.mdb.gz'))));
  copyFileSync(kept('master-key'), join(data, 'master-key'));
  writeFileSync(join(data, 'last-seen'), String(Date.now() - YEAR_MS));
  expect(await formatOfStore()).toBe(3);
  service = await RunningService.start({ RELATA_LOG_LEVEL: 'warn' }, folder);
  org = new Organization(service, 'acme', secrets.key);
});
afterAll(async () => {
  await service?.remove();
  rmSync(folder, { recursive: true, force: true });
});

function token(form: Readonly<Record<string, string>>): Promise<Answer> {
  return service.call('POST', '/t/acme/api/v1/oauth/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
}

async function signedIn(name: string, password: string): Promise<string> {
  const browser = new FormBrowser({ origin: service.url });
  const person = { email: `${name}@acme.example`, password };
  return (await signIn(browser, await browser.open('/orgs/acme/account'), person)).heading;
}

describe('data that an earlier build wrote, served by this one', () => {
  test('every check is answered as before', async () => {
    const found = await Promise.all(
      noted.checks.map(async ({ path, body }) => {
        const answer = await org.post(path, body);
        return { path, body, allowed: answer.at('allowed') };
      }),
    );
    expect(found).toEqual(noted.checks);
    expect(new Set(noted.checks.map(({ path, allowed }) => `${path} ${allowed}`)).size).toBe(6);
  });

  test.each(Object.keys(noted.lists))('the list of %s has what it had', async (name) => {
    const rows = (await org.call('GET', `/admin/${name}?limit=100`)).list('data');
    const before = noted.lists[name] ?? [];
    expect(before.length).toBeGreaterThan(0);
    const ids = new Set(before.map((row) => (row as { id: unknown }).id));
    expect(rows.filter((row) => ids.has((row as { id: unknown }).id))).toMatchObject(before);
    // nothing else has come, but entries and what belongs to the system
    const others = rows.filter((row) => !ids.has((row as { id: unknown }).id));
    if (name !== 'audit-logs') expect(others.filter((row) => !(row as { isSystem?: boolean }).isSystem)).toEqual([]);
  });

  test('the tuples are there, and one more is written', async () => {
    const read = async () =>
      (await org.call('GET', '/zanzibar/tuples?limit=1000'))
        .list('tuples')
        .filter((tuple) => /^(document|folder)/.test((tuple as { object: string }).object));
    expect(await read()).toEqual(noted.tuples);
    await org.write('folder:late#viewer@user:*');
    expect(await read()).toHaveLength(noted.tuples.length + 1);
  });

  test('a key opens what it did, and a revoked one nothing', async () => {
    const status = async (key: string, path: string) => (await org.call('GET', path, { key })).status;
    expect(await status(secrets.narrow, '/zanzibar/tuples')).toBe(200);
    expect(await status(secrets.narrow, '/admin/users')).toBe(403);
    expect(await status(secrets.revoked, '/zanzibar/tuples')).toBe(401);
  });

  test('a client gets a token, signed with a key that was published', async () => {
    const { status, body } = await token(secrets.client);
    expect({ status, body }).toMatchObject({ status: 200, body: { access_token: expect.any(String) } });
    expect((await token({ ...secrets.client, client_secret: 'another' })).status).toBe(401);
    const published = (await service.call('GET', '/orgs/acme/api/v1/oauth/jwks')).list('keys');
    expect(published).toEqual(expect.arrayContaining([...noted.published]));
  });

  test('a password opens the account of its user alone, and not of one who is suspended', async () => {
    expect(await signedIn('anne', secrets.password)).toBe('Hello, anne');
    expect(await signedIn('anne', 'another old horse')).not.toContain('Hello');
    expect(await signedIn('mallory', secrets.password)).not.toContain('Hello');
    expect(await signedIn('gone', secrets.password)).not.toContain('Hello');
  });

  test('lists are built in the store, which searches and sorts them', async () => {
    const ready = () => service.call('GET', '/readyz');
    await expect.poll(ready).toMatchObject({ status: 200, body: { status: 'ok', checks: { lists: 'ok' } } });
    const emails = async (query: string) =>
      (await org.call('GET', `/admin/users?${query}`)).list('data').map((row) => (row as { email: string }).email);
    expect(await emails('search=mallory')).toEqual(['mallory@acme.example']);
    expect(await emails('sortBy=email&sortOrder=desc')).toEqual(
      ['mallory', 'beth', 'anne'].map((name) => `${name}@acme.example`),
    );
  });

  test('it has the format of today when it is left, without a fault, and the audit log goes on from its old head', async () => {
    expect(await service.stop()).toBe(0);
    const told = service.output().match(/"level":"(?:warn|error|fatal)".*/g);
    expect(told).toEqual([expect.stringContaining('the clock has jumped')]);
    expect(await formatOfStore()).toBe(FORMAT_VERSION);
    const verified = await runCli(['verify', '--data', data]);
    expect(verified).toMatchObject({ code: 0, err: '' });
    const proved = await runCli(['audit', 'verify', '--data', data, '--org', 'acme', '--head', noted.auditHead]);
    expect(proved).toMatchObject({ code: 0, out: expect.stringMatching(/^acme: \d+ entries are whole/) });
  });
});
