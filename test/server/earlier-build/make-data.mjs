/**
 * Makes the data of this folder with the program of an earlier build, and notes what that build answered:
 *
 *     node test/server/earlier-build/make-data.mjs .../dist/bundle/main.js
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = fileURLToPath(new URL('.', import.meta.url));
const [program = ''] = process.argv.slice(2);
const data = join(mkdtempSync(join(tmpdir(), 'relata-earlier-')), 'data');
const probe = createServer().listen(0);
const { port } = probe.address();
probe.close();
const platformKey = 'platform-key-of-the-tests-0123456789';
const environment = { RELATA_PORT: String(port), RELATA_DATA_DIR: data, RELATA_PLATFORM_KEY: platformKey };
const service = spawn(process.execPath, [program, 'serve'], {
  env: { ...environment, PATH: process.env.PATH, RELATA_THREADS: '1', RELATA_DEMO: '0', RELATA_LOG_LEVEL: 'error' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.once('exit', () => service.kill('SIGKILL'));
for await (const text of service.stdout.setEncoding('utf8')) if (text.includes('Relata serves at')) break;

async function call(method, path, { key, body, form } = {}) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: form === undefined ? body && JSON.stringify(body) : new URLSearchParams(form),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? {} : JSON.parse(text);
}

const made = await call('POST', '/platform/api/v1/orgs', { key: platformKey, body: { slug: 'acme', name: 'Acme' } });
const key = made.data.adminApiKey;
const get = (path) => call('GET', `/t/acme/api/v1${path}`, { key });
const post = (path, body) => call('POST', `/t/acme/api/v1${path}`, { key, body });
const make = async (path, body) => (await post(path, body)).data;

await post('/zanzibar/models', {
  dsl: `model
  schema 1.1
type user
type folder
  relations
    define viewer: [user, user:*, group#member]
type document
  relations
    define parent: [folder]
    define blocked: [user]
    define editor: [user, user with small]
    define viewer: ([user] or editor or viewer from parent) but not blocked
condition small(pages: int) {
  pages < 10
}
`,
});
const person = (name, more = {}) =>
  make('/admin/users', { email: `${name}@acme.example`, name, emailVerified: true, ...more });
const password = 'an old horse, an old battery';
const anne = await person('anne', { password });
const beth = await person('beth');
const mallory = await person('mallory', { password });
const gone = await person('gone');
await call('DELETE', `/t/acme/api/v1/admin/users/${gone.id}`, { key });
const read = await make('/admin/permissions', { slug: 'docs:read', name: 'Read' });
await make('/admin/permissions', { slug: 'docs:print', name: 'Print' });
const role = await make('/admin/roles', { slug: 'reader', name: 'Reader' });
await post(`/admin/roles/${role.id}/permissions`, { permissionIds: [read.id] });
const group = await make('/admin/groups', { name: 'writers' });
await post(`/admin/groups/${group.id}/roles`, { roleId: role.id });
await post(`/admin/groups/${group.id}/members`, { userIds: [anne.id, mallory.id] });
await make('/admin/policies', { name: 'Printing', permissions: ['docs:print'], condition: 'resource.pages < 10' });
const subject = ({ id }) => `user:${id}`;
await post('/zanzibar/tuples', {
  writes: [
    { object: 'folder:plans', relation: 'viewer', subject: 'group:writers#member' },
    { object: 'folder:open', relation: 'viewer', subject: 'user:*' },
    { object: 'document:plan', relation: 'parent', subject: 'folder:plans' },
    { object: 'document:news', relation: 'parent', subject: 'folder:open' },
    { object: 'document:news', relation: 'blocked', subject: subject(anne) },
    { object: 'document:plan', relation: 'editor', subject: subject(mallory) },
    { object: 'document:memo', relation: 'editor', subject: subject(beth), condition: { name: 'small' } },
  ],
});
await post(`/admin/users/${mallory.id}/block`, { reason: 'left' });
const narrow = await make('/admin/api-keys', { name: 'narrow', permissions: ['tuples.read'] });
const revoked = await make('/admin/api-keys', { name: 'revoked', permissions: ['tuples.read'] });
await call('DELETE', `/t/acme/api/v1/admin/api-keys/${revoked.id}`, { key });
const client = await make('/admin/clients', { name: 'A job', grantTypes: ['client_credentials'], redirectUris: [] });
const form = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.clientSecret };
await call('POST', '/t/acme/api/v1/oauth/token', { form });

const who = [anne, beth, mallory, gone].map(subject);
const relations = ['plan', 'news', 'memo'].flatMap((name) =>
  who.flatMap((each) =>
    [3, 30].map((pages) => ({
      path: '/zanzibar/check',
      body: { object: `document:${name}`, relation: 'viewer', subject: each, context: { pages } },
    })),
  ),
);
const permissions = who.flatMap((each) => [
  { path: '/authz/check', body: { permission: 'docs:read', subject: each } },
  ...[3, 30].map((pages) => ({
    path: '/abac/check',
    body: { permission: 'docs:print', subject: each, resource: { type: 'docs', id: 'plan', attributes: { pages } } },
  })),
]);
const checks = [];
for (const { path, body } of [...relations, ...permissions]) {
  const answer = await post(path, body);
  checks.push({ path, body, allowed: answer.allowed ?? answer.data?.allowed });
}
/** What is compared of the rows of each list; the system's own roles and permissions may change. */
const fields = {
  users: ['id', 'number', 'email', 'name', 'emailVerified', 'blocked', 'groups', 'createdAt'],
  roles: ['id', 'slug', 'name', 'permissions', 'createdAt'],
  permissions: ['id', 'slug', 'name', 'roleCount'],
  groups: ['id', 'name', 'memberCount', 'roles', 'createdAt'],
  policies: ['id', 'name', 'permissions', 'condition', 'enabled', 'createdAt'],
  clients: ['id', 'name', 'subject', 'grantTypes', 'createdAt'],
  'api-keys': ['id', 'name', 'subject', 'tail', 'createdAt', 'createdBy'],
  'audit-logs': ['id', 'action', 'actorId', 'targetId', 'result', 'createdAt', 'metadata'],
};
const lists = {};
for (const [name, wanted] of Object.entries(fields)) {
  const rows = (await get(`/admin/${name}?limit=100`)).data.filter(({ isSystem }) => isSystem !== true);
  lists[name] = rows.map((row) => Object.fromEntries(wanted.map((field) => [field, row[field]])));
}
const tuples = (await get('/zanzibar/tuples?limit=100')).tuples.filter(({ object }) =>
  /^(document|folder)/.test(object),
);
const published = (await call('GET', '/orgs/acme/api/v1/oauth/jwks')).keys;

service.kill('SIGTERM');
await once(service, 'exit');
const proved = spawnSync(process.execPath, [program, 'audit', 'verify', '--data', data, '--org', 'acme'], {
  encoding: 'utf8',
});
const auditHead = /head (\S+)/.exec(proved.stdout)[1];

const secrets = { key, narrow: narrow.key, revoked: revoked.key, password, client: form };
const noted = { secrets, checks, lists, tuples, published, auditHead };
writeFileSync(join(here, 'answers.json'), `${JSON.stringify(noted, undefined, 2)}\n`);
writeFileSync(join(here, 'data.mdb.gz'), gzipSync(readFileSync(join(data, 'store', 'data.mdb')), { level: 9 }));
writeFileSync(join(here, 'master-key'), readFileSync(join(data, 'master-key')));
rmSync(join(data, '..'), { recursive: true });
