import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../../engine/command/command.ts';
import { Engine } from '../../../../engine/engine.ts';
import type { Followed, Follower } from '../../../../engine/read/follow/follower.ts';
import type { StoreChangeEntry } from '../../../../engine/read/follow/store-changes.ts';
import { ScratchStore, storeOf, TIME } from '../../store/scratch-store.ts';

const LIMIT = 100;
/** More than one reading passes, fewer than caches follow. */
const BUSY = 9_000;

let scratch: ScratchStore;

beforeEach(async () => {
  scratch = await ScratchStore.openModelled({ storeBytesMax: 40_000, commitsMax: 1e6 });
  scratch.apply(storeOf('busy'));
});
afterEach(() => scratch.close());

const write = (store: string, n: number): Change => ({
  op: 'write_tuples',
  store,
  tuples: [{ object: `doc:${n}`, relation: 'viewer', subject: 'user:u' }],
});
const quiet = (n: number) => scratch.apply([write('s', n)]).revision;
const busy = (count: number, from = 0) =>
  scratch.batch(...Array.from({ length: count }, (_, i) => [write('busy', from + i)]));
/** As a thread does that answers questions meanwhile: its snapshot moves. */
const look = () => scratch.engine.revision();

/** Everything up to the latest revision: the objects written, and in how many steps they came. */
function readOn(follower: Follower<Followed<StoreChangeEntry>>): {
  readonly objects: string[];
  readonly steps: number;
} {
  const objects: string[] = [];
  let steps = 0;
  for (; follower.lag > 0; steps++) {
    const found = follower.next();
    if (found.isBehind) throw new Error(`it fell behind: the log begins at ${found.oldest}`);
    expect(found.since).toBe(follower.cursor.revision);
    expect(found.reached).toBeGreaterThan(found.since);
    objects.push(...found.changes.flatMap(({ tuples }) => tuples.map(({ tuple }) => tuple.object)));
    follower.advance(found);
  }
  return { objects, steps };
}

describe('a follower of a quiet store beside a busy one', () => {
  it('is told of its own store alone, each commit once and in order', () => {
    const follower = scratch.engine.store('s').follow(2);
    const expected: string[] = [];
    for (let n = 1; n <= 5; n++) {
      quiet(n);
      expected.push(`doc:${n}`);
      busy(20, n * 20);
      if (n % 2 === 0) look();
    }
    expect(readOn(follower)).toEqual({ objects: expected, steps: 3 });
    expect(follower.lag).toBe(0);
  });

  it.each([
    { name: 'while its thread follows', looks: true, most: 1 },
    { name: 'though its thread did not follow', looks: false, most: 4 },
  ])('passes over the others in a few steps, $name', ({ looks, most }) => {
    const follower = scratch.engine.store('s').follow(LIMIT);
    quiet(1);
    for (let round = 0; round < 3; round++) {
      busy(BUSY, round * BUSY);
      if (looks) look();
    }
    quiet(2);
    const { objects, steps } = readOn(follower);
    expect(objects).toEqual(['doc:1', 'doc:2']);
    expect(steps).toBeLessThanOrEqual(most);
  });

  it('is told of commits that it shares with others, and of its own part', () => {
    const follower = scratch.engine.store('s').follow(LIMIT);
    look();
    scratch.apply([write('busy', 1), write('s', 1)]);
    busy(3, 10);
    look();
    expect(readOn(follower).objects).toEqual(['doc:1']);
  });

  it('falls behind by its own commits, and by no other’s', () => {
    const ofQuiet = scratch.engine.store('s').follow(LIMIT);
    const ofBusy = scratch.engine.store('busy').follow(LIMIT);
    quiet(1);
    busy(2_000);
    const found = ofBusy.next();
    expect(found).toEqual({ isBehind: true, since: ofBusy.cursor.revision, oldest: expect.any(Number) });
    if (!found.isBehind) return;
    expect(found.oldest).toBeGreaterThan(found.since + 1_000);
    expect(ofBusy.next()).toEqual(found);
    expect(readOn(ofQuiet).objects).toEqual(['doc:1']);
    ofBusy.restart();
    busy(2, 5_000);
    expect(readOn(ofBusy).objects).toEqual(['doc:5000', 'doc:5001']);
  });

  it('falls behind when its commits are removed for their age', () => {
    const follower = scratch.engine.store('s').follow(LIMIT);
    quiet(1);
    scratch.apply([write('s', 2)], { time: TIME + 10 });
    scratch.apply([{ op: 'trim_log', before: TIME + 5, limit: 100 }]);
    expect(follower.next()).toMatchObject({ isBehind: true, oldest: 4 });
    const later = scratch.engine.store('s').follow(LIMIT, scratch.engine.cursor(3));
    expect(readOn(later).objects).toEqual(['doc:2']);
  });
});

describe('a follower that catches up', () => {
  it('takes each commit once, also where it takes several pages', () => {
    const follower = scratch.engine.store('s').follow(2);
    const objects: string[] = [];
    const catchUp = () =>
      follower.catchUp(100, ({ changes }) => {
        objects.push(...changes.flatMap(({ tuples }) => tuples.map(({ tuple }) => tuple.object)));
      });
    for (let n = 1; n <= 5; n++) quiet(n);
    expect(catchUp()).toBe(true);
    quiet(6);
    expect(catchUp()).toBe(true);
    expect(catchUp()).toBe(true);
    expect(objects).toEqual([1, 2, 3, 4, 5, 6].map((n) => `doc:${n}`));
  });

  it('takes nothing where too many came, until it begins anew', () => {
    const follower = scratch.engine.store('s').follow(LIMIT);
    for (let n = 1; n <= 5; n++) quiet(n);
    const fail = () => expect.unreachable();
    expect(follower.catchUp(4, fail)).toBe(false);
    follower.restart();
    expect(follower.catchUp(4, fail)).toBe(true);
  });

  it('says so where its commits are no longer kept, and stays where a page fails', () => {
    const follower = scratch.engine.store('s').follow(LIMIT);
    quiet(1);
    const fails = () =>
      follower.catchUp(LIMIT, () => {
        throw new Error('not now');
      });
    expect(fails).toThrow('not now');
    expect(readOn(follower).objects).toEqual(['doc:1']);
    quiet(2);
    scratch.apply([write('s', 3)], { time: TIME + 10 });
    scratch.apply([{ op: 'trim_log', before: TIME + 5, limit: 100 }]);
    expect(follower.catchUp(LIMIT, () => {})).toBe(false);
  });
});

describe('what a follower has read', () => {
  it('is told again until it is taken', () => {
    const follower = scratch.engine.store('s').follow(LIMIT);
    quiet(1);
    const found = follower.next();
    expect(follower.next()).toEqual(found);
    if (found.isBehind) throw new Error('it fell behind');
    follower.advance(found);
    quiet(2);
    // the same again says nothing new
    follower.advance(found);
    expect(readOn(follower).objects).toEqual(['doc:2']);
  });

  it('is at one revision with what else is read beside it', async () => {
    const follower = scratch.engine.store('s').follow(LIMIT);
    quiet(1);
    const seen = scratch.engine.read(() => ({ found: follower.next(), revision: scratch.engine.revision() }));
    expect(seen.found).toMatchObject({ reached: seen.revision });
  });
});

describe('a cursor that is kept', () => {
  it('goes on after a restart, also over what was written meanwhile', async () => {
    const follower = scratch.engine.store('s').follow(LIMIT);
    quiet(1);
    readOn(follower);
    const kept = JSON.parse(JSON.stringify(follower.cursor));
    quiet(2);
    busy(50);
    scratch = await scratch.reopen({ storeBytesMax: 40_000, commitsMax: 1e6 });
    quiet(3);
    expect(readOn(scratch.engine.store('s').follow(LIMIT, kept)).objects).toEqual(['doc:2', 'doc:3']);
  });

  it('is refused by a restored copy, which is another log', async () => {
    quiet(1);
    const { cursor } = scratch.engine.store('s').follow(LIMIT);
    const folder = mkdtempSync(join(tmpdir(), 'relata-follower-'));
    try {
      await scratch.writer.backup(folder);
      const engine = await Engine.open({ path: folder, nameBytes: 2 ** 16, cacheBytes: 2 ** 20 });
      try {
        const replaced = expect.objectContaining({ name: 'EngineError', code: 'log_replaced' });
        expect(() => engine.store('s').follow(LIMIT, cursor)).toThrow(replaced);
        expect(() => engine.followRecords(['notes'], cursor)).toThrow(replaced);
        expect(() => engine.store('s').followRecords('notes', cursor)).toThrow(replaced);
      } finally {
        await engine.close();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.each([
    { name: 'a revision still to come', revision: 1_000, code: 'revision_ahead' },
    { name: 'half a revision', revision: 0.5, code: 'invalid_argument' },
    { name: 'a negative revision', revision: -1, code: 'invalid_argument' },
  ])('is refused with $name', ({ revision, code }) => {
    const { engine } = scratch;
    expect(() => engine.store('s').follow(LIMIT, engine.cursor(revision)).next()).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

describe('a follower of a store that is gone', () => {
  it('is told so', () => {
    const follower = scratch.engine.store('s').follow(LIMIT);
    scratch.apply([{ op: 'delete_store', store: 's' }]);
    expect(() => follower.next()).toThrow(expect.objectContaining({ code: 'unknown_store' }));
  });
});
