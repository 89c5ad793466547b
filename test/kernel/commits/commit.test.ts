import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EngineError } from '#engine';
import {
  commit,
  commitIfPossible,
  commitTogether,
  lastUseNotes,
  lastUseSchema,
  type UseNote,
  UseNotes,
} from '../../../src/kernel/commits/index.ts';
import { defineRecord } from '../../../src/kernel/records/index.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

const notes = defineRecord({
  collection: 'notes',
  holds: 'a note',
  schema: z.strictObject({ text: z.string(), name: z.string().exactOptional() }),
  unique: ({ name }) => (name === undefined ? {} : { name }),
});

let scratch: ScratchEngine;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  await scratch.engine.createStore('one');
});
afterAll(() => scratch?.close());

const put = (id: string, text: string) => commit(scratch.engine, 'one', (changes) => changes.put(notes, id, { text }));
const textOf = (id: string) => scratch.engine.read(() => notes.get(scratch.engine.store('one'), id)?.document.text);

/** An engine in which somebody else writes before the first command of `commit` comes. */
function overtaken(other: () => Promise<unknown>) {
  const { engine } = scratch;
  let left = 1;
  return {
    read: <T>(run: () => T) => engine.read(run),
    store: (name: string) => engine.store(name),
    command: (...of: Parameters<typeof engine.command>) => engine.command(...of),
    async submit(command: Parameters<typeof engine.submit>[0]) {
      if (left-- > 0) await other();
      return engine.submit(command);
    },
  };
}

describe('a commit', () => {
  it('runs a hundred times, and no more', async () => {
    await put('late', '1');
    const before = scratch.engine.read(() => notes.get(scratch.engine.store('one'), 'late'));
    await put('late', '2');
    let runs = 0;
    const losing = commit(scratch.engine, 'one', (changes) => {
      runs++;
      changes.rely(notes, before);
      changes.put(notes, 'late', { text: '3' });
    });
    await expect(losing).rejects.toMatchObject({ code: 'precondition_failed' });
    expect(runs).toBe(100);
  });

  it('runs again where a record that it has read was changed meanwhile', async () => {
    await put('a', '1');
    let runs = 0;
    const engine = overtaken(() => put('a', '2'));
    const result = await commit(engine, 'one', (changes) => {
      const text = `${changes.get(notes, 'a')?.document.text}+${++runs}`;
      changes.put(notes, 'a', { text });
      return text;
    });
    expect(result).toBe('2+2');
    expect(textOf('a')).toBe('2+2');
  });

  it('runs again where a record that it has not found was made meanwhile', async () => {
    const engine = overtaken(() => put('b', 'theirs'));
    const isMine = await commit(engine, 'one', (changes) => {
      if (changes.get(notes, 'b') !== undefined) return false;
      changes.put(notes, 'b', { text: 'mine' });
      return true;
    });
    expect(isMine).toBe(false);
    expect(textOf('b')).toBe('theirs');
  });

  it('runs again where a unique key was taken meanwhile', async () => {
    const take = (id: string, name: string) =>
      commit(scratch.engine, 'one', (changes) => changes.put(notes, id, { text: '', name }));
    const engine = overtaken(() => take('c', 'N1'));
    let draw = 0;
    const name = await commit(engine, 'one', (changes) => {
      const drawn = `N${++draw}`;
      changes.put(notes, 'd', { text: '', name: drawn });
      return drawn;
    });
    expect(name).toBe('N2');
  });

  it('knows a record that was changed since it was read', async () => {
    await put('e', '1');
    const read = scratch.engine.read(() => notes.get(scratch.engine.store('one'), 'e'));
    if (read === undefined) throw new Error('no note');
    const isUnchanged = () => commit(scratch.engine, 'one', (changes) => changes.isUnchanged(notes, read));
    expect(await isUnchanged()).toBe(true);
    await put('e', '2');
    expect(await isUnchanged()).toBe(false);
  });

  it('writes nothing where there is nothing to change, or the change was dropped', async () => {
    const before = scratch.engine.revision;
    expect(await commit(scratch.engine, 'one', () => 7)).toBe(7);
    const dropped = await commit(scratch.engine, 'one', (changes) => {
      changes.put(notes, 'f', { text: '' });
      return changes.drop('nothing');
    });
    expect(dropped).toBe('nothing');
    expect(scratch.engine.revision).toBe(before);
  });

  it('fails where the store is gone, and is dropped where nobody waits for it', async () => {
    await expect(commit(scratch.engine, 'gone', () => 1)).rejects.toMatchObject({ code: 'unknown_store' });
    expect(await commitIfPossible(scratch.engine, 'gone', () => {})).toBe(false);
    const broken = commitIfPossible(scratch.engine, 'one', () => {
      throw new RangeError('a fault');
    });
    await expect(broken).rejects.toThrow(RangeError);
    const full = { ...overtaken(async () => {}), submit: () => Promise.reject(new EngineError('unavailable', 'full')) };
    expect(await commitIfPossible(full, 'one', (changes) => changes.put(notes, 'g', { text: '' }))).toBe(false);
  });
});

describe('many commits together', () => {
  it('are on their way at once, a bounded number of them', async () => {
    let open = 0;
    let most = 0;
    const written: number[] = [];
    await commitTogether(
      Array.from({ length: 250 }, (_, place) => place),
      async (place) => {
        most = Math.max(most, ++open);
        await put(`together${place}`, '');
        open--;
        written.push(place);
      },
    );
    expect(most).toBe(100);
    expect(new Set(written).size).toBe(250);
  });

  it('go on where one fails, which is told at the end', async () => {
    const done: number[] = [];
    const all = commitTogether([1, 2, 3, 4], async (place) => {
      if (place % 2 === 0) throw new RangeError(`fault ${place}`);
      await put('together', `${place}`);
      done.push(place);
    });
    await expect(all).rejects.toThrow('fault 2');
    expect(done.sort()).toEqual([1, 3]);
  });
});

describe('notes of last use', () => {
  const uses = defineRecord({ collection: 'uses', holds: 'when a note was read', schema: lastUseSchema });
  const readAt = (id: string) =>
    scratch.engine.read(() => uses.get(scratch.engine.store('one'), id)?.document.lastUsedAt);
  let now = 1_000_000;
  const clock = { now: () => now };

  it('of one millisecond are one, before and after it is written', async () => {
    const noted = lastUseNotes(scratch.engine, clock, uses, notes);
    // there is none yet: what is noted of it is let go
    noted.note('one', 'at once');
    noted.note('one', 'at once');
    await noted.flush();
    expect(readAt('at once')).toBeUndefined();
    await Promise.all([put('at once', ''), put('beside', '')]);
    for (const id of ['at once', 'beside', 'at once', 'at once']) noted.note('one', id);
    await noted.flush();
    expect([readAt('at once'), readAt('beside')]).toEqual([now, now]);
  });

  it('are written at most once a minute, and the last use is not lost', async () => {
    await put('used', '');
    const noted = lastUseNotes(scratch.engine, clock, uses, notes);
    noted.note('one', 'used');
    await noted.flush();
    expect(readAt('used')).toBe(1_000_000);
    now += 30_000;
    noted.note('one', 'used');
    await noted.flush();
    expect(readAt('used')).toBe(1_000_000);
    now += 31_000;
    await noted.flush();
    expect(readAt('used')).toBe(1_030_000);
    // at the end of a thread nothing waits for its minute
    now += 5000;
    noted.note('one', 'used');
    await noted.flush();
    now += 1000;
    noted.note('one', 'used');
    await noted.flush(true);
    expect(readAt('used')).toBe(now);
  });

  it('that are handed back take further uses until they are written down, and none that is earlier', async () => {
    await put('again', '');
    const noted = lastUseNotes(scratch.engine, clock, uses, notes);
    const note = noted.note('one', 'again') as UseNote;
    now += 5;
    expect(noted.again(note)).toBe(true);
    now -= 2;
    expect(noted.again(note)).toBe(true);
    await noted.flush();
    expect(readAt('again')).toBe(now + 2);
    expect(noted.again(note)).toBe(false);
    expect(noted.note('one', 'again')).not.toBe(note);
    // 25 days later
    now += 25 * 86_400_000;
    expect(noted.again(noted.note('one', 'again') as UseNote)).toBe(true);
    await noted.flush();
    expect(readAt('again')).toBe(now);
  });

  it('are not looked at again before they are due, unless the clock is set back', async () => {
    await put('quiet', '');
    let reads = 0;
    const watched = {
      ...overtaken(async () => {}),
      read<T>(run: () => T): T {
        reads++;
        return scratch.engine.read(run);
      },
    };
    const noted = lastUseNotes(watched, clock, uses, notes);
    noted.note('one', 'quiet');
    await noted.flush();
    now += 10_000;
    noted.note('one', 'quiet');
    await noted.flush();
    const after = reads;
    now += 20_000;
    noted.note('one', 'quiet');
    await noted.flush();
    expect(reads).toBe(after);
    now += 30_000;
    await noted.flush();
    expect(readAt('quiet')).toBe(now - 30_000);
    noted.note('one', 'quiet');
    await noted.flush();
    const early = reads;
    now -= 3_600_000;
    await noted.flush();
    expect(reads).toBeGreaterThan(early);
    now += 3_600_000;
  });

  it('leave nothing of what is gone, nor of a store that is', async () => {
    const noted = lastUseNotes(scratch.engine, clock, uses, notes);
    noted.note('one', 'never there');
    noted.note('gone', 'used');
    await noted.flush();
    expect(readAt('never there')).toBeUndefined();
  });

  it('do not overwrite what another thread has written of the same record meanwhile', async () => {
    await put('raced', '1');
    const engine = overtaken(() => put('raced', '2'));
    const noted = new UseNotes(engine, clock, {
      records: notes,
      usedAt: () => undefined,
      find: (store, id) => notes.get(store, id),
      used: ({ text }, usedAt) => ({ text: `${text} used ${usedAt}` }),
    });
    noted.note('one', 'raced');
    await noted.flush();
    expect(textOf('raced')).toBe(`2 used ${now}`);
  });
});
