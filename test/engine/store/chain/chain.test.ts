import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../../engine/command/command.ts';
import { Engine } from '../../../../engine/index.ts';
import { proveChains } from '../../../../engine/store/verify/prove-chains.ts';
import { verifyStore } from '../../../../engine/store/verify/verify.ts';
import { ChainedStore, chain, digest, entry, key, linksOf, question } from './chained-store.ts';

let s: ChainedStore;

beforeEach(() => {
  s = new ChainedStore();
});
afterEach(() => s.remove());

describe('a chain', () => {
  it('gives each entry the next sequence, and a link over the one before', async () => {
    s.apply([...entry('a'), ...entry('b')], entry('c'));
    const report = await s.prove();
    const links = linksOf('s', ['a', 'b', 'c']);
    expect(report).toEqual({ store: 's', entries: 3, from: 0, head: { sequence: 3, link: links[2] } });
    await s.reopen(async () => {
      const engine = await Engine.open({ path: s.path, unsafeNoSync: true });
      const reader = engine.store('s').chain(chain);
      expect(reader.head()).toEqual({ sequence: 3, link: links[2] });
      expect(reader.checkpoint()).toBeUndefined();
      expect(reader.after(1, 10).map(({ sequence, entry, link }) => ({ sequence, entry, link }))).toEqual([
        { sequence: 2, entry: 'b', link: links[1] },
        { sequence: 3, entry: 'c', link: links[2] },
      ]);
      expect(reader.after(0, 1).map(({ entry }) => entry)).toEqual(['a']);
      await engine.close();
    });
  });

  it.each([
    {
      name: 'that a precondition refuses',
      broken: () =>
        s.command(entry('x'), {
          preconditions: [{ require: 'record_absent', store: 's', collection: chain, id: 'a' }],
        }),
      code: 'precondition_failed',
    },
    {
      name: 'that fails when it is applied, in the middle of its writes',
      broken: () =>
        s.command([...entry('x'), { op: 'append_chained', store: 's', chain, entry: 'none', digest: digest(1) }]),
      code: 'invalid_argument',
    },
    {
      name: 'of another kind, which runs in a transaction of its own',
      broken: () => s.command([...entry('x'), { op: 'create_store', store: 's' }]),
      code: 'store_exists',
    },
  ])('chains the others of a batch right around a command $name', async ({ broken, code }) => {
    const outcomes = s.apply(entry('a'), broken(), entry('b'), broken(), entry('c'));
    expect(outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.code))).toEqual(['ok', code, 'ok', code, 'ok']);
    expect(await s.prove()).toMatchObject({ entries: 3, head: { link: linksOf('s', ['a', 'b', 'c'])[2] } });
    expect((await s.prove())?.break).toBeUndefined();
    expect(await verifyStore(s.path)).toMatchObject({ problems: [] });
  });

  it('is one for each store, and none is like another', async () => {
    s.apply([{ op: 'create_store', store: 't' }]);
    s.apply(entry('a'), entry('a', 't'));
    const [one, other] = await proveChains(s.path, question);
    expect(one?.head.link).not.toEqual(other?.head.link);
    expect(await proveChains(s.path, question, (store) => store === 't')).toHaveLength(1);
  });

  it('goes on where it was after a restart', async () => {
    s.apply(entry('a'));
    await s.reopen();
    s.apply(entry('b'));
    expect((await s.prove())?.head.link).toEqual(linksOf('s', ['a', 'b'])[1]);
  });

  it.each([
    { name: 'a digest of another size', change: { digest: Buffer.alloc(31) } },
    { name: 'a name that is none', change: { chain: 'a/b' } },
    { name: 'a record that is not there', change: { entry: 'other' } },
  ])('refuses $name', ({ change }) => {
    const [put, append] = entry('a');
    const [outcome] = s.apply([put as Change, { ...(append as object), ...change } as Change]);
    expect(outcome).toMatchObject({ ok: false, code: 'invalid_argument' });
  });

  const put = (id: string, collection = chain, store = 's'): Change => ({
    op: 'put_record',
    store,
    record: { collection, id, document: { id } },
  });
  const append = (id: string): Change => ({
    op: 'append_chained',
    store: 's',
    chain,
    entry: id,
    digest: digest({ id }),
  });

  it.each([
    { name: 'before its record', changes: [append('a'), put('a')] },
    { name: 'after another record', changes: [put('b'), append('a')] },
    { name: 'after a record of another collection', changes: [put('a', 'others'), append('a')] },
    { name: 'after a record of another store', changes: [put('a', chain, 't'), append('a')] },
    {
      name: 'after its record was deleted',
      changes: [put('a'), { op: 'delete_record', store: 's', collection: chain, id: 'a' } as const, append('a')],
    },
  ])('refuses an entry that comes $name', async ({ changes }) => {
    s.apply([{ op: 'create_store', store: 't' }]);
    expect(s.apply(changes)).toMatchObject([{ ok: false, code: 'invalid_argument' }]);
    expect(await verifyStore(s.path)).toMatchObject({ records: 0, problems: [] });
  });

  it('takes entries whose records came earlier, in the order that is asked for', async () => {
    s.apply([put('b'), put('a'), append('a'), append('b')], [put('c')], [append('c')]);
    expect((await s.prove())?.head.link).toEqual(linksOf('s', ['a', 'b', 'c'])[2]);
    expect((await s.prove())?.break).toBeUndefined();
  });

  it('refuses an entry where the writer has no key, and nothing of the command is written', async () => {
    await s.reopenKeyless();
    expect(s.apply(entry('a'))).toMatchObject([{ ok: false, code: 'invalid_argument' }]);
    expect(await verifyStore(s.path)).toMatchObject({ records: 0, problems: [] });
  });

  it('goes with its store', async () => {
    s.apply(entry('a'), entry('b'));
    await s.reopen(async () => {
      const engine = await Engine.open({ path: s.path, unsafeNoSync: true, chainKey: key });
      await engine.deleteStore('s');
      while (await engine.sweep(2)) {}
      await engine.close();
      await s.damage((tables) => expect(tables.chains.getCount()).toBe(0));
    });
    expect(await verifyStore(s.path)).toMatchObject({ problems: [] });
  });

  it('goes with a backup', async () => {
    s.apply(entry('a'), entry('b'));
    const copy = join(s.path, 'copy');
    await s.opened.backup(copy);
    const [report] = await proveChains(copy, question);
    expect(report).toMatchObject({ entries: 2, head: { sequence: 2 } });
    expect(report?.break).toBeUndefined();
  });
});

describe('a cut', () => {
  const cut = (through: number): Change => ({ op: 'cut_chain', store: 's', chain, through });

  it('removes the oldest entries with their records, and what is left can be proved', async () => {
    s.apply(entry('a'), entry('b'), entry('c'));
    s.apply([cut(2), ...entry('d')]);
    expect(await s.prove()).toEqual({
      store: 's',
      entries: 2,
      from: 2,
      head: { sequence: 4, link: linksOf('s', ['a', 'b', 'c', 'd'])[3] },
    });
    expect(await verifyStore(s.path)).toMatchObject({ records: 2, problems: [] });
    expect(s.apply([cut(1)])).toMatchObject([{ ok: true }]);
    s.apply([cut(4)], entry('e'));
    expect(await s.prove()).toMatchObject({ entries: 1, from: 4, head: { sequence: 5 } });
  });

  it('past the end is refused', () => {
    s.apply(entry('a'));
    expect(s.apply([cut(2)])).toMatchObject([{ ok: false, code: 'invalid_argument' }]);
  });
});
