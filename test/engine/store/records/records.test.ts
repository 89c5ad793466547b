import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change, RecordWrite } from '../../../../engine/command/command.ts';
import { ScratchStore, storeOf } from '../scratch-store.ts';

const put = (id: string, more: Partial<RecordWrite> = {}, store = 's'): Change => ({
  op: 'put_record',
  store,
  record: { collection: 'notes', id, document: { id }, ...more },
});
const drop = (id: string): Change => ({ op: 'delete_record', store: 's', collection: 'notes', id });

let scratch: ScratchStore;

beforeEach(async () => {
  scratch = await ScratchStore.openModelled();
});

afterEach(async () => {
  expect(await scratch.verify()).toMatchObject({ problems: [] });
  await scratch.close();
});

const records = () => scratch.engine.store('s').records;
const ids = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);

describe('a record', () => {
  it('is counted by the keys of an index that says so, and verification counts again', () => {
    const counted = (id: string, state: string) => put(id, { indexes: { '#state': state, plain: 'x' } });
    scratch.apply([counted('a', 'open'), counted('b', 'open'), counted('a', 'ended'), counted('c', 'k'.repeat(500))]);
    scratch.apply([drop('b'), counted('d', 'open'), drop('d')]);
    const index = scratch.engine.store('s').recordIndex('notes');
    expect(['open', 'ended', 'k'.repeat(500)].map((key) => index.counted('#state', key))).toEqual([0, 1, 1]);
  });

  it('comes back as it was put, with a version that counts its writes', () => {
    const document = { text: 'ü', list: [1, 2.5, null, true], nested: { at: 1_700_000_000_000 } };
    scratch.apply([put('a', { document })]);
    scratch.apply([put('a', { document })]);
    expect(records().get('notes', 'a')).toEqual({ id: 'a', version: 2, document });
  });

  it('has the keys of its last write, whatever it had before', () => {
    const indexes = { by: 'x', '#state': 'open' };
    const forms: Partial<RecordWrite>[] = [
      {},
      { indexes },
      { indexes: { '#state': 'open', by: 'x' } },
      { indexes: { by: 'x', '#state': 'ended' } },
      { indexes: { by: 'x' } },
      { unique: { name: 'n' } },
      { indexes, unique: { name: 'n' } },
      { document: { a: 1, indexes } },
      { document: { a: 1, indexes }, indexes, unique: { name: 'm' } },
    ];
    const index = scratch.engine.store('s').recordIndex('notes');
    for (const before of forms) {
      for (const after of forms) {
        for (const form of [before, before, after]) scratch.apply([put('a', form)]);
        expect(records().get('notes', 'a')).toEqual({ id: 'a', version: 3, document: after.document ?? { id: 'a' } });
        const has = (name: string, key: string) => index.ids(name, key, { limit: 9 }).length === 1;
        expect(has('by', 'x')).toBe(after.indexes?.by === 'x');
        for (const state of ['open', 'ended']) {
          expect(has('#state', state)).toBe(after.indexes?.['#state'] === state);
          expect(index.counted('#state', state)).toBe(after.indexes?.['#state'] === state ? 1 : 0);
        }
        for (const name of ['n', 'm']) {
          expect(records().byUnique('notes', 'name', name)?.id).toBe(after.unique?.name === name ? 'a' : undefined);
        }
        scratch.apply([drop('a')]);
      }
    }
  });

  it('begins anew after it was deleted', () => {
    scratch.apply([put('a')]);
    scratch.apply([drop('a')]);
    expect(records().get('notes', 'a')).toBeUndefined();
    scratch.apply([put('a')]);
    expect(records().get('notes', 'a')?.version).toBe(1);
  });

  it('can be deleted where it is not', () => {
    expect(scratch.apply([drop('a')])).toEqual({ revision: 1, tuplesChanged: 0 });
  });

  it('is another in another store and collection', () => {
    scratch.batch(storeOf('t'));
    scratch.apply([put('a'), put('a', { document: 'other' }, 't'), put('a', { collection: 'no', document: 'third' })]);
    expect(records().get('notes', 'a')?.document).toEqual({ id: 'a' });
    expect(scratch.engine.store('t').records.get('notes', 'a')?.document).toBe('other');
    expect(records().get('no', 'a')?.document).toBe('third');
    expect(ids(records().list('notes'))).toEqual(['a']);
  });

  it.each([
    { name: 'an id with NUL', given: put('a\0b') },
    { name: 'a collection with NUL', given: put('a', { collection: 'a\0' }) },
    { name: 'an index key with NUL', given: put('a', { indexes: { by: '\0' } }) },
    { name: 'an index name with NUL', given: put('a', { indexes: { '\0': 'x' } }) },
    { name: 'a unique key with NUL', given: put('a', { unique: { by: '\0' } }) },
  ])('is refused with $name, and nothing of it stays', ({ given }) => {
    const before = scratch.rows();
    expect(scratch.batch([given])).toMatchObject([{ ok: false, code: 'invalid_argument' }]);
    expect(scratch.rows()).toEqual(before);
  });

  it('may have ids and keys of any length', () => {
    const long = 'x'.repeat(5000);
    scratch.apply([
      put(`${long}1`, { unique: { key: `${long}1` }, indexes: { key: long } }),
      put(`${long}2`, { unique: { key: `${long}2` }, indexes: { key: long } }),
    ]);
    expect(records().get('notes', `${long}1`)?.document).toEqual({ id: `${long}1` });
    expect(records().byUnique('notes', 'key', `${long}2`)?.document).toEqual({ id: `${long}2` });
    expect(records().byIndex('notes', 'key', long).entries).toHaveLength(2);
  });
});

describe('the records of a collection', () => {
  it('are listed in the order of their ids, page by page', () => {
    scratch.apply(['b', 'a', 'c', 'ab', 'a\u0001'].map((id) => put(id)));
    scratch.apply([put('z', { collection: 'notesx' }), put('z', { collection: 'note' })]);
    expect(ids(records().list('notes'))).toEqual(['a', 'a\u0001', 'ab', 'b', 'c']);
    expect(ids(records().list('notes', { limit: 2 }))).toEqual(['a', 'a\u0001']);
    expect(ids(records().list('notes', { after: 'a', limit: 2 }))).toEqual(['a\u0001', 'ab']);
    expect(ids(records().list('notes', { after: 'b' }))).toEqual(['c']);
    expect(records().list('notes', { after: 'c' })).toEqual([]);
  });

  it('are found by the key of an index, and no longer by an earlier one', () => {
    scratch.apply([put('a', { indexes: { by: 'x' } }), put('b', { indexes: { by: 'x' } }), put('c')]);
    expect(ids(records().byIndex('notes', 'by', 'x').entries)).toEqual(['a', 'b']);
    scratch.apply([put('a', { indexes: { by: 'y' } }), put('b')]);
    expect(records().byIndex('notes', 'by', 'x').entries).toEqual([]);
    expect(ids(records().byIndex('notes', 'by', 'y').entries)).toEqual(['a']);
    scratch.apply([drop('a')]);
    expect(records().byIndex('notes', 'by', 'y').entries).toEqual([]);
  });

  it('are walked in the order of an index, page by page', () => {
    scratch.apply(
      [...'dabc'].flatMap((key, i) => [put(`${i}`, { indexes: { by: key } }), put(`z${i}`, { indexes: { by: key } })]),
    );
    const walked: string[] = [];
    for (let after: string | undefined; ; ) {
      const { entries, position } = records().byIndex('notes', 'by', undefined, {
        limit: 3,
        ...(after === undefined ? {} : { after }),
      });
      walked.push(...ids(entries));
      if (position === undefined) break;
      after = position;
    }
    expect(walked).toEqual(['1', 'z1', '2', 'z2', '3', 'z3', '0', 'z0']);
  });

  it('do not meet where one key is the start of another', () => {
    scratch.apply([put('a', { indexes: { by: 'x' } }), put('b', { indexes: { by: 'xx' } })]);
    expect(ids(records().byIndex('notes', 'by', 'x').entries)).toEqual(['a']);
  });
});

const inStore =
  (store: string) =>
  (change: Change): Change =>
    ({ ...change, store }) as Change;

describe('a unique key', () => {
  const email = (key: string) => ({ unique: { email: key } });

  it('leads to its record', () => {
    scratch.apply([put('a', email('a@x'))]);
    expect(records().byUnique('notes', 'email', 'a@x')?.id).toBe('a');
    expect(records().byUnique('notes', 'email', 'b@x')).toBeUndefined();
  });

  it('belongs to one record', () => {
    scratch.apply([put('a', email('a@x'))]);
    expect(scratch.batch([put('b', email('a@x'))])).toMatchObject([
      { ok: false, code: 'conflict', details: { collection: 'notes', index: 'email' } },
    ]);
  });

  it.each([
    { name: 'two records of one command', given: [[put('a', email('k')), put('b', email('k'))]], expect: [false] },
    {
      name: 'two commands of one batch',
      given: [[put('a', email('k'))], [put('b', email('k'))]],
      expect: [true, false],
    },
    {
      name: 'a record that was deleted before',
      given: [[put('a', email('k'))], [drop('a')], [put('b', email('k'))]],
      expect: [true, true, true],
    },
    {
      name: 'a record that has another key now',
      given: [[put('a', email('k'))], [put('a', email('other'))], [put('b', email('k'))]],
      expect: [true, true, true],
    },
    { name: 'the same record again', given: [[put('a', email('k'))], [put('a', email('k'))]], expect: [true, true] },
    {
      name: 'another collection',
      given: [[put('a', email('k'))], [put('b', { ...email('k'), collection: 'other' })]],
      expect: [true, true],
    },
    {
      name: 'another index',
      given: [[put('a', email('k'))], [put('b', { unique: { name: 'k' } })]],
      expect: [true, true],
    },
    {
      name: 'a record that its command deletes before',
      given: [[put('a', email('k'))], [drop('a'), put('b', email('k'))]],
      expect: [true, true],
    },
    {
      name: 'a record that its command deletes after',
      given: [[put('a', email('k'))], [put('b', email('k')), drop('a')]],
      expect: [true, false],
    },
    {
      name: 'two records that change their keys',
      given: [
        [put('a', email('k')), put('b', email('l'))],
        [put('a', email('m')), put('b', email('k')), put('a', email('l'))],
      ],
      expect: [true, true],
    },
    {
      name: 'a record that takes its key back in its command',
      given: [[put('a', email('k'))], [put('a', email('m')), put('a', email('k')), put('b', email('k'))]],
      expect: [true, false],
    },
    {
      name: 'a record of its command that another takes the key of',
      given: [[put('a', email('k')), put('a', email('m')), put('b', email('k')), drop('a'), put('c', email('m'))]],
      expect: [true],
    },
    {
      name: 'a record that its command deletes, and two that want its key',
      given: [[put('a', email('k'))], [drop('a'), put('b', email('k')), put('c', email('k'))]],
      expect: [true, false],
    },
    {
      name: 'a store made in the same command',
      given: [
        [...storeOf('t'), ...['a', 'b'].map((id) => put(id, email('k'))).map(inStore('t'))],
        [...storeOf('u'), ...[put('a', email('k')), drop('a'), put('b', email('k'))].map(inStore('u'))],
      ],
      expect: [false, true],
    },
  ])('is judged right for $name', ({ given, expect: expected }) => {
    expect(scratch.batch(...given).map(({ ok }) => ok)).toEqual(expected);
  });
});
