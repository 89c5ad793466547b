import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store, Tuple } from '#engine';
import { groupName, People, roleSlug } from '../../bench/data/people/people.ts';
import { FEW_PEOPLE } from '../../bench/data/people/people-shape.ts';
import { isExpected } from '../../bench/http/people/list-case.ts';
import { ScratchEngine } from '../engine/scratch-engine.ts';

const people = new People(FEW_PEOPLE);
const dsl = readFileSync(new URL('../../config/system.fga', import.meta.url), 'utf8');

describe('the people of the benchmarks', () => {
  let scratch: ScratchEngine;
  let store: Store;

  beforeAll(async () => {
    scratch = await ScratchEngine.open();
    store = await scratch.engine.createStore('people');
    await store.writeModel({ dsl });
    const writes: Tuple[] = [];
    for (const _ of people.tuples((object, relation, subject) => writes.push({ object, relation, subject })));
    for (let from = 0; from < writes.length; from += 1_000)
      await store.write({ writes: writes.slice(from, from + 1_000) });
  });
  afterAll(() => scratch.close());

  it('are the same each time, and no two have an id or an address in common', () => {
    const again = new People(FEW_PEOPLE);
    expect(again.persons).toEqual(people.persons);
    expect(again.userIds).toEqual(people.userIds);
    expect(new Set(people.userIds).size).toBe(FEW_PEOPLE.users);
    expect(new Set(people.persons.map(({ email }) => email)).size).toBe(FEW_PEOPLE.users);
    expect(people.userIds.toSorted()).toEqual(people.userIds);
  });

  it('know what the engine answers', () => {
    const { requests, expected } = people.questions(400);
    expect(new Set(requests.map((request) => JSON.stringify(request))).size).toBe(400);
    expect(expected.reduce((sum, each) => sum + each, 0)).toBe(200);
    const answers = requests.map((request) => (store.check(request).outcome === 'allowed' ? 1 : 0));
    expect(answers).toEqual([...expected]);
  });

  it('hold what their roles give', () => {
    for (const [user] of people.persons.entries()) {
      const [slug] = people.permissionsHeldBy(user);
      const request = { object: `permission:${slug}`, relation: 'granted', subject: people.userSubject(user) };
      expect(store.check(request).outcome).toBe('allowed');
    }
  });

  it('are as many in each group and role as the tuples say', () => {
    const inGroup = people.count((_, user) => people.shape.groupsOf(user).includes(0));
    const object = `group:${groupName(0)}`;
    expect(store.countSubjects({ object, relation: 'member', subjectType: 'user' })).toBe(inGroup);
    const role = { object: `role:${roleSlug(0)}`, relation: 'assignee', subjectType: 'user' };
    expect(store.countSubjects(role)).toBe(FEW_PEOPLE.users);
    expect(people.count(({ isBlocked }) => isBlocked)).toBe(FEW_PEOPLE.users / FEW_PEOPLE.blockedEvery);
  });
});

describe('an answer of a list', () => {
  const items = [{ email: 'ada' }, { email: 'bob' }];
  const text = JSON.stringify({ data: items, meta: { total: 7 } });
  const order = { by: 'email', descending: false };

  it('is the expected one', () => {
    expect(isExpected(text, { total: 7, items: 2, order, each: ({ email }) => email !== 'eve' })).toBe(true);
    expect(isExpected(JSON.stringify({ data: items, pagination: { total: 7 } }), { total: 7, items: 2 })).toBe(true);
    expect(isExpected('{"data":{"total":3}}', { value: { total: 3 } })).toBe(true);
  });

  it.each([
    ['another total', { total: 8, items: 2 }],
    ['another number of items', { total: 7, items: 3 }],
    ['an item that does not belong', { total: 7, items: 2, each: ({ email }: { email?: unknown }) => email === 'ada' }],
    ['another order', { total: 7, items: 2, order: { by: 'email', descending: true } }],
    ['another value', { value: { total: 4 } }],
  ])('is refused with %s', (_, expected) => {
    expect(isExpected(text, expected)).toBe(false);
  });
});
