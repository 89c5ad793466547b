import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Engine, parseTuple, type Store } from '../../../engine/index.ts';
import { NAME_BYTES_OF_TESTS, ScratchEngine } from '../scratch-engine.ts';

const DSL = `
model
  schema 1.1
type user
type team
  relations
    define member: [user, team#member]
    define lead: [user]
`;

const members = { object: 'team:t1', relation: 'member', subjectType: 'user', limit: 2 };
const teams = { type: 'team', relation: 'member', subject: 'user:u1', limit: 2 };

let scratch: ScratchEngine;
let store: Store;
let other: Store;

async function filled(name: string): Promise<Store> {
  const made = await scratch.engine.createStore(name);
  await made.writeModel({ dsl: DSL });
  const writes = [1, 2, 3, 4].flatMap((team) =>
    [1, 2, 3, 4].map((user) => parseTuple(`team:t${team}#member@user:u${user}`)),
  );
  await made.write({ writes });
  return made;
}

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  store = await filled('s');
  other = await filled('other');
});
afterAll(() => scratch.close());

/** Each kind of list with its first page, and how it goes on. */
const lists: {
  name: string;
  first: (from: Store) => { cursor?: string };
  next: (from: Store, cursor: string) => unknown;
}[] = [
  {
    name: 'objects',
    first: (from) => from.listObjects(teams),
    next: (from, cursor) => from.listObjects({ ...teams, cursor }).items,
  },
  {
    name: 'subjects',
    first: (from) => from.listSubjects(members),
    next: (from, cursor) => from.listSubjects({ ...members, cursor }).items,
  },
  {
    name: 'subjects with why',
    first: (from) => from.listSubjects({ ...members, explain: true }),
    next: (from, cursor) => from.listSubjects({ ...members, explain: true, cursor }).items,
  },
  {
    name: 'tuples',
    first: (from) => from.readTuples({ limit: 2 }),
    next: (from, cursor) => from.readTuples({ limit: 2, cursor }).tuples,
  },
  {
    name: 'tuples of a type',
    first: (from) => from.readTuples({ object: 'team:', limit: 2 }),
    next: (from, cursor) => from.readTuples({ object: 'team:', limit: 2, cursor }).tuples,
  },
];

const refused = expect.objectContaining({ code: 'invalid_cursor', details: { path: 'cursor' } });

describe('a cursor belongs to one list', () => {
  it('of objects', () => {
    const { items, cursor = '' } = store.listObjects(teams);
    expect([...items, ...store.listObjects({ ...teams, cursor }).items]).toHaveLength(4);
    expect(() => other.listObjects({ ...teams, cursor })).toThrow(refused);
    for (const change of [{ subject: 'user:u2' }, { relation: 'lead' }, { type: 'user', relation: 'member' }]) {
      expect(() => store.listObjects({ ...teams, ...change, cursor })).toThrow(refused);
    }
  });

  it('of subjects', () => {
    const { items, cursor = '' } = store.listSubjects(members);
    expect([...items, ...store.listSubjects({ ...members, cursor }).items]).toHaveLength(4);
    expect(() => other.listSubjects({ ...members, cursor })).toThrow(refused);
    for (const change of [
      { object: 'team:t2' },
      { relation: 'lead' },
      { subjectType: 'team', subjectRelation: 'member' },
    ]) {
      expect(() => store.listSubjects({ ...members, ...change, cursor })).toThrow(refused);
    }
    expect(() => store.listObjects({ ...teams, cursor })).toThrow(refused);
  });

  it('of subjects with why, whose size does not matter', () => {
    const { cursor = '' } = store.listSubjects({ ...members, explain: true });
    const rest = store.listSubjects({ ...members, explain: true, limit: 50, cursor });
    expect(rest.items).toEqual(store.listSubjects({ ...members, cursor }).items);
    expect(rest.items).toHaveLength(2);
  });

  it.each(['', 'made up', 'AQAAABA', 'A'.repeat(16), '€'])('not %j', (cursor) => {
    expect(() => store.listObjects({ ...teams, cursor })).toThrow(refused);
    expect(() => store.listSubjects({ ...members, cursor })).toThrow(refused);
  });
});

describe('a cursor belongs to one log', () => {
  it('and a restored copy is another one', async () => {
    const path = await mkdtemp(join(tmpdir(), 'relata-copy-'));
    try {
      const cursors = lists.map(({ first }) => first(store).cursor ?? '');
      await scratch.engine.backup(join(path, 'copy'));
      const copy = await Engine.open({ path: join(path, 'copy'), nameBytes: NAME_BYTES_OF_TESTS });
      try {
        const restored = copy.store('s');
        for (const [at, { name, first, next }] of lists.entries()) {
          const cursor = cursors[at] as string;
          expect(next(store, cursor), name).toHaveLength(2);
          const replaced = { code: 'log_replaced', message: expect.stringMatching(/backup was restored/) };
          expect(() => next(restored, cursor), name).toThrow(expect.objectContaining(replaced));
          expect(() => next(copy.store('other'), cursor), name).toThrow(refused);
          expect(next(restored, first(restored).cursor ?? ''), name).toHaveLength(2);
        }
      } finally {
        await copy.close();
      }
    } finally {
      await rm(path, { recursive: true, force: true });
    }
  });
});
