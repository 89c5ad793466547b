import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../../engine/index.ts';
import type { ListPage } from '../../../engine/requests.ts';
import type { Tuple } from '../../../engine/tuple.ts';
import { ScratchEngine } from '../scratch-engine.ts';

const NODES = 2_000;
const PARENTS = 12;
/** Of the processor’s time, and several times what it takes: to walk every way takes more than anybody would wait. */
const QUICK_MS = 3_000;

const dsl = `model
  schema 1.1
type user
type doc
  relations
    define parent: [doc with open]
    define viewer: [user, doc#editor with open] or (viewer from parent or editor from parent)
    define editor: ([user] or viewer) and (viewer from parent or editor from parent)
    define auditor: [user] or (viewer but not auditor from parent)
condition open(y: bool) {
  y
}
`;

/** Parents all over the place, the same ones in every run: each object has them at distances that grow in powers. */
function* tangle(): Generator<Tuple> {
  const condition = { name: 'open' };
  for (let i = 0; i < NODES; i++) {
    for (let p = 0; p < PARENTS; p++) {
      const parent = (i + 1 + ((i * 7 + 3 ** p) % (NODES - 1))) % NODES;
      yield { object: `doc:${i}`, relation: 'parent', subject: `doc:${parent}`, condition };
    }
    yield { object: `doc:${i}`, relation: 'viewer', subject: `doc:${(i * 31 + 5) % NODES}#editor`, condition };
  }
  yield { object: `doc:${NODES - 1}`, relation: 'viewer', subject: 'user:anne' };
  yield { object: `doc:${NODES / 2}`, relation: 'viewer', subject: 'user:bob' };
}

describe(`${NODES} objects that are each other's parents, with context missing everywhere`, () => {
  let scratch: ScratchEngine;
  let store: Store;
  beforeAll(async () => {
    scratch = await ScratchEngine.open({ limits: { timeMaxMs: 60_000 } });
    store = await scratch.engine.createStore('tangle');
    await store.writeModel({ dsl });
    const tuples = [
      ...new Map([...tangle()].map((each) => [`${each.object} ${each.relation} ${each.subject}`, each])).values(),
    ];
    for (let from = 0; from < tuples.length; from += 5_000) {
      await store.write({ writes: tuples.slice(from, from + 5_000) });
    }
    // What is asked first compiles the code and fills the cache.
    store.check({ object: 'doc:1', relation: 'viewer', subject: 'user:warm' });
  });
  afterAll(() => scratch?.close());

  const quick = <T>(ask: () => T): T => {
    const began = process.cpuUsage();
    const answer = ask();
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1_000).toBeLessThan(QUICK_MS);
    return answer;
  };

  it.each([
    ['doc:0', 'viewer', 'user:anne', { outcome: 'conditional', missing: ['y'] }],
    ['doc:0', 'editor', 'user:anne', { outcome: 'conditional', missing: ['y'] }],
    ['doc:0', 'auditor', 'user:bob', { outcome: 'conditional', missing: ['y'] }],
    ['doc:0', 'viewer', 'user:nobody', { outcome: 'denied' }],
    ['doc:0', 'auditor', 'user:nobody', { outcome: 'denied' }],
  ])('%s#%s@%s is answered quickly', (object, relation, subject, expected) => {
    expect(quick(() => store.check({ object, relation, subject }))).toEqual(expected);
  });

  it('no way is too long of which a short one leads to the same place', () => {
    const context = { y: true };
    const asked = (subject: string) => ({ object: 'doc:0', relation: 'viewer', subject, context });
    expect(quick(() => store.check(asked('user:anne')))).toEqual({ outcome: 'allowed' });
    expect(quick(() => store.check(asked('user:nobody')))).toEqual({ outcome: 'denied' });
  });

  it('is explained quickly', () => {
    const explanation = quick(() => store.explain({ object: 'doc:0', relation: 'editor', subject: 'user:anne' }));
    expect(explanation.outcome).toBe('conditional');
  });

  it('is listed page by page, each of them quickly', () => {
    const objects = quick(() => store.listObjects({ type: 'doc', relation: 'editor', subject: 'user:anne' }));
    expect(objects.conditional.length).toBeGreaterThan(0);
    const found: string[] = [];
    const readPage = (from: { cursor?: string }): ListPage =>
      quick(() => store.listSubjects({ object: 'doc:0', relation: 'viewer', subjectType: 'user', ...from }));
    for (let page = readPage({}); ; page = readPage({ cursor: page.cursor })) {
      found.push(...page.conditional.map(({ item }) => item));
      if (page.cursor === undefined) break;
    }
    expect(found).toEqual(['user:anne', 'user:bob']);
  });
});
