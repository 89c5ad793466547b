import { expect, it } from 'vitest';
import { Arena } from '../../../../engine/evaluate/graph/arena.ts';
import { TOO_LONG } from '../../../../engine/evaluate/graph/packed-list.ts';
import { randomNumbers } from '../../shuffle.ts';

const STEPS = 20_000;
/** Few keys in few slots: most keys meet others on their way. */
const SLOTS = 64;
const KEYS = { stores: 3, nodes: 12, tags: 3 };
const WORDS_MAX = 30;

interface Key {
  readonly store: number;
  readonly node: number;
  readonly tag: number;
}

type List = readonly number[] | 'too long';

function nameOf({ store, node, tag }: Key): string {
  return `${store} ${node} ${tag}`;
}

function allKeys(): Key[] {
  const keys: Key[] = [];
  for (let store = 1; store <= KEYS.stores; store++) {
    // ids are unsigned, and words of the array are signed
    for (let i = 0; i < KEYS.nodes; i++) {
      const node = i % 2 === 0 ? i : 2 ** 32 - i;
      for (let tag = 0; tag < KEYS.tags; tag++) keys.push({ store, node, tag: tag - 1 });
    }
  }
  return keys;
}

function add(arena: Arena, { store, node, tag }: Key, list: List): void {
  const words = list === 'too long' ? [TOO_LONG] : [list.length, ...list];
  // not at the beginning of what it is copied from
  arena.add(store, node, tag, Int32Array.from([99, ...words]), 1);
}

function find(arena: Arena, { store, node, tag }: Key): List | undefined {
  const at = arena.find(store, node, tag);
  if (at === 0) return undefined;
  const length = arena.data[at] as number;
  return length === TOO_LONG ? 'too long' : [...arena.data.subarray(at + 1, at + 1 + length)];
}

function grown(arena: Arena): Arena {
  const larger = arena.larger();
  for (let slot = 0; slot < arena.slots; slot += 5) arena.copyTo(larger, slot, 5);
  return larger;
}

it.each([1, 2, 3])('holds what a map would, whatever is added, replaced and removed (seed %i)', (seed) => {
  const random = randomNumbers(seed);
  const keys = allKeys();
  const expected = new Map<string, List>();
  let arena = new Arena(SLOTS);
  for (let step = 0; step < STEPS; step++) {
    const key = keys[random() % keys.length] as Key;
    const { store, node, tag } = key;
    const what = random() % 100;
    if (what < 60) {
      const list = what < 5 ? 'too long' : Array.from({ length: random() % WORDS_MAX }, () => random() | 0);
      if (!arena.hasRoom(list === 'too long' ? 1 : list.length)) {
        arena = new Arena(SLOTS);
        expected.clear();
      }
      add(arena, key, list);
      expected.set(nameOf(key), list);
    } else if (what < 99) {
      arena.remove(store, node, tag);
      // what is too long stays so
      if (expected.get(nameOf(key)) !== 'too long') expected.delete(nameOf(key));
    } else {
      arena.removeStore(store);
      for (const each of keys) if (each.store === store) expected.delete(nameOf(each));
    }
    const other = keys[random() % keys.length] as Key;
    for (const each of [key, other]) expect(find(arena, each), `step ${step}`).toEqual(expected.get(nameOf(each)));
  }
  for (const each of keys) {
    expect(find(arena, each)).toEqual(expected.get(nameOf(each)));
    expect(find(grown(arena), each)).toEqual(expected.get(nameOf(each)));
  }
});

it('has room again for what was removed', () => {
  const arena = new Arena(SLOTS);
  const key = { store: 1, node: 1, tag: 0 };
  for (let i = 0; i < SLOTS; i++) {
    expect(arena.hasRoom(1)).toBe(true);
    add(arena, key, [7]);
    arena.remove(key.store, key.node, key.tag);
  }
});

it('takes lists as long as it was made for', () => {
  const words = 70;
  const list = Array.from({ length: words }, (_, place) => place);
  const taken = (arena: Arena): number => {
    let node = 0;
    for (; arena.hasRoom(words); node++) add(arena, { store: 1, node, tag: 0 }, list);
    for (let each = 0; each < node; each++) {
      expect(find(arena, { store: 1, node: each, tag: 0 })).toEqual(list);
      expect(find(grown(arena), { store: 1, node: each, tag: 0 })).toEqual(list);
    }
    return node;
  };
  // as many as of short ones, and with the room that lists of tuples have next to none
  expect(taken(new Arena(SLOTS, 48))).toBe(Math.floor(SLOTS * 0.65));
  expect(taken(new Arena(SLOTS))).toBeLessThan(8);
});
