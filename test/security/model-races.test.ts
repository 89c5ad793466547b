import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseTuple, type Store, type Tuple } from '../../engine/index.ts';
import { transact } from '../../src/kernel/transactions/index.ts';
import { facts, type InProcessOrganization, InProcessService } from '../identity/sessions/in-process-service.ts';
import { refused } from './organizations.ts';

let service: InProcessService;
let org: InProcessOrganization;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  org = await service.organization(`model-races-${++count}`);
});
afterAll(() => service.stop());

const model = (granted: string) => ({
  dsl: [
    'model',
    '  schema 1.1',
    'type list',
    '  relations',
    '    define entry: [user, api_key]',
    'type permission',
    '  relations',
    '    define listed: [list#entry]',
    `    define granted: ${granted}`,
  ].join('\n'),
});
const restricting = model('[user] but not listed');
const writeModel = (body: object) => org.tenant('POST', '/zanzibar/models', { body });
const writeTuples = (writes: string[], key: string) =>
  org.tenant('POST', '/zanzibar/tuples', { key, body: { writes } });
const administers = async () => (await org.tenant('GET', '/admin/api-keys')).status === 200;

/** Does something when a request has judged its commit, and before it submits it: once. */
function between(method: 'write' | 'writePreparedModel', task: () => Promise<unknown>): void {
  const { store } = org.organization;
  const submit = store[method].bind(store) as (...all: unknown[]) => Promise<never>;
  const held = async (...all: unknown[]): Promise<never> => {
    Reflect.deleteProperty(store, method);
    await task();
    return submit(...all);
  };
  Object.defineProperty(store, method, { value: held as Store[typeof method], configurable: true });
}

describe('Rights 3: a model and a tuple at the same moment leave an administrator', () => {
  let entry: string;
  let writer: string;

  beforeEach(async () => {
    expect((await writeModel(model('[user]'))).status).toBe(201);
    const keys = (await org.tenant('GET', '/admin/api-keys')).list('data') as { id: string }[];
    entry = `list:b#entry@api_key:${keys[0]?.id}`;
    writer = await org.newKey('tuples.write');
    const meaning = await writeTuples(['permission:settings.manage#listed@list:b#entry'], org.key);
    expect(meaning.status).toBe(200);
  });

  test('a tuple that the former model judged is judged by the new one', async () => {
    between('write', async () => expect((await writeModel(restricting)).status).toBe(201));
    expect(await writeTuples([entry], writer)).toMatchObject(refused);
    expect(await administers()).toBe(true);
  });

  test.each([
    ['writes', '[user] but not listed', (tuples: Tuple[]) => ({ op: 'write_tuples', tuples }) as const],
    ['deletes', '[user] and listed', (tuples: Tuple[]) => ({ op: 'delete_tuples', tuples }) as const],
    ['deletes with an object', '[user] and listed', () => ({ op: 'delete_object', object: 'list:b' }) as const],
  ])('so is what a command of administration %s', async (_, next, changeOf) => {
    const { organization } = org;
    const { store } = organization;
    const change = changeOf([parseTuple(entry)]);
    if (change.op !== 'write_tuples') expect((await writeTuples([entry], writer)).status).toBe(200);
    const anybody = { organization, subject: undefined, may: () => true, isStillValid: () => true, seesRights: true };
    let isFirst = true;
    const written = transact(service.keyDependencies(), anybody, facts, (transaction) => {
      if (isFirst) {
        // the writer takes commands in order: this one comes before that of the plan
        const base = store.model(organization.systemModelId).model;
        void store.writeModel(model(next), { base });
      }
      isFirst = false;
      transaction.change([{ ...change, store: store.name }]);
    });
    await expect(written).rejects.toMatchObject({ problem: { kind: { status: 422 } } });
    expect(await administers()).toBe(true);
  });

  test('a model that was judged before a tuple gives way to the former one, on record', async () => {
    const before = await org.tenant('GET', '/zanzibar/models?limit=1');
    between('writePreparedModel', async () => expect((await writeTuples([entry], writer)).status).toBe(200));
    expect(await writeModel(restricting)).toMatchObject(refused);
    expect(await administers()).toBe(true);
    const former = (before.list('data')[0] as { id: string }).id;
    const latest = (await org.tenant('GET', '/zanzibar/models?limit=1')).list('data')[0] as { id: string };
    const sourceOf = async (id: string) => (await org.tenant('GET', `/zanzibar/models/${id}`)).at('dsl');
    expect(await sourceOf(latest.id)).toBe(await sourceOf(former));
    const log = (await org.tenant('GET', '/admin/audit-logs?limit=100')).list('data');
    expect(log).toContainEqual(
      expect.objectContaining({
        action: 'model.restore',
        metadata: expect.objectContaining({ restoredModel: former, reason: expect.any(String) }),
      }),
    );
  });

  test('a model is written as before where the tuple bans somebody else', async () => {
    between('writePreparedModel', async () => {
      expect((await writeTuples(['list:b#entry@user:else'], writer)).status).toBe(200);
    });
    expect((await writeModel(restricting)).status).toBe(201);
    expect(await administers()).toBe(true);
  });
});

describe('Rights 3: two that each leave the other as administrator', () => {
  test('do not both go through: a ban, and another’s role that is taken away', async () => {
    const { organization } = org;
    const { store } = organization;
    const [first] = (await org.tenant('GET', '/admin/api-keys')).list('data') as { id: string }[];
    expect((await writeModel(restricting)).status).toBe(201);
    const body = { name: 'second', roles: ['ROLE_TENANT_ADMIN'] };
    const second = (await org.tenant('POST', '/admin/api-keys', { body })).text('data.id');
    const writer = await org.newKey('tuples.write');
    const meaning = await writeTuples(['permission:settings.manage#listed@list:b#entry'], org.key);
    expect(meaning.status).toBe(200);
    const { tuples } = store.readTuples({ relation: 'assignee', subject: `api_key:${second}` });
    expect(tuples).toHaveLength(1);
    service.beforeNextCommit(async () => {
      expect((await writeTuples([`list:b#entry@api_key:${first?.id}`], writer)).status).toBe(200);
    });
    const anybody = { organization, subject: undefined, may: () => true, isStillValid: () => true, seesRights: true };
    const taken = transact(service.keyDependencies(), anybody, facts, (transaction) => transaction.erase(tuples));
    await expect(taken).rejects.toMatchObject({ problem: { kind: { status: 422 } } });
  });
});

describe('Rights 3: a right that ends while its request waits', () => {
  test('writes no model', async () => {
    const body = { name: 'second', roles: ['ROLE_TENANT_ADMIN'] };
    const second = (await org.tenant('POST', '/admin/api-keys', { body })).at('data') as { id: string; key: string };
    between('writePreparedModel', async () => {
      expect((await org.tenant('DELETE', `/admin/api-keys/${second.id}`)).status).toBe(204);
      // so that the model is judged again
      expect((await writeModel(model('[user]'))).status).toBe(201);
    });
    const written = await org.tenant('POST', '/zanzibar/models', { body: restricting, key: second.key });
    expect(written).toMatchObject({ status: 401 });
    expect((await org.tenant('GET', '/zanzibar/models')).list('data')).toHaveLength(2);
  });

  test('changes nothing in the administration', async () => {
    const { organization } = org;
    const ended = { organization, subject: undefined, may: () => true, isStillValid: () => false, seesRights: true };
    const tuples = [parseTuple('group:g#member@user:u')];
    const written = transact(service.keyDependencies(), ended, facts, (transaction) => transaction.write(tuples));
    await expect(written).rejects.toMatchObject({ problem: { kind: { status: 401 } } });
    expect(organization.store.readTuples({ object: 'group:g' }).tuples).toEqual([]);
  });
});
