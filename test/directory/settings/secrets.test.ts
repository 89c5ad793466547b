import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { secretBinding } from '../../../src/directory/settings/truth/settings.ts';
import { createSealer, SealError } from '../../../src/platform/index.ts';
import { forbidden, scene } from '../../security/organizations.ts';
import { families, inFamily } from './sections.ts';

const on = scene({ RELATA_LOG_LEVEL: 'trace', RELATA_ACCESS_LOG: 'all' });
/** In each secret. Ids have hexadecimal digits, of which four stand anywhere by chance in one run of a hundred. */
const mark = 'neverspoken5b1c';
const smtp = { smtpHost: 'mail.acme.example', smtpUser: 'post', smtpPassword: `smtp-${mark}` };
const pem = `-----BEGIN PRIVATE KEY-----\n${mark.repeat(8)}\n-----END PRIVATE KEY-----\n`;

const put = (path: string, body: object) => inFamily(on.org, 'org', 'PUT', path, body);

async function writeAll(): Promise<string[]> {
  const answers = [
    await put('/settings/email', smtp),
    await put('/settings/sms', { url: 'https://sms.example/', password: `sms-${mark}`, token: `sms-token-${mark}` }),
    await put('/settings/scim', { enabled: true, bearer_token: `ignored-${mark}` }),
    await put('/social-providers/google', { clientId: 'g', clientSecret: `google-${mark}` }),
    await put('/social-providers/apple', { clientId: 'a', teamId: 'T1', keyId: 'K1', privateKey: pem }),
    await inFamily(on.org, 'tenant', 'PUT', '/social-providers/1', { clientSecret: `other-${mark}` }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 201, 201, 200]);
  return answers.map(({ body }) => JSON.stringify(body));
}

describe('Never: a secret in a log, an answer or a record', () => {
  test('secrets of settings and providers are never returned', async () => {
    const answers = await writeAll();
    for (const family of families) {
      for (const path of [
        '/settings',
        '/settings/email',
        '/settings/sms',
        '/settings/scim',
        '/social-providers',
        '/organization',
        '/info',
      ]) {
        answers.push(JSON.stringify((await inFamily(on.org, family, 'GET', path)).body));
      }
    }
    answers.push(JSON.stringify((await inFamily(on.org, 'org', 'GET', '/social-providers/apple')).body));
    expect(answers.join('\n')).not.toContain(mark);
    expect(answers.join('\n')).not.toContain('s1.');
  });

  test('the audit log tells that they changed, and what else did', async () => {
    await writeAll();
    await inFamily(on.org, 'org', 'PATCH', '/settings/security', { maxLoginAttempts: 3 });
    const log = await inFamily(on.org, 'org', 'GET', '/audit-logs?limit=100');
    const entries = log.list('data.data') as { action: string; metadata: { changes?: Record<string, unknown> } }[];
    const changes = Object.assign({}, ...entries.map(({ metadata }) => metadata.changes)) as Record<string, unknown>;
    expect(changes).toMatchObject({
      'email.smtpHost': { after: 'mail.acme.example' },
      'email.smtpPassword': { changed: true },
      'sms.password': { changed: true },
      'sms.token': { changed: true },
      'lockout.maxAttempts': { before: 10, after: 3 },
      clientSecret: { changed: true },
      privateKey: { changed: true },
    });
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['settings.update', 'social_provider.create', 'social_provider.update']),
    );
    expect(JSON.stringify(log.body)).not.toContain(mark);
    expect(JSON.stringify(log.body)).not.toContain('s1.');
  });

  test('they are neither in the logs nor, in plain words, on the disk', async () => {
    await writeAll();
    await put('/settings/email', { ...smtp, smtpPort: 'wrong' });
    expect(on.service.output()).toContain('/settings/email');
    expect(on.service.output()).not.toContain(mark);
    const files = readdirSync(on.service.folder, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    expect(files.length).toBeGreaterThan(1);
    const contents = files.map((file) => readFileSync(join(file.parentPath, file.name)));
    expect(contents.some((bytes) => bytes.includes(smtp.smtpHost))).toBe(true);
    expect(contents.some((bytes) => bytes.includes(mark))).toBe(false);
  });

  test('a ciphertext opens for its organization and its field alone', () => {
    const sealer = createSealer('a master key of at least 32 characters');
    const sealed = sealer.seal('secret', secretBinding('org-1', 'email', 'smtpPassword'));
    expect(sealer.open(sealed, secretBinding('org-1', 'email', 'smtpPassword'))).toBe('secret');
    expect(() => sealer.open(sealed, secretBinding('org-2', 'email', 'smtpPassword'))).toThrow(SealError);
    expect(() => sealer.open(sealed, secretBinding('org-1', 'sms', 'token'))).toThrow(SealError);
  });

  test('another mail server needs the password given again: nobody learns it by naming their own', async () => {
    await put('/settings/email', smtp);
    const patch = (body: object) => inFamily(on.org, 'org', 'PATCH', '/settings/email', body);
    for (const body of [{ smtpHost: 'evil.example' }, { smtpPort: 25 }, { smtpSecure: true }]) {
      expect((await patch(body)).status).toBe(422);
    }
    const kept = { smtpHost: smtp.smtpHost, smtpUser: 'other' };
    expect((await put('/settings/email', { ...kept, smtpHost: 'evil.example' })).status).toBe(422);
    expect((await put('/settings/email', kept)).at('data.data')).toMatchObject({ smtpPasswordSet: true });
    expect((await patch({ smtpHost: 'evil.example', smtpPassword: 'new' })).status).toBe(200);
    // without a server, nothing is left of it
    expect((await put('/settings/email', {})).at('data.data')).toMatchObject({ smtpPasswordSet: false });
    await put('/settings/email', smtp);
    expect((await patch({ smtpPassword: null })).at('data.data')).toMatchObject({ smtpPasswordSet: false });
  });
});

test('another provider of short messages needs the secrets given again, and is held to the outbound rules', async () => {
  const sms = { url: 'https://sms.example/', user: 'acme', password: 'p', token: 't' };
  const patch = (body: object) => inFamily(on.org, 'org', 'PATCH', '/settings/sms', body);
  await put('/settings/sms', sms);
  expect((await patch({ url: 'https://evil.example/' })).status).toBe(422);
  expect((await patch({ url: 'https://evil.example/', token: 'x' })).status).toBe(422);
  expect((await patch({ url: 'https://evil.example/', token: 'x', password: null })).status).toBe(200);
  expect((await patch({ url: null })).at('data.data')).toMatchObject({ passwordSet: false, tokenSet: false });
  expect((await patch({ token: 'x' })).status).toBe(422);
  for (const url of ['http://sms.example/', 'https://me@sms.example/', 'file:///etc/passwd', 'sms.example', '']) {
    const refusal = await patch({ url });
    expect(refusal.status).toBe(400);
    expect(refusal.at('errors.0.path')).toBe('url');
  }
});

describe('Rights 3: settings and providers need full administration', () => {
  const reads = [
    '/settings',
    '/settings/general',
    '/settings/scim',
    '/organization',
    '/social-providers',
    '/social-providers/types',
    '/social-providers/callback-urls',
    '/social-providers/available',
  ];
  const writes: [method: string, path: string, body?: object][] = [
    ['PUT', '/settings/general', { name: 'x' }],
    ['PATCH', '/settings/auth', {}],
    ['PUT', '/settings/scim', {}],
    ['PUT', '/organization', {}],
    ['PATCH', '/organization', {}],
    ['PUT', '/social-providers/google', { clientId: 'a', clientSecret: 'b' }],
    ['POST', '/social-providers', { provider: 'google', clientId: 'a', clientSecret: 'b' }],
    ['PATCH', '/social-providers/google', {}],
    ['DELETE', '/social-providers/google'],
    ['POST', '/social-providers/google/enable'],
    ['POST', '/social-providers/google/disable'],
  ];

  test('settings.read reads and does not write; other rights do neither', async () => {
    const reader = await on.org.newKey({ permissions: ['settings.read'] });
    const other = await on.org.newKey({ permissions: ['users.read', 'users.update', 'roles.assign'] });
    for (const path of reads) {
      expect((await inFamily(on.org, 'org', 'GET', path, undefined, reader.key)).status).toBe(200);
      expect(await inFamily(on.org, 'org', 'GET', path, undefined, other.key)).toMatchObject(forbidden);
    }
    for (const [method, path, body] of writes) {
      expect(await inFamily(on.org, 'org', method, path, body, reader.key)).toMatchObject(forbidden);
      expect(await inFamily(on.org, 'org', method, path, body, other.key)).toMatchObject(forbidden);
    }
    const tenant: typeof writes = [
      ['PUT', '/settings', {}],
      ['POST', '/social-providers', { type: 'google', clientId: 'a', clientSecret: 'b' }],
      ['PUT', '/social-providers/1', {}],
      ['DELETE', '/social-providers/1'],
    ];
    for (const [method, path, body] of tenant) {
      expect(await inFamily(on.org, 'tenant', method, path, body, reader.key)).toMatchObject(forbidden);
    }
  });

  test('without a credential, or with one of another organization: 401', async () => {
    const other = await on.service.organization(`${on.org.slug}-other`);
    for (const [method, path, body] of writes) {
      expect((await inFamily(on.org, 'org', method, path, body, other.key)).status).toBe(401);
      expect((await inFamily(on.org, 'org', method, path, body, '')).status).toBe(401);
    }
  });

  test('another organization’s provider is not found, and its settings are its own', async () => {
    const other = await on.service.organization(`${on.org.slug}-other`);
    const made = await inFamily(other, 'org', 'PUT', '/social-providers/google', { clientId: 'a', clientSecret: 'b' });
    const id = made.text('data.data.id');
    for (const path of [`/social-providers/${id}`, '/social-providers/google']) {
      expect((await inFamily(on.org, 'org', 'GET', path)).status).toBe(404);
      expect((await inFamily(on.org, 'org', 'PATCH', path, {})).status).toBe(404);
      expect((await inFamily(on.org, 'org', 'DELETE', path)).status).toBe(404);
    }
    await inFamily(other, 'org', 'PATCH', '/settings/security', { maxLoginAttempts: 3 });
    const own = await inFamily(on.org, 'org', 'GET', '/settings/security');
    expect(own.at('data.data')).toMatchObject({ maxLoginAttempts: 10 });
  });
});
