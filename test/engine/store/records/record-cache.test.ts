import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../../../engine/index.ts';
import { ScratchEngine } from '../../scratch-engine.ts';

let scratch: ScratchEngine;
let store: Store;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  store = await scratch.engine.createStore('s');
});
afterAll(() => scratch.close());

const put = (id: string, document: unknown) =>
  scratch.engine.submit(
    scratch.engine.command([{ op: 'put_record', store: 's', record: { collection: 'things', id, document } }]),
  );
const get = (id: string) => store.records.get<Record<string, unknown>>('things', id);

describe('records that are read again and again', () => {
  it('are what the last commit made of them', async () => {
    await put('a', { name: 'one' });
    for (let read = 0; read < 4; read++) expect(get('a')).toEqual({ id: 'a', version: 1, document: { name: 'one' } });
    await put('a', { name: 'two' });
    expect(get('a')).toEqual({ id: 'a', version: 2, document: { name: 'two' } });
    // the same text, and another version
    await put('a', { name: 'two' });
    for (let read = 0; read < 4; read++) expect(get('a')).toEqual({ id: 'a', version: 3, document: { name: 'two' } });
    const gone = { op: 'delete_record', store: 's', collection: 'things', id: 'a' } as const;
    await scratch.engine.submit(scratch.engine.command([gone]));
    expect(get('a')).toBeUndefined();
    await put('a', { name: 'two' });
    expect(get('a')).toEqual({ id: 'a', version: 1, document: { name: 'two' } });
  });

  it('are the same within one snapshot, and absent ones are absent until they are there', async () => {
    await put('same', { name: 'one' });
    for (let read = 0; read < 3; read++) get('same');
    const seen = scratch.engine.read(() => [get('same'), get('same'), get('none'), get('none')]);
    expect(seen[0]?.document).toBe(seen[1]?.document);
    expect(seen.slice(2)).toEqual([undefined, undefined]);
    await put('none', { name: 'new' });
    expect(get('none')).toEqual({ id: 'none', version: 1, document: { name: 'new' } });
    const gone = { op: 'delete_record', store: 's', collection: 'things', id: 'none' } as const;
    await scratch.engine.submit(scratch.engine.command([gone]));
    expect(get('none')).toBeUndefined();
  });

  it('are those of their own store, collection and id', async () => {
    const other = await scratch.engine.createStore('t');
    const writes = (['s', 't'] as const).flatMap((name) =>
      ['things', 'thing'].map(
        (collection) =>
          ({
            op: 'put_record',
            store: name,
            record: { collection, id: 'x', document: `${name} ${collection}` },
          }) as const,
      ),
    );
    await scratch.engine.submit(scratch.engine.command(writes));
    for (let read = 0; read < 3; read++) {
      expect(store.records.get('things', 'x')?.document).toBe('s things');
      expect(store.records.get('thing', 'x')?.document).toBe('s thing');
      expect(other.records.get('things', 'x')?.document).toBe('t things');
      expect(other.records.get('thing', 'x')?.document).toBe('t thing');
    }
  });

  it('cannot be changed by one reader for the others', async () => {
    await put('shared', { list: [{ deep: 1 }], bytes: Buffer.from('abc') });
    await put('plain', { list: [{ deep: 1 }] });
    for (let read = 0; read < 4; read++) {
      for (const id of ['shared', 'plain']) {
        const list = get(id)?.document.list as { deep: number }[];
        expect(list).toEqual([{ deep: 1 }]);
        try {
          (list[0] as { deep: number }).deep = 2;
          list.push({ deep: 3 });
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError); // it is frozen
        }
      }
    }
  });

  it('stay apart when there are more of them than are kept', async () => {
    const many = Array.from({ length: 5_000 }, (_, place) => `n${place}`);
    const writes = many.map(
      (id) => ({ op: 'put_record', store: 's', record: { collection: 'many', id, document: { id } } }) as const,
    );
    await scratch.engine.submit(scratch.engine.command(writes));
    for (let read = 0; read < 3; read++) {
      for (const id of many) expect(store.records.get('many', id)?.document).toEqual({ id });
    }
  });
});
