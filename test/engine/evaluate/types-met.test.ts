import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../engine/index.ts';
import { ScratchEngine } from '../scratch-engine.ts';

/** More types than a thread keeps at hand, each the beginning of another's name. */
const TYPES = Array.from({ length: 9 }, (_, number) => 'type'.padEnd(5 + number, 'x'));

describe('questions about many types in turn', () => {
  let scratch: ScratchEngine;
  let store: Store;
  const outcome = (object: string, subject: string): string => {
    try {
      return store.check({ object, relation: 'rel', subject }).outcome;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  beforeEach(async () => {
    scratch = await ScratchEngine.open();
    store = await scratch.engine.createStore('s');
    const relations = TYPES.map((type) => `type ${type}\n  relations\n    define rel: [${TYPES.join(', ')}]`);
    await store.writeModel({ dsl: `model\n  schema 1.1\n${relations.join('\n')}` });
    const writes = TYPES.map((type) => ({ object: `${type}:o`, relation: 'rel', subject: `${type}:s` }));
    await store.write({ writes });
  });
  afterEach(() => scratch.close());

  it('are answered for the type that each names', () => {
    for (const object of TYPES) {
      const answers = TYPES.map((subject) => outcome(`${object}:o`, `${subject}:s`));
      expect(answers).toEqual(TYPES.map((subject) => (subject === object ? 'allowed' : 'denied')));
    }
  });

  it('name what is wrong, whatever was asked before', () => {
    for (const type of TYPES) {
      expect(outcome(`${type}:o`, `${type}:s`)).toBe('allowed');
      const asked = [`${type}:`, `${type}:a b`, `${type}:*`].map((object) => outcome(object, `${type}:s`));
      expect(asked).toEqual(['invalid_tuple', 'invalid_tuple', 'invalid_tuple']);
      expect(outcome(`${type}y:o`, `${type}:s`)).toBe('unknown_type');
      const subjects = [`${type}:`, `${type}:a b`, `${type}y:s`, `${type}:s#none`];
      const askedBy = subjects.map((subject) => outcome(`${type}:o`, subject));
      expect(askedBy).toEqual(['invalid_tuple', 'invalid_tuple', 'unknown_type', 'unknown_relation']);
    }
  });
});

describe('questions to stores in turn, whose models share some types', () => {
  /** The first two are of one shape, under other names; the last has the same names for other things. */
  const models = {
    one: ['user', 'team', 'doc'],
    two: ['user', 'team', 'page'],
    three: ['doc', 'user', 'team'],
  } as const;
  let scratch: ScratchEngine;
  beforeEach(async () => {
    scratch = await ScratchEngine.open();
    for (const [name, [subject, group, thing]] of Object.entries(models)) {
      const store = await scratch.engine.createStore(name);
      await store.writeModel({
        dsl: `model
  schema 1.1
type ${subject}
type ${group}
  relations
    define member: [${subject}]
type ${thing}
  relations
    define reader: [${subject}, ${group}#member]
`,
      });
      await store.write({
        writes: [
          { object: `${group}:g`, relation: 'member', subject: `${subject}:anne` },
          { object: `${thing}:d`, relation: 'reader', subject: `${group}:g#member` },
        ],
      });
    }
  });
  afterEach(() => scratch.close());

  it('are answered by the model of the store that each is put to', () => {
    const answers = (name: keyof typeof models): readonly string[] => {
      const store = scratch.engine.store(name);
      return (['doc', 'page', 'team'] as const).flatMap((type) =>
        (['user', 'doc'] as const).map((subject) => {
          const relation = type === 'team' && name !== 'three' ? 'member' : 'reader';
          const object = `${type}:${type === 'team' && name !== 'three' ? 'g' : 'd'}`;
          try {
            return store.check({ object, relation, subject: `${subject}:anne` }).outcome;
          } catch (error) {
            return `${(error as { code: string }).code}`;
          }
        }),
      );
    };
    const expected = {
      one: ['allowed', 'denied', 'unknown_type', 'unknown_type', 'allowed', 'denied'],
      two: ['unknown_type', 'unknown_type', 'allowed', 'unknown_type', 'allowed', 'unknown_type'],
      three: ['unknown_relation', 'unknown_relation', 'unknown_type', 'unknown_type', 'denied', 'allowed'],
    };
    for (let round = 0; round < 4; round++) {
      for (const name of Object.keys(models) as (keyof typeof models)[]) {
        expect([name, answers(name)]).toEqual([name, expected[name]]);
      }
    }
  });

  it('change no error: of two, it is the same whatever was asked before', () => {
    const store = scratch.engine.store('one');
    const codeOf = (object: string): string => {
      const request = { object, relation: 'none', subject: 'user:anne' };
      const [decision] = store.checkMany([request]);
      try {
        return store.check(request).outcome;
      } catch (error) {
        const { code } = error as { code: string };
        expect(decision).toMatchObject({ outcome: 'error', code });
        return code;
      }
    };
    const codes = (): string[] => ['doc:a b', 'doc:*', `doc:${'x'.repeat(600)}`, 'doc:d'].map(codeOf);
    const before = codes();
    expect(before).toEqual(['invalid_tuple', 'invalid_tuple', 'invalid_tuple', 'unknown_relation']);
    store.check({ object: 'doc:d', relation: 'reader', subject: 'user:anne' });
    expect(codes()).toEqual(before);
  });
});
