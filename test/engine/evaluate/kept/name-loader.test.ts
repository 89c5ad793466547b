import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NameLoader } from '../../../../engine/evaluate/kept/name-loader.ts';
import { readHead } from '../../../../engine/store/catalog.ts';
import { openTables, type Tables } from '../../../../engine/store/environment.ts';
import { NameTable } from '../../../../engine/store/name-table.ts';
import { ScratchEngine } from '../../scratch-engine.ts';

const MODEL = { dsl: 'model\n  schema 1.1\ntype user\ntype doc\n  relations\n    define viewer: [user]' };
const LARGE = 12_000;
const SMALL = 50;
const PER_WRITE = 1_000;
const SLOT_BYTES = 64;

let scratch: ScratchEngine;
let tables: Tables;

async function fill(name: string, docs: number): Promise<void> {
  const store = await scratch.engine.createStore(name);
  await store.writeModel(MODEL);
  for (let from = 0; from < docs; from += PER_WRITE) {
    const count = Math.min(PER_WRITE, docs - from);
    const writes = Array.from({ length: count }, (_, place) => ({
      object: `doc:${from + place}`,
      relation: 'viewer',
      subject: 'user:anne',
    }));
    await store.write({ writes });
  }
}

function numberOf(store: string): number {
  return readHead(tables, store)?.number ?? Number.NaN;
}

/** How many of the names of a store are known, each by its own node. */
function knownOf(names: NameTable, store: string): number {
  const number = numberOf(store);
  let known = 0;
  for (const { key, value } of tables.names.getRange({})) {
    if (key.readUInt32BE(0) !== number) continue;
    const node = names.get(number, key.toString('utf8', 4));
    if (node !== 0) expect(node).toBe(value.readUInt32BE(0));
    if (node !== 0) known++;
  }
  return known;
}

function loadAll(names: NameTable, most: number, limit = 777): number {
  const loader = new NameLoader(tables, names, most);
  let steps = 1;
  while (loader.step(limit)) steps++;
  return steps;
}

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  await fill('first', LARGE);
  await fill('small', SMALL);
  await fill('second', LARGE + PER_WRITE);
  await fill('gone', LARGE);
  await scratch.engine.deleteStore('gone');
  tables = openTables({ path: scratch.path, readOnly: true });
}, 120_000);

afterAll(async () => {
  await tables.root.close();
  await scratch.close();
});

describe('names that are loaded before anybody asks', () => {
  it('are all of those of large stores, for every thread, and none of small or deleted ones', () => {
    const shared = NameTable.allocate(2 ** 24);
    const steps = loadAll(new NameTable(shared), 1_000_000);
    const other = new NameTable(shared);
    expect(knownOf(other, 'first')).toBe(LARGE + 1);
    expect(knownOf(other, 'second')).toBe(LARGE + PER_WRITE + 1);
    expect(knownOf(other, 'small')).toBe(0);
    expect(knownOf(other, 'gone')).toBe(0);
    expect(steps).toBeGreaterThan((2 * LARGE) / 777);
  });

  it.each([1, 776, 777, 778, LARGE, LARGE + PER_WRITE + 1, LARGE + PER_WRITE + 2])('are %i at most', (most) => {
    const names = new NameTable(NameTable.allocate(2 ** 24));
    loadAll(names, most);
    const [first, second] = [knownOf(names, 'first'), knownOf(names, 'second')];
    expect(first + second).toBeLessThanOrEqual(most);
    // one in some ten thousand finds no free slot near its own, and is left to who asks for it
    expect(first + second).toBeGreaterThan(most - 5);
    // the largest store comes first
    expect(second).toBeGreaterThan(Math.min(most, LARGE + PER_WRITE + 1) - 5);
  });

  it('leave room for those that are asked for', () => {
    const slots = 1024;
    // of which the last level has all but the 64, 128 and 256 of those before it
    const names = new NameTable(NameTable.allocate((slots + 448) * SLOT_BYTES));
    loadAll(names, 1_000_000);
    const known = knownOf(names, 'second');
    expect(known).toBeGreaterThan(slots * 0.4);
    expect(known).toBeLessThan(slots * 0.6);
  });

  it('are known to an engine as those that it looked for', () => {
    const step = scratch.engine.nameLoader(1_000_000);
    while (step(1_000));
    const store = scratch.engine.store('second');
    const outcomes = ['doc:0', `doc:${LARGE}`, 'doc:none'].map(
      (object) => store.check({ object, relation: 'viewer', subject: 'user:anne' }).outcome,
    );
    expect(outcomes).toEqual(['allowed', 'allowed', 'denied']);
  });
});
