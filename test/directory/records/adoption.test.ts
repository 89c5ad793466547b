import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseTuple } from '../../../engine/index.ts';
import { findGroup, findPermission, findRole, groupRecords } from '../../../src/directory/records/index.ts';
import { loadSystemModel } from '../../../src/kernel/rights/index.ts';
import { adoptedRecords, findOrphans } from '../../../src/server/upgrade/adopt.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

let scratch: ScratchEngine;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
});
afterAll(() => scratch.close());

test('what imported tuples name gets records, with any ids; those of the system’s names in other case do not', async () => {
  const { engine } = scratch;
  await engine.createStore('org:a');
  const store = engine.store('org:a');
  await store.writeModel(loadSystemModel().source);
  const writes = [
    'group:openfga/core#member@user:anne',
    'group:Eng#member@user:anne',
    'group:eng#member@user:bob',
    'role:editor#assignee@group:Büro@köln#member',
    'permission:docs/read:all#granted@role:editor#assignee',
    'permission:Settings.Manage#granted@role:editor#assignee',
    'role:role_tenant_admin#assignee@user:eve',
  ].map(parseTuple);
  await store.write({ writes });
  let id = 0;
  const adopt = () => engine.read(() => adoptedRecords(store, findOrphans(store), [1, 2, 3], () => `id-${++id}`, 0));
  await engine.submit(engine.command(adopt()));
  engine.read(() => {
    const groups = [...groupRecords.all(store)].map(({ document: { name } }) => name);
    expect(groups.toSorted()).toEqual(['Büro@köln', 'Eng', 'eng', 'openfga/core']);
    for (const name of groups) expect(findGroup(store, name)?.document).toMatchObject({ name, displayName: name });
    expect(findGroup(store, 'ENG')).toBeUndefined();
    expect(findRole(store, 'editor')).toBeDefined();
    expect(findRole(store, 'role_tenant_admin')).toBeUndefined();
    expect(findPermission(store, 'docs/read:all')?.document).toMatchObject({ resource: 'docs/read', action: 'all' });
    expect(findPermission(store, 'Settings.Manage')).toBeUndefined();
  });
  expect(adopt()).toEqual([]);
});
