import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Change, parseTuple, type Store } from '../../../engine/index.ts';
import { leastCpuMs } from '../../platform/cpu-ms.ts';
import { ScratchEngine } from '../scratch-engine.ts';

const dsl = [
  'model',
  '  schema 1.1',
  'type user',
  'type team',
  '  relations',
  '    define member: [user, team#member]',
  'type doc',
  '  relations',
  '    define banned: [user, team#member]',
  '    define reader: [user, user:*, team#member, user with late] but not banned',
  'condition late(hour: int) {',
  '  hour > 20',
  '}',
].join('\n');

let scratch: ScratchEngine;
let store: Store;

beforeEach(async () => {
  scratch = await ScratchEngine.open();
  store = await scratch.engine.createStore('s');
  await store.writeModel({ dsl });
});
afterEach(() => scratch.close());

const question = { object: 'doc:d', relation: 'reader', subject: 'user:u' };
const tuples = (...texts: string[]) => texts.map(parseTuple);

function model(text: string): Change {
  const source = { dsl: text };
  const { json, kinds } = store.prepareModel(source);
  return { op: 'write_model', store: 's', model: { id: 'next', source, json, kinds } };
}

describe('a check after changes that are not made', () => {
  const late = { ...parseTuple('doc:d#reader@user:u'), condition: { name: 'late' } };
  const cases: [name: string, stored: string[], changes: () => Change[], outcome: string][] = [
    ['nothing', ['doc:d#reader@user:u'], () => [], 'allowed'],
    [
      'a tuple that is written',
      [],
      () => [{ op: 'write_tuples', store: 's', tuples: tuples('doc:d#reader@user:u') }],
      'allowed',
    ],
    [
      'a tuple of another store',
      [],
      () => [{ op: 'write_tuples', store: 't', tuples: tuples('doc:d#reader@user:u') }],
      'denied',
    ],
    [
      'a tuple that gets a condition',
      ['doc:d#reader@user:u'],
      () => [{ op: 'write_tuples', store: 's', tuples: [late] }],
      'conditional',
    ],
    [
      'a tuple that the model does not allow',
      [],
      () => [{ op: 'write_tuples', store: 's', tuples: tuples('doc:d#owner@user:u', 'doc:d#reader@doc:u') }],
      'denied',
    ],
    [
      'a tuple that is deleted, whatever else it has',
      ['doc:d#reader@user:u'],
      () => [{ op: 'delete_tuples', store: 's', tuples: tuples('doc:d#reader@user:u') }],
      'denied',
    ],
    [
      'a wildcard that is deleted',
      ['doc:d#reader@user:*'],
      () => [{ op: 'delete_tuples', store: 's', tuples: tuples('doc:d#reader@user:*') }],
      'denied',
    ],
    [
      'a ban that is lifted',
      ['doc:d#reader@user:u', 'doc:d#banned@user:u'],
      () => [{ op: 'delete_tuples', store: 's', tuples: tuples('doc:d#banned@user:u') }],
      'allowed',
    ],
    [
      'a team that is deleted on the way',
      ['doc:d#reader@team:a#member', 'team:a#member@team:b#member', 'team:b#member@user:u'],
      () => [{ op: 'delete_object', store: 's', object: 'team:b' }],
      'denied',
    ],
    [
      'a team that is made again by the same command',
      ['doc:d#reader@team:a#member', 'team:a#member@user:u'],
      () => [
        { op: 'write_tuples', store: 's', tuples: tuples('team:a#member@user:w') },
        { op: 'delete_object', store: 's', object: 'team:a' },
        { op: 'write_tuples', store: 's', tuples: tuples('doc:d#reader@team:a#member', 'team:a#member@user:u') },
      ],
      'allowed',
    ],
    [
      'the object itself deleted',
      ['doc:d#reader@user:u'],
      () => [
        { op: 'write_tuples', store: 's', tuples: tuples('doc:d#reader@user:*') },
        { op: 'delete_object', store: 's', object: 'doc:d' },
      ],
      'denied',
    ],
    [
      'a subject that is suspended',
      ['doc:d#reader@user:u'],
      () => [{ op: 'suspend_subject', store: 's', subject: 'user:u' }],
      'denied',
    ],
    [
      'a model that bans',
      ['doc:d#reader@team:a#member', 'team:a#member@user:u'],
      () => [
        model(dsl.replace('reader: [user, user:*, team#member, user with late] but not banned', 'reader: [user]')),
      ],
      'denied',
    ],
    [
      'a model with relations and types that the store has never seen, and a tuple of theirs',
      [],
      () => [
        model(
          dsl
            .replace('type doc', 'type zoo\n  relations\n    define cat: [user]\ntype doc')
            .replace('user, user:*', 'user, user:*, zoo#cat'),
        ),
        { op: 'write_tuples', store: 's', tuples: tuples('doc:d#reader@zoo:z#cat', 'zoo:z#cat@user:u') },
      ],
      'allowed',
    ],
  ];

  test.each(cases)('%s', async (_, stored, changes, outcome) => {
    if (stored.length > 0) await store.write({ writes: tuples(...stored) });
    const before = store.check(question).outcome;
    const list = changes();
    expect(store.checkAfter(list, question).outcome).toBe(outcome);
    // and nothing was changed by asking
    expect(store.check(question).outcome).toBe(before);
    await scratch.engine.createStore('t').then((other) => other.writeModel({ dsl }));
    const fitting = list.filter((change) => change.op !== 'write_tuples' || !JSON.stringify(change).includes('doc:u'));
    await scratch.engine.submit(scratch.engine.command(fitting));
    expect(store.check(question).outcome).toBe(outcome);
  });

  test('a subject that was suspended and is restored', async () => {
    await store.write({ writes: tuples('doc:d#reader@user:u') });
    const change = (op: 'suspend_subject' | 'restore_subject'): Change => ({ op, store: 's', subject: 'user:u' });
    await scratch.engine.submit(scratch.engine.command([change('suspend_subject')]));
    expect(store.check(question).outcome).toBe('denied');
    expect(store.checkAfter([change('restore_subject')], question).outcome).toBe('allowed');
    expect(store.checkAfter([], question).outcome).toBe('denied');
  });
});

test('a model is compiled once for all questions about it', () => {
  const filler = Array.from({ length: 25 }, (_, type) => [
    `type t${type}`,
    '  relations',
    ...Array.from({ length: 90 }, (_, relation) => `    define r${relation}: [user]`),
  ]);
  const big = dsl.replace('condition late', `${filler.flat().join('\n')}\ncondition late`);
  const ask = (changes: Change[], count: number): void => {
    for (let i = 0; i < count; i++) {
      expect(store.checkAfter(changes, { ...question, subject: `user:${i}` }).outcome).toBe('denied');
    }
  };
  const prepared = model(big) as Extract<Change, { op: 'write_model' }>;
  const anew = (): Change[] => [{ ...prepared, model: { ...prepared.model } }];
  const one = leastCpuMs(() => ask(anew(), 1));
  expect(leastCpuMs(() => ask(anew(), 20))).toBeLessThan(one * 5);
});

test('what a model was compiled to is not used once the store has new relations', async () => {
  await store.write({ writes: tuples('doc:d#reader@user:u') });
  const changes = [model(dsl.replace('define banned', 'define shunned: [user]\n    define banned'))];
  expect(store.checkAfter(changes, question).outcome).toBe('allowed');
  await store.writeModel({ dsl: dsl.replace('define banned', 'define owner: [user]\n    define banned') });
  await store.write({ writes: tuples('doc:d#owner@user:u') });
  expect(store.checkAfter(changes, question).outcome).toBe('allowed');
  expect(store.checkAfter(changes, { ...question, relation: 'shunned' }).outcome).toBe('denied');
});
