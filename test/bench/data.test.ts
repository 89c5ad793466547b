import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store, Tuple } from '#engine';
import type { DataSet, Questions } from '../../bench/data/data-set.ts';
import { Deep } from '../../bench/data/deep.ts';
import { Drive } from '../../bench/data/drive/drive.ts';
import { Hosting } from '../../bench/data/hosting/hosting.ts';
import { withoutRepetition } from '../../bench/data/questions.ts';
import { Random } from '../../bench/data/random.ts';
import { Rbac } from '../../bench/data/rbac.ts';
import { Wide } from '../../bench/data/wide.ts';
import { ScratchEngine } from '../engine/scratch-engine.ts';

const rbacSize = { users: 200, roles: 20, permissions: 100, rolesPerUser: 3, permissionsPerRole: 5 };
const drive = new Drive(4_000);
const hosting = new Hosting({ users: 300, teams: 40, repositories: 200 });
const deep = new Deep({ chains: 10, membersPerChain: 20 });
const wide = new Wide({ groups: 200, users: 800 });
const rbac = new Rbac(rbacSize);

const cases: readonly { name: string; data: DataSet; questions: (count: number) => Questions }[] = [
  { name: 'drive, nested', data: drive, questions: (count) => drive.nested(count) },
  { name: 'drive, direct', data: drive, questions: (count) => drive.direct(count) },
  { name: 'drive, pages', data: drive, questions: (count) => drive.pages(count / 20, 20) },
  { name: 'hosting', data: hosting, questions: (count) => hosting.questions(count) },
  { name: 'rbac', data: rbac, questions: (count) => rbac.questions(count) },
  { name: 'wide', data: wide, questions: (count) => wide.questions(count) },
  { name: 'deep', data: deep, questions: (count) => deep.questions(count) },
];

function tuplesOf(data: DataSet): Tuple[] {
  const tuples: Tuple[] = [];
  for (const _ of data.tuples((object, relation, subject) => tuples.push({ object, relation, subject })));
  return tuples;
}

describe.each(cases)('$name', ({ name, data, questions }) => {
  const count = 400;
  let store: Store;
  let scratch: ScratchEngine;

  beforeAll(async () => {
    scratch = await ScratchEngine.open();
    store = await scratch.engine.createStore(name);
    await store.writeModel({ dsl: data.dsl });
    const tuples = tuplesOf(data);
    for (let from = 0; from < tuples.length; from += 1_000)
      await store.write({ writes: tuples.slice(from, from + 1_000) });
  });
  afterAll(() => scratch.close());

  it('asks distinct questions, half of them allowed, the same each time', () => {
    const { requests, expected } = questions(count);
    expect(requests).toHaveLength(count);
    expect(new Set(requests.map((request) => JSON.stringify(request))).size).toBe(count);
    expect(expected.reduce((sum, each) => sum + each, 0)).toBe(count / 2);
    expect(questions(count)).toEqual({ requests, expected });
  });

  it('knows what the engine answers, with its noise and without', async () => {
    const { requests, expected } = questions(count);
    const answers = (): number[] => requests.map((each) => (store.check(each).outcome === 'allowed' ? 1 : 0));
    expect(answers()).toEqual([...expected]);
    await store.write({ writes: Array.from({ length: 50 }, (_, number) => data.noise(number * 7)) });
    expect(answers()).toEqual([...expected]);
  });
});

describe('a drive', () => {
  it('has as many tuples as it was asked for', () => {
    expect(tuplesOf(new Drive(10_000))).toHaveLength(10_000);
  });

  it('knows what a user can view, by walking from either end', () => {
    for (const user of [0, 7, 33, drive.shape.auditor]) {
      const one = drive.access.viewable(user);
      const each = Array.from({ length: drive.shape.documents }, (_, document) => document);
      expect(one).toEqual(each.filter((document) => drive.access.canView(document, user)));
    }
  });

  it('asks page after page for one user, half of each allowed', () => {
    const { requests, expected } = drive.pages(5, 20);
    expect(requests).toHaveLength(100);
    const subjects = requests.map(({ subject }) => subject);
    for (let page = 0; page < 100; page += 20) {
      expect(new Set(subjects.slice(page, page + 20)).size).toBe(1);
      expect(expected.slice(page, page + 20).reduce((sum, each) => sum + each, 0)).toBe(10);
    }
  });

  it('makes the same tuples each time', () => {
    expect(tuplesOf(new Drive(4_000))).toEqual(tuplesOf(drive));
  });
});

describe('a role-based set', () => {
  it('has the grants that it is known by', () => {
    expect(tuplesOf(new Rbac())).toHaveLength(110_000);
  });
});

describe('withoutRepetition', () => {
  it('names nothing twice', () => {
    const { requests, expected } = withoutRepetition(drive.nested(300), 20);
    expect(requests).toHaveLength(20);
    expect(expected).toHaveLength(20);
    expect(new Set(requests.map(({ object }) => object)).size).toBe(20);
    expect(new Set(requests.map(({ subject }) => subject)).size).toBe(20);
  });
});

describe('Random', () => {
  it('spreads over its range', () => {
    const random = new Random(1);
    const counts = new Array<number>(10).fill(0);
    for (let i = 0; i < 10_000; i++) {
      const place = random.below(10);
      counts[place] = (counts[place] ?? 0) + 1;
    }
    for (const count of counts) expect(count).toBeGreaterThan(800);
  });
});
