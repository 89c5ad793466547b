import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../../engine/command/command.ts';
import { TuplePacker } from '../../../../engine/command/pack-tuples.ts';
import { Engine } from '../../../../engine/engine.ts';
import { openTables, type Tables } from '../../../../engine/store/environment.ts';
import { u32Key } from '../../../../engine/store/layout.ts';
import { verifyStore } from '../../../../engine/store/verify/verify.ts';
import { parseTuple } from '../../../../engine/tuple.ts';
import { ScratchStore, storeOf } from '../scratch-store.ts';

const suspend = (subject: string, store = 's'): Change => ({ op: 'suspend_subject', store, subject });
const restore = (subject: string, store = 's'): Change => ({ op: 'restore_subject', store, subject });
const write = (text: string): Change => ({ op: 'write_tuples', store: 's', tuples: [parseTuple(text)] });
const ANN = { object: 'doc:1', relation: 'viewer', subject: 'user:ann' };

let scratch: ScratchStore;

beforeEach(async () => {
  scratch = await ScratchStore.openModelled();
});

afterEach(async () => {
  expect(await scratch.verify()).toMatchObject({ problems: [] });
  await scratch.close();
});

const isSuspended = (subject: string, store = 's') => scratch.engine.store(store).isSuspended(subject);
const outcome = () => scratch.engine.store('s').check(ANN).outcome;

describe('a suspension', () => {
  it('is in the commit of the record that caused it, which changed no tuple', () => {
    const record = { collection: 'users', id: 'ann', document: { active: false } };
    expect(scratch.apply([{ op: 'put_record', store: 's', record }, suspend('user:ann')])).toEqual({
      revision: 2,
      tuplesChanged: 0,
    });
    expect(scratch.engine.store('s').changes(1, 10).changes).toMatchObject([
      {
        revision: 2,
        tuples: [],
        records: [{ collection: 'users', id: 'ann', op: 'put' }],
        suspensions: [{ op: 'suspend', subject: 'user:ann' }],
      },
    ]);
  });

  it('is no commit where nothing changes', () => {
    expect(scratch.apply([suspend('user:ann')]).revision).toBe(2);
    expect(scratch.apply([suspend('user:ann')]).revision).toBe(2);
    expect(scratch.apply([restore('user:bob')]).revision).toBe(2);
    expect(scratch.apply([restore('user:ann')]).revision).toBe(3);
    expect(scratch.apply([restore('user:ann')]).revision).toBe(3);
    expect(scratch.rows().filter((row) => row.startsWith('suspended'))).toEqual([]);
  });

  it('is followed commit by commit by a thread that has read before', () => {
    scratch.apply([write('doc:1#viewer@user:ann')]);
    expect(outcome()).toBe('allowed');
    scratch.batch([suspend('user:bob')], [suspend('user:ann')]);
    expect(outcome()).toBe('denied');
    scratch.batch([restore('user:ann')], [suspend('user:ann')], [restore('user:ann')]);
    expect(outcome()).toBe('allowed');
    expect(isSuspended('user:bob')).toBe(true);
    scratch.apply([suspend('user:ann'), restore('user:ann'), suspend('user:ann')]);
    expect(outcome()).toBe('denied');
    expect(scratch.engine.store('s').changes(4, 10).changes.at(-1)?.suspensions).toEqual([
      { op: 'suspend', subject: 'user:ann' },
      { op: 'restore', subject: 'user:ann' },
      { op: 'suspend', subject: 'user:ann' },
    ]);
  });

  it('is read again after a commit that does not list its changes, and after a model', () => {
    scratch.apply([write('doc:1#viewer@user:ann')]);
    expect(outcome()).toBe('allowed');
    const packer = new TuplePacker();
    for (let i = 0; i < 500_001; i++) packer.add({ object: `doc:x${i}`, relation: 'owner', subject: 'user:x' });
    scratch.batch([suspend('user:ann')], [{ op: 'write_packed', store: 's', packed: packer.take() }]);
    expect(outcome()).toBe('denied');
    scratch.apply([restore('user:ann')]);
    expect(outcome()).toBe('allowed');
    scratch.apply([suspend('user:ann'), ...storeOf('t')]);
    expect(outcome()).toBe('denied');
  }, 180_000);

  it('goes with its object', () => {
    scratch.apply([write('doc:1#viewer@user:ann'), suspend('user:ann'), suspend('user:bob')]);
    scratch.apply([{ op: 'delete_object', store: 's', object: 'user:ann' }]);
    expect(isSuspended('user:ann')).toBe(false);
    expect(isSuspended('user:bob')).toBe(true);
    scratch.apply([write('doc:1#viewer@user:ann')]);
    expect(outcome()).toBe('allowed');
  });

  it('belongs to one store, and is swept with it', async () => {
    scratch.apply(storeOf('t'));
    scratch.apply([suspend('user:ann'), suspend('user:bob', 't')]);
    expect(isSuspended('user:ann', 't')).toBe(false);
    scratch.apply([{ op: 'delete_store', store: 's' }]);
    while (await scratch.engine.sweep(1000));
    expect(scratch.rows().filter((row) => row.startsWith('suspended'))).toHaveLength(1);
    expect(isSuspended('user:bob', 't')).toBe(true);
  });

  it('is not there where its command failed', () => {
    const taken = { collection: 'users', id: 'a', document: {}, unique: { name: 'n' } };
    scratch.apply([{ op: 'put_record', store: 's', record: taken }]);
    const conflict: Change = { op: 'put_record', store: 's', record: { ...taken, id: 'b' } };
    expect(scratch.batch([suspend('user:ann'), conflict])).toMatchObject([{ ok: false, code: 'conflict' }]);
    expect(isSuspended('user:ann')).toBe(false);
    const isolated: Change = { op: 'create_store', store: 's' };
    expect(scratch.batch([suspend('user:ann'), isolated])).toMatchObject([{ ok: false, code: 'store_exists' }]);
    expect(isSuspended('user:ann')).toBe(false);
  });

  it.each(['user:*', 'group:a#member', 'user', 'user:a b', ''])('refuses %j as its subject', (subject) => {
    expect(scratch.batch([suspend(subject)])).toMatchObject([{ ok: false, code: 'invalid_tuple' }]);
  });

  it('is in a copy and after a restart', async () => {
    scratch.apply([write('doc:1#viewer@user:ann'), suspend('user:ann')]);
    const folder = mkdtempSync(join(tmpdir(), 'relata-copy-'));
    await scratch.writer.backup(join(folder, 'data'));
    expect(await verifyStore(join(folder, 'data'))).toMatchObject({ problems: [] });
    const copy = await Engine.open({ path: join(folder, 'data') });
    expect(copy.store('s').check(ANN).outcome).toBe('denied');
    await copy.close();
    rmSync(folder, { recursive: true, force: true });
    scratch = await scratch.reopen();
    expect(outcome()).toBe('denied');
  });
});

describe('verifyStore', () => {
  it.each<{ name: string; given: (tables: Tables) => void; expect: RegExp }>([
    {
      name: 'a suspension that no commit made',
      given: (t) => t.suspended.putSync(u32Key(1, 0), Buffer.alloc(256, 1)),
      expect: /node 0 is suspended, and has no name/,
    },
    {
      name: 'a lost one',
      given: (t) => t.suspended.removeSync(u32Key(1, 0)),
      expect: /commit 2 has suspend of node 1/,
    },
    {
      name: 'an empty page',
      given: (t) => t.suspended.putSync(u32Key(1, 7), Buffer.alloc(256)),
      expect: /page 7 of the suspended subjects is empty/,
    },
    {
      name: 'a page of no store',
      given: (t) => t.suspended.putSync(u32Key(9, 0), Buffer.alloc(256)),
      expect: /a page of suspended subjects of store 9, which does not exist/,
    },
  ])('finds $name', async ({ given, expect: expected }) => {
    scratch.apply([suspend('user:ann')]);
    const tables = openTables({ path: scratch.path });
    const before = [...tables.suspended.getRange({})].map(({ key, value }) => [Buffer.from(key), Buffer.from(value)]);
    given(tables);
    const { problems } = await scratch.verify();
    expect(problems.join('\n')).toMatch(expected);
    for (const key of [...tables.suspended.getKeys({})]) tables.suspended.removeSync(Buffer.from(key));
    for (const [key, value] of before) tables.suspended.putSync(key as Buffer, value as Buffer);
    await tables.root.close();
  });
});
