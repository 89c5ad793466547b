import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../engine/index.ts';
import { ScratchEngine } from '../scratch-engine.ts';

let scratch: ScratchEngine;
let store: Store;

beforeEach(async () => {
  scratch = await ScratchEngine.open();
  store = await scratch.engine.createStore('s');
  await store.writeModel({
    dsl: `model
  schema 1.1
type user
type group
  relations
    define member: [user]
type page
  relations
    define public: [user:*]
    define banned: [user, group#member]
    define pardoned: [user]
    define blocked: banned but not pardoned
    define reader: [user, user:*] but not blocked
    define checked: reader and public
`,
  });
});
afterEach(() => scratch.close());

const tuple = (text: string) => {
  const [, object = '', relation = '', subject = ''] = /^(.+?)#(.+?)@(.+)$/.exec(text) ?? [];
  return { object, relation, subject };
};
const question = { object: 'page:p', relation: 'reader', subjectType: 'user' };

it('tells who an exclusion takes away beside a wildcard, through groups and nested exclusions', async () => {
  await store.write({
    writes: [
      ...['reader@user:*', 'reader@user:ann', 'banned@user:bob', 'banned@group:g#member', 'pardoned@user:dan'],
      ...['banned@user:dan', 'public@user:*'],
    ]
      .map((text) => `page:p#${text}`)
      .concat('group:g#member@user:cat')
      .map(tuple),
  });
  const page = store.listSubjects({ ...question, excluded: true });
  expect(page.items.toSorted()).toEqual(['user:*', 'user:ann', 'user:dan']);
  expect(page.excluded?.toSorted()).toEqual(['user:bob', 'user:cat']);
  expect(store.listSubjects({ ...question, relation: 'checked', excluded: true })).toMatchObject({
    items: expect.arrayContaining(['user:*']),
    excluded: expect.arrayContaining(['user:bob', 'user:cat']),
  });
  expect(store.listSubjects(question)).not.toHaveProperty('excluded');
});

it('excludes nobody where the wildcard is denied, or usersets are asked for', async () => {
  await store.write({ writes: ['page:p#reader@user:ann', 'page:p#banned@user:bob'].map(tuple) });
  expect(store.listSubjects({ ...question, excluded: true })).toEqual({
    items: ['user:ann'],
    conditional: [],
    excluded: [],
  });
  const groups = { ...question, subjectType: 'group', subjectRelation: 'member', excluded: true };
  expect(store.listSubjects(groups)).toEqual({ items: [], conditional: [], excluded: [] });
});

it('counts the excluded against the limit, and lists each once', async () => {
  const users = Array.from({ length: 25 }, (_, i) => `page:p#banned@user:u${i}`);
  await store.write({ writes: ['page:p#reader@user:*', ...users].map(tuple) });
  const excluded: string[] = [];
  for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages++) {
    const page = store.listSubjects({ ...question, excluded: true, limit: 4, cursor });
    expect(page.items.length + (page.excluded?.length ?? 0)).toBeLessThanOrEqual(4);
    excluded.push(...(page.excluded ?? []));
    ({ cursor } = page);
  }
  expect(excluded).toHaveLength(25);
  expect(new Set(excluded).size).toBe(25);
});

it('says why each is listed, in the form of an explained check', async () => {
  const writes = ['page:p#reader@user:*', 'page:p#reader@user:ann', 'page:p#banned@user:bob'].map(tuple);
  await store.write({ writes });
  const { items, excluded, explanations } = store.listSubjects({ ...question, excluded: true, explain: true });
  expect(explanations?.map(({ item }) => item).toSorted()).toEqual([...items, ...(excluded ?? [])].toSorted());
  for (const { item, explanation } of explanations ?? []) {
    expect(explanation).toEqual(store.explain({ object: 'page:p', relation: 'reader', subject: item }));
    expect(explanation?.outcome).toBe(item === 'user:bob' ? 'denied' : 'allowed');
  }
});

it('bounds what it explains: in number, and in size', async () => {
  const wide = Array.from({ length: 90 }, (_, i) => `page:p#reader@user:u${i}`);
  await store.write({ writes: ['page:p#public@user:*', ...wide].map(tuple) });
  expect(() => store.listSubjects({ ...question, explain: true, limit: 101 })).toThrow(/from 1 to 100/);
  const page = store.listSubjects({ ...question, explain: true });
  expect(page.items).toHaveLength(90);
  await store.writeModel({ dsl: wideModel(60) });
  const relations = Array.from({ length: 60 }, (_, i) => `r${i}`);
  const users = Array.from({ length: 25 }, (_, i) => `user:u${i}`);
  const all = relations.flatMap((relation) => users.map((user) => `page:w#${relation}@${user}`));
  for (let at = 0; at < all.length; at += 100) await store.write({ writes: all.slice(at, at + 100).map(tuple) });
  const whole: string[] = [];
  let pages = 0;
  for (let cursor: string | undefined; pages === 0 || cursor !== undefined; pages++) {
    const explained = store.listSubjects({ ...question, object: 'page:w', relation: 'all', explain: true, cursor });
    expect(explained.explanations).toHaveLength(explained.items.length);
    whole.push(...explained.items);
    ({ cursor } = explained);
  }
  expect(pages).toBeGreaterThan(1);
  expect(whole.toSorted()).toEqual(users.toSorted());
});

/** A relation that holds by so many others at once. */
function wideModel(count: number): string {
  const names = Array.from({ length: count }, (_, i) => `r${i}`);
  return `model
  schema 1.1
type user
type page
  relations
${names.map((name) => `    define ${name}: [user]`).join('\n')}
    define all: ${names.join(' and ')}
`;
}
