import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Change } from '../../../../engine/index.ts';
import { ScratchEngine } from '../../scratch-engine.ts';

let scratch: ScratchEngine;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  for (const name of ['s', 't']) await scratch.engine.createStore(name);
});
afterAll(() => scratch.close());

const put = (store: string, collection: string, id: string): Change => ({
  op: 'put_record',
  store,
  record: { collection, id, document: { of: 'notes' } },
});
const commit = (...changes: readonly Change[]) => scratch.engine.submit(scratch.engine.command(changes));
const touches = (collections: readonly string[], after: number) => {
  const { engine } = scratch;
  const found = engine.followRecords(collections, engine.cursor(after)).next();
  if (found.isBehind) throw new Error('it fell behind');
  const { changes: touched, untold, reached: revision } = found;
  return { touched, untold, revision };
};

describe('records that were touched since a revision', () => {
  it('are those of the collections that are asked for, in every store, put or deleted', async () => {
    const before = scratch.engine.revision();
    await commit(put('s', 'notes', 'a'), put('s', 'words', 'b'));
    await commit(put('t', 'words', 'notes'));
    await commit(put('t', 'notes', 'c'));
    await commit({ op: 'delete_record', store: 's', collection: 'notes', id: 'a' });
    const revision = before + 4;
    const a = { store: 's', collection: 'notes', id: 'a' };
    expect(touches(['notes'], before)).toEqual({
      touched: [a, { store: 't', collection: 'notes', id: 'c' }, a],
      untold: [],
      revision,
    });
    expect(touches(['words', 'notes'], before).touched).toHaveLength(5);
    expect(touches(['word'], before)).toEqual({ touched: [], untold: [], revision });
    expect(touches([], before)).toEqual({ touched: [], untold: [], revision });
    expect(touches(['notes'], revision)).toEqual({ touched: [], untold: [], revision });
  });

  it('are told commit by commit for one collection of one store', async () => {
    const { engine } = scratch;
    const follower = engine.store('s').followRecords('words');
    for (const id of ['x', 'y']) await commit(put('s', 'words', id), put('t', 'words', id), put('s', 'notes', id));
    await commit(put('t', 'words', 'z'));
    const found = follower.next();
    expect(found).toEqual({
      isBehind: false,
      since: follower.cursor.revision,
      changes: ['x', 'y'].map((id) => ({ store: 's', collection: 'words', id })),
      reached: engine.revision(),
    });
  });
});

describe('who follows one collection of one store', () => {
  it('is told that nothing touched it, also of commits that have left the log since this thread saw them', async () => {
    const small = await ScratchEngine.open({ retention: { commitsMax: 4 } });
    const { engine } = small;
    const submit = (...changes: readonly Change[]) => engine.submit(engine.command(changes));
    const store = await engine.createStore('s');
    await submit(put('s', 'words', 'a'));
    const [often, seldom] = [store.followRecords('words'), store.followRecords('others')];
    const look = () => {
      const found = often.next();
      if (!found.isBehind) often.advance(found);
      return found;
    };
    look();
    const since = often.cursor.revision;
    for (let each = 0; each < 10; each++) {
      await submit(put('s', 'notes', `${each}`));
      // the thread sees each commit, and nobody looks
      engine.revision();
    }
    expect(look()).toEqual({ isBehind: false, since, changes: [], reached: engine.revision() });
    expect(seldom.next().isBehind).toBe(true);
    await submit(put('s', 'words', 'b'));
    expect(look()).toMatchObject({ changes: [{ store: 's', collection: 'words', id: 'b' }] });
    await submit({ op: 'delete_record', store: 's', collection: 'words', id: 'b' });
    for (let each = 0; each < 10; each++) {
      await submit(put('s', 'notes', `${each}`));
      engine.revision();
    }
    expect(look().isBehind).toBe(true);
    await small.close();
  });
});

describe('who follows collections of every store', () => {
  it('is told of what was touched, and reads nothing of the log where nothing was', async () => {
    const small = await ScratchEngine.open({ retention: { commitsMax: 4 } });
    const { engine } = small;
    const submit = (...changes: readonly Change[]) => engine.submit(engine.command(changes));
    for (const name of ['s', 't']) await engine.createStore(name);
    const follower = engine.followRecords(['words', 'marks']);
    const look = () => {
      const found = follower.next();
      if (!found.isBehind) follower.advance(found);
      return found;
    };
    look();
    const since = follower.cursor.revision;
    for (let each = 0; each < 10; each++) {
      await submit(put('t', 'notes', `${each}`));
      // the thread sees each commit, and nobody looks
      engine.revision();
    }
    // these commits have left the log: it was not read
    expect(look()).toEqual({ isBehind: false, since, changes: [], reached: engine.revision(), untold: [] });
    await submit(put('s', 'marks', 'a'));
    await submit(put('t', 'words', 'b'), put('t', 'notes', 'c'));
    expect(look()).toMatchObject({
      changes: [
        { store: 's', collection: 'marks', id: 'a' },
        { store: 't', collection: 'words', id: 'b' },
      ],
    });
    await submit(put('s', 'marks', 'd'));
    for (let each = 0; each < 10; each++) {
      await submit(put('s', 'notes', `${each}`));
      engine.revision();
    }
    expect(look()).toMatchObject({ changes: [], untold: ['s'] });
    await small.close();
  });
});
