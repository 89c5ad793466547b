import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Change, Engine, Store } from '../../../engine/index.ts';
import { DefinedPermissions } from '../../../src/access/decisions/checks/permission/defined-permissions.ts';
import { ModelRelations } from '../../../src/access/decisions/checks/permission/model-relations.ts';
import { findPermission, putPermission } from '../../../src/directory/records/index.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';
import { seed } from '../../generated/seed.ts';

const slugs = ['doc:read', 'doc:write', 'Doc:Read', 'dök:lesen', 'plain'];
const models = ['can_read', 'can_write'].map(
  (relation) => `model
  schema 1.1
type user
type doc
  relations
    define owner: [user]
    define ${relation}: [user]`,
);
const tuple = { object: 'doc:1', relation: 'owner', subject: 'user:anne' };

let scratch: ScratchEngine;
let engine: Engine;

beforeAll(async () => {
  // so few commits are kept that who does not ask for a while falls behind
  scratch = await ScratchEngine.open({ retention: { commitsMax: 4 } });
  engine = scratch.engine;
});
afterAll(() => scratch.close());

async function newStore(name: string): Promise<Store> {
  const store = await engine.createStore(name);
  await store.writeModel({ dsl: models[0] as string });
  return store;
}

function permission(store: Store, number: number): Change {
  const slug = slugs[number] as string;
  const isVariant = number === 2 ? ({ isVariant: true } as const) : {};
  const times = { createdAt: 0, updatedAt: 0 };
  return putPermission(store, { number, slug, name: slug, isSystem: false, ...times, ...isVariant });
}

function submit(...changes: Change[]): Promise<unknown> {
  return engine.submit(engine.command(changes));
}

function isDefined(store: Store, slug: string): boolean {
  const relation = `can_${slug.slice(slug.indexOf(':') + 1)}`;
  const inModel = slug.startsWith('doc:') && store.model().model.types.get('doc')?.relations.has(relation) === true;
  return inModel || findPermission(store, slug) !== undefined;
}

interface Step {
  readonly op: string;
  readonly number: number;
  readonly store: number;
}

const number = fc.nat(slugs.length - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ op: fc.constantFrom('define', 'remove'), number, store: fc.nat(1) }),
  fc.record({ op: fc.constantFrom('model', 'write', 'delete'), number: fc.nat(1), store: fc.nat(1) }),
);
const steps = fc.array(fc.record({ step, asked: fc.subarray([0, 1]) }), { minLength: 1, maxLength: 25 });

async function take(stores: readonly Store[], { op, number, store: index }: Step): Promise<void> {
  const store = stores[index] as Store;
  if (op === 'define') await submit(permission(store, number));
  if (op === 'remove') {
    const entry = engine.read(() => findPermission(store, slugs[number] as string));
    const record = { store: store.name, collection: 'permissions' };
    if (entry !== undefined) await submit({ op: 'delete_record', ...record, id: entry.id });
  }
  if (op === 'model') await store.writeModel({ dsl: models[number] as string });
  if (op === 'write') await store.write({ writes: [tuple] });
  if (op === 'delete') await store.write({ deletes: [tuple] });
}

test('what is known is what stands in the snapshot, whatever was committed', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const run = runs++;
      const stores = [await newStore(`a${run}`), await newStore(`b${run}`)];
      const defined = new DefinedPermissions(new ModelRelations());
      for (const { step: each, asked } of taken) {
        await take(stores, each);
        engine.read(() => {
          for (const store of asked.map((index) => stores[index] as Store)) {
            const known = slugs.map((slug) => defined.has(store, slug, engine.revision()));
            expect(known).toEqual(slugs.map((slug) => isDefined(store, slug)));
          }
        });
      }
    }),
    { seed, numRuns: 60 },
  );
});

describe('a permission that was looked up', () => {
  test('is not looked up again after commits of tuples, and of records of another kind', async () => {
    const store = await newStore('kept');
    const defined = new DefinedPermissions(new ModelRelations());
    const ask = (): boolean => engine.read(() => defined.has(store, 'doc:write', engine.revision()));
    const looksUp = vi.spyOn(store.records, 'byUnique');
    expect(ask()).toBe(false);
    expect(looksUp).toHaveBeenCalled();
    looksUp.mockClear();
    await store.write({ writes: [tuple] });
    expect(ask()).toBe(false);
    await submit({ op: 'put_record', store: store.name, record: { collection: 'others', id: 'x', document: {} } });
    expect(ask()).toBe(false);
    expect(looksUp).not.toHaveBeenCalled();
    await submit(permission(store, 1));
    expect(ask()).toBe(true);
    expect(looksUp).toHaveBeenCalled();
  });

  test('is found again after more were asked about than are kept', async () => {
    const store = await newStore('many');
    const defined = new DefinedPermissions(new ModelRelations());
    const asked = Array.from({ length: 20_500 }, (_, each) => `none:p${each}`);
    engine.read(() => {
      for (const slug of asked) expect(defined.has(store, slug, engine.revision())).toBe(false);
    });
    await submit(permission(store, 4));
    engine.read(() => expect(defined.has(store, 'plain', engine.revision())).toBe(true));
  });
});
