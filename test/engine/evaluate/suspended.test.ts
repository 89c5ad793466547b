import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Engine, parseTuple, type Store } from '../../../engine/index.ts';
import { ScratchEngine } from '../scratch-engine.ts';

const DSL = `
model
  schema 1.1
type user
  relations
    define delegate: [user]
type team
  relations
    define member: [user, user:*, team#member]
type doc
  relations
    define owner: [user]
    define viewer: [user, user:*, team#member, user with recent] or delegate from owner
    define reader: viewer but not banned
    define banned: [user]
condition recent(age: int) {
  age < 10
}
`;

let scratch: ScratchEngine;
let engine: Engine;
let store: Store;

beforeEach(async () => {
  scratch = await ScratchEngine.open();
  engine = scratch.engine;
  store = await engine.createStore('s');
  await store.writeModel({ dsl: DSL });
});

afterEach(() => scratch.close());

const write = (...texts: string[]) => store.write({ writes: texts.map(parseTuple) });
const suspend = (...subjects: string[]) => change('suspend_subject', subjects);
const restore = (...subjects: string[]) => change('restore_subject', subjects);
const change = (op: 'suspend_subject' | 'restore_subject', subjects: string[]) =>
  engine.submit(engine.command(subjects.map((subject) => ({ op, store: 's', subject }))));
const outcome = (text: string) => store.check(parseTuple(text)).outcome;
const subjectsOf = (object: string, relation: string, limit = 1000): string[] => {
  const items: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const more = cursor === undefined ? {} : { cursor };
    const page = store.listSubjects({ object, relation, subjectType: 'user', limit, ...more });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    items.push(...page.items);
    if (page.cursor === undefined) return items;
    cursor = page.cursor;
  }
};

describe('a suspended subject', () => {
  it.each([
    { name: 'a tuple of its own', given: ['doc:1#viewer@user:ann'] },
    { name: 'a wildcard', given: ['doc:1#viewer@user:*'] },
    { name: 'a userset that contains it', given: ['doc:1#viewer@team:a#member', 'team:a#member@user:ann'] },
    { name: 'a parent', given: ['doc:1#owner@user:bob', 'user:bob#delegate@user:ann'] },
  ])('is denied what it has by $name, until it is restored', async ({ given }) => {
    await write(...given);
    expect(outcome('doc:1#viewer@user:ann')).toBe('allowed');
    await suspend('user:ann');
    expect(outcome('doc:1#viewer@user:ann')).toBe('denied');
    expect(outcome('doc:1#reader@user:ann')).toBe('denied');
    await restore('user:ann');
    expect(outcome('doc:1#viewer@user:ann')).toBe('allowed');
  });

  it('is denied what only contextual tuples give, and is not conditional', async () => {
    await suspend('user:ann');
    const question = { object: 'doc:1', relation: 'viewer', subject: 'user:ann' };
    const contextual = parseTuple('doc:1#viewer@user:ann');
    expect(store.check({ ...question, contextualTuples: [contextual] })).toEqual({ outcome: 'denied' });
    const conditional = { ...contextual, condition: { name: 'recent' } };
    expect(store.check({ ...question, contextualTuples: [conditional] })).toEqual({ outcome: 'denied' });
  });

  it('is denied in bulk, beside others and beside itself', async () => {
    await write('doc:1#viewer@user:ann', 'doc:1#viewer@user:bob', 'doc:2#viewer@user:ann');
    await suspend('user:ann');
    const texts = ['doc:1#viewer@user:ann', 'doc:2#viewer@user:ann', 'doc:1#viewer@user:bob', 'doc:2#viewer@user:ann'];
    const outcomes = store.checkMany(texts.map(parseTuple)).map((answer) => answer.outcome);
    expect(outcomes).toEqual(['denied', 'denied', 'allowed', 'denied']);
  });

  it('is told why', async () => {
    await write('doc:1#viewer@user:ann');
    await suspend('user:ann');
    expect(store.explain(parseTuple('doc:1#viewer@user:ann'))).toEqual({
      question: 'doc:1#viewer@user:ann',
      outcome: 'denied',
      rule: 'suspended',
    });
  });

  it('still gets the error of a question that cannot be asked', async () => {
    await suspend('user:ann');
    expect(() => outcome('doc:1#lost@user:ann')).toThrow(expect.objectContaining({ code: 'unknown_relation' }));
    expect(() => store.explain(parseTuple('doc:1#lost@user:ann'))).toThrow(
      expect.objectContaining({ code: 'unknown_relation' }),
    );
    expect(() => store.listObjects({ type: 'doc', relation: 'lost', subject: 'user:ann' })).toThrow(
      expect.objectContaining({ code: 'unknown_relation' }),
    );
  });

  it('has no objects, and is not expanded to', async () => {
    await write('doc:1#viewer@user:ann', 'doc:1#viewer@user:bob', 'doc:2#viewer@user:*');
    await suspend('user:ann');
    const listed = (subject: string) => store.listObjects({ type: 'doc', relation: 'viewer', subject }).items;
    expect(listed('user:ann')).toEqual([]);
    expect(listed('user:bob')).toEqual(['doc:1', 'doc:2']);
    expect(store.expand({ object: 'doc:1', relation: 'banned' })).toMatchObject({ subjects: [] });
    expect(JSON.stringify(store.expand({ object: 'doc:1', relation: 'viewer' }))).not.toContain('user:ann');
    expect(JSON.stringify(store.expand({ object: 'doc:1', relation: 'viewer' }))).toContain('user:bob');
  });

  it.each([1, 2, 3, 1000])('is in no list of subjects, and pages of %i are complete without it', async (limit) => {
    const ids = Array.from({ length: 20 }, (_, i) => `user:${i}`);
    await write(...ids.map((id) => `doc:1#viewer@${id}`), 'doc:1#viewer@user:*');
    const gone = ids.filter((_, i) => i % 4 !== 3);
    await suspend(...gone);
    const left = ids.filter((id) => !gone.includes(id));
    expect(subjectsOf('doc:1', 'viewer', limit).toSorted()).toEqual(['user:*', ...left].toSorted());
    expect(subjectsOf('doc:1', 'reader', limit).toSorted()).toEqual(['user:*', ...left].toSorted());
  });

  it('counts as before where it is a userset, a wildcard or a parent of others', async () => {
    await write('doc:1#viewer@team:a#member', 'team:a#member@user:bob', 'doc:2#owner@user:ann');
    await write('user:ann#delegate@user:bob');
    await suspend('team:a', 'user:ann');
    expect(outcome('doc:1#viewer@user:bob')).toBe('allowed');
    expect(outcome('doc:1#viewer@team:a#member')).toBe('allowed');
    expect(outcome('doc:2#viewer@user:bob')).toBe('allowed');
    const request = { object: 'doc:1', relation: 'viewer', subjectType: 'team', subjectRelation: 'member' };
    expect(store.listSubjects(request).items).toEqual(['team:a#member']);
    expect(store.expand({ object: 'doc:1', relation: 'viewer' })).toMatchObject({
      children: [{ subjects: ['team:a#member'] }, {}],
    });
  });

  it('is known by its name, and by no other', async () => {
    await suspend('user:ann');
    expect(store.isSuspended('user:ann')).toBe(true);
    for (const other of ['user:bob', 'team:ann', 'user:an', 'user:anne']) expect(store.isSuspended(other)).toBe(false);
    expect(() => store.isSuspended('user:*')).toThrow(expect.objectContaining({ code: 'invalid_tuple' }));
    expect(() => store.isSuspended('team:a#member')).toThrow(expect.objectContaining({ code: 'invalid_tuple' }));
  });
});

it('follows a hundred thousand of them, in lists too', { timeout: 180_000 }, async () => {
  const ids = Array.from({ length: 100_000 }, (_, i) => `user:${i}`);
  await suspend(...ids);
  await write('doc:1#viewer@user:99999', 'doc:1#viewer@user:*', 'doc:1#viewer@user:new');
  expect(outcome('doc:1#viewer@user:99999')).toBe('denied');
  expect(outcome('doc:1#viewer@user:new')).toBe('allowed');
  expect(subjectsOf('doc:1', 'viewer', 1)).toEqual(['user:*', 'user:new']);
  await restore(...ids.slice(50_000));
  expect(outcome('doc:1#viewer@user:99999')).toBe('allowed');
  expect(outcome('doc:1#viewer@user:49999')).toBe('denied');
  await scratch.reopen();
  store = scratch.engine.store('s');
  expect(outcome('doc:1#viewer@user:99999')).toBe('allowed');
  expect(outcome('doc:1#viewer@user:49999')).toBe('denied');
});
