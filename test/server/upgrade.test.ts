import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Engine, parseModel, parseTuple } from '../../engine/index.ts';
import { Organization, platformKey, RunningService } from './running-service.ts';

vi.setConfig({ testTimeout: 300_000 });

/** The system model as it was before policies carried their expressions. */
const earlier = `model
  schema 1.1
type user
type agent
type api_key
type group
  relations
    define member: [user, agent]
type role
  relations
    define assignee: [user, agent, api_key, group#member]
type permission
  relations
    define granted: [user, agent, api_key, role#assignee, elevation, policy#applies]
type policy
  relations
    define applies: [user:*, agent:*]
type elevation
`;
const own = `model
  schema 1.1
type doc
  relations
    define viewer: [user, group#member]
`;

let folder: string;
let running: RunningService | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'relata-upgrade-'));
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<RunningService> {
  running = await RunningService.start({ RELATA_THREADS: '1' }, folder);
  return running;
}

/** Changes the store of a service that is stopped. */
async function offline(change: (engine: Engine) => Promise<void>): Promise<void> {
  await running?.stop();
  const path = join(folder, 'data', 'store');
  mkdirSync(path, { recursive: true });
  const engine = await Engine.open({ path });
  await change(engine);
  await engine.close();
}

/** Takes what this release has made of an organization back to what an earlier one would have left. */
async function age(engine: Engine, model: string): Promise<void> {
  const store = engine.store('org:old');
  const { modelId } = await store.writeModel({ dsl: earlier });
  const base = parseModel({ dsl: earlier });
  const prepared = store.prepareModel({ dsl: model }, { base });
  await store.writePreparedModel({ dsl: model }, prepared);
  const [entry] = engine.store('$platform').records.list<{ systemModelId: string; id: string }>('organizations', {});
  const records = ['roles', 'permissions', 'upgrades'].flatMap((collection) =>
    store.records.list(collection, {}).map(({ id }) => ({ collection, id })),
  );
  await engine.submit(
    engine.command([
      ...records.map((record) => ({ op: 'delete_record', store: store.name, ...record }) as const),
      {
        op: 'put_record',
        store: '$platform',
        record: {
          collection: 'organizations',
          id: 'old',
          document: { ...entry?.document, systemModelId: modelId },
          unique: { id: entry?.document.id ?? '' },
        },
      },
    ]),
  );
  const granted = 'permission:scopes.manage#granted@role:ROLE_TENANT_ADMIN#assignee';
  await store.write({
    // a permission that came to the table later, and that the organization had used for something of its own
    deletes: [parseTuple(granted)],
    writes: [
      'permission:scopes.manage#granted@user:mallory',
      'permission:tuples.read#granted@user:anne',
      'permission:docs:read#granted@role:editor#assignee',
      'role:editor#assignee@group:writers#member',
      'group:writers#member@user:anne',
    ].map(parseTuple),
  });
}

describe('an organization of an earlier release', () => {
  test('gets records, permissions and the system model at the next start, once', async () => {
    const first = await start();
    const { key } = await first.organization('old');
    await offline((engine) => age(engine, own));
    const service = await start();
    const org = new Organization(service, 'old', key);
    const roles = await org.call('GET', '/admin/roles?sortBy=slug');
    expect(roles.list('data')).toMatchObject([{ slug: 'editor', isSystem: false }, { slug: 'ROLE_TENANT_ADMIN' }]);
    expect((await org.call('GET', '/admin/groups')).list('data')).toMatchObject([
      { name: 'writers', roles: ['editor'] },
    ]);
    const permissions = await org.call('GET', '/admin/permissions?limit=100');
    expect(permissions.list('data')).toContainEqual(expect.objectContaining({ slug: 'docs:read', isSystem: false }));
    expect(permissions.list('data')).toContainEqual(expect.objectContaining({ slug: 'scopes.manage', id: 31 }));
    // grants of the system's permissions stay, those of a slug that was not one yet do not
    const granted = async (object: string) =>
      (await org.call('GET', `/zanzibar/tuples?object=${object}`))
        .list('tuples')
        .map((each) => (each as { subject: string }).subject);
    expect(await granted('permission:tuples.read')).toContain('user:anne');
    expect(await granted('permission:scopes.manage')).toEqual(['role:ROLE_TENANT_ADMIN#assignee']);
    // the organization's own model is merged with the new one: policies work, and its types are there
    const made = await org.post('/admin/policies', { name: 'All', permissions: ['docs:read'], condition: 'true' });
    expect(made).toMatchObject({ status: 201 });
    expect((await org.post('/zanzibar/tuples', { writes: ['doc:a#viewer@group:writers#member'] })).status).toBe(200);
    const models = (await org.call('GET', '/zanzibar/models')).list('data').length;
    await service.stop();
    const again = new Organization(await start(), 'old', key);
    expect((await again.call('GET', '/zanzibar/models')).list('data')).toHaveLength(models);
    expect((await again.call('GET', '/admin/roles?sortBy=slug')).list('data')).toEqual(roles.list('data'));
  });

  test('whose model does not fit goes on without policies until it writes one that does', async () => {
    const first = await start();
    const { key } = await first.organization('old');
    const clash = `${own}condition policy_condition(x: int) {\n  x < 1\n}\n`.replace(
      '[user, ',
      '[user with policy_condition, ',
    );
    await offline((engine) => age(engine, clash));
    const org = new Organization(await start(), 'old', key);
    expect((await org.call('GET', '/admin/roles')).status).toBe(200);
    const policy = { name: 'All', permissions: ['docs:read'], condition: 'true' };
    expect(await org.post('/admin/policies', policy)).toMatchObject({ status: 422, body: { code: 'refused' } });
    expect((await org.post('/zanzibar/models', { dsl: own })).status).toBe(201);
    expect((await org.post('/admin/policies', policy)).status).toBe(201);
  });
});

test('the platform key still opens an organization that was upgraded', async () => {
  const first = await start();
  await first.organization('old');
  await offline((engine) => age(engine, own));
  const service = await start();
  const answer = await service.call('GET', '/t/old/api/v1/admin/roles', { key: platformKey });
  expect(answer.status).toBe(200);
});
