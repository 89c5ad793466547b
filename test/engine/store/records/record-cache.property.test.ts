import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change } from '../../../../engine/index.ts';
import { ScratchEngine } from '../../scratch-engine.ts';

const stores = ['s', 't'] as const;
const collections = ['things', 'thing'] as const;
const ids = ['x', 'y', 'x\u00e9'] as const;

const place = fc.record({
  store: fc.constantFrom(...stores),
  collection: fc.constantFrom(...collections),
  id: fc.constantFrom(...ids),
});
const change = fc.oneof(
  { weight: 2, arbitrary: place.map((at) => ({ op: 'put' as const, ...at })) },
  { weight: 2, arbitrary: place.map((at) => ({ op: 'delete' as const, ...at })) },
);
const step = fc.oneof(
  { weight: 2, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => ({ changes })) },
  { weight: 3, arbitrary: place.map((read) => ({ read })) },
  { weight: 1, arbitrary: fc.constant({ readAll: true }) },
);

test('whatever is written and read, a read answers what the last commit left', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const scratch = await ScratchEngine.open();
      const { engine } = scratch;
      try {
        const opened = { s: await engine.createStore('s'), t: await engine.createStore('t') };
        const standing = new Map<string, number>();
        const touched = { s: 0, t: engine.revision() };
        let count = 0;
        const compare = ({ store, collection, id }: { store: 's' | 't'; collection: string; id: string }) => {
          const found = opened[store].records.get<{ n: number }>(collection, id);
          expect(found?.document.n).toBe(standing.get(`${store} ${collection} ${id}`));
        };
        for (const each of steps) {
          if ('read' in each) compare(each.read);
          else if ('changes' in each) {
            const n = ++count;
            const changes = each.changes.map(({ op, store, collection, id }): Change => {
              if (op === 'delete') return { op: 'delete_record', store, collection, id };
              return { op: 'put_record', store, record: { collection, id, document: { n } } };
            });
            const { revision } = await engine.submit(engine.command(changes));
            for (const { op, store, collection, id } of each.changes) {
              const name = `${store} ${collection} ${id}`;
              if (op === 'put' || standing.has(name)) touched[store] = Math.max(touched[store], revision);
              if (op === 'put') standing.set(name, n);
              else standing.delete(name);
            }
          } else {
            for (const store of stores)
              for (const collection of collections) for (const id of ids) compare({ store, collection, id });
          }
          engine.read(() => {
            for (const store of stores) {
              const writtenAt = opened[store].writtenAt();
              expect(writtenAt).toBeGreaterThanOrEqual(touched[store]);
              expect(writtenAt).toBeLessThanOrEqual(engine.revision());
            }
          });
        }
      } finally {
        await scratch.close();
      }
    }),
    { numRuns: 60 },
  );
});

test('a commit in one store says nothing of another, and whatever touches a store is told', async () => {
  const scratch = await ScratchEngine.open();
  const { engine } = scratch;
  try {
    const store = await engine.createStore('s');
    const other = await engine.createStore('t');
    await store.writeModel({
      dsl: 'model\n  schema 1.1\ntype user\ntype team\n  relations\n    define member: [user]\n',
    });
    const at = () => engine.read(() => store.writtenAt());
    const submit = (made: Change) => engine.submit(engine.command([made]));
    const record = { collection: 'c', id: 'x', document: {} };
    const before = at();
    await submit({ op: 'put_record', store: 't', record });
    expect(at()).toBe(before);
    expect(engine.read(() => other.writtenAt())).toBe(engine.revision());
    const tuple = { object: 'team:a', relation: 'member', subject: 'user:b' };
    const touches: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['a record', () => submit({ op: 'put_record', store: 's', record })],
      ['a record that goes', () => submit({ op: 'delete_record', store: 's', collection: 'c', id: 'x' })],
      ['a tuple', () => store.write({ writes: [tuple] })],
      ['a tuple that goes', () => store.write({ deletes: [tuple] })],
      ['a suspension', () => submit({ op: 'suspend_subject', store: 's', subject: 'user:b' })],
      ['a model', () => store.writeModel({ dsl: 'model\n  schema 1.1\ntype user\n' })],
      [
        'a command over two stores',
        () =>
          engine.submit(
            engine.command([
              { op: 'put_record', store: 's', record },
              { op: 'put_record', store: 't', record },
            ]),
          ),
      ],
    ];
    for (const [name, touch] of touches) {
      await touch();
      expect([name, at()]).toEqual([name, engine.revision()]);
    }
    await engine.deleteStore('s');
    expect(at).toThrow(/no store/);
  } finally {
    await scratch.close();
  }
});
