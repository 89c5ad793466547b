import type * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineError } from '../../../engine/errors.ts';
import type { WalkLimits } from '../../../engine/evaluate/limits.ts';
import type { Store } from '../../../engine/index.ts';
import type { CheckRequest, Decision } from '../../../engine/requests.ts';
import { parseTuple } from '../../../engine/tuple.ts';
import { runsOf } from '../../generated/extent.ts';
import { seed } from '../../generated/seed.ts';
import { ScratchEngine } from '../scratch-engine.ts';
import { oracleOf, type Scenario, scenarios } from './generate/scenario.ts';
import { tangles } from './generate/tangles.ts';
import { applyScenario, questionOf } from './verify/apply-scenario.ts';
import { inBatches } from './verify/in-batches.ts';
import { targets } from './verify/questions.ts';
import { agrees } from './verify/verify-check.ts';

const DEPTH_MAX = 25;

/** Ways to stand `hops` tuples away from doc:0, each hop a userset or a parent, and user:deep in the last of them. */
const chains = [
  {
    name: 'nested groups',
    define: ['viewer: [user, doc#viewer]'],
    link: (from: string, to: string) => `${from}#viewer@${to}#viewer`,
  },
  {
    name: 'parents',
    define: ['parent: [doc]', 'viewer: [user] or viewer from parent'],
    link: (from: string, to: string) => `${from}#parent@${to}`,
  },
  {
    name: 'parents through computed relations, which cost nothing',
    define: ['parent: [doc]', 'viewer: [user] or reader', 'reader: seer', 'seer: viewer from parent'],
    link: (from: string, to: string) => `${from}#parent@${to}`,
  },
  {
    name: 'groups under an intersection',
    define: ['any: [user:*]', 'viewer: [user, doc#reader]', 'reader: viewer and any'],
    link: (from: string, to: string) => `${from}#viewer@${to}#reader`,
  },
];

describe('the depth of an evaluation', () => {
  let stores = 0;
  let scratch: ScratchEngine;
  beforeAll(async () => {
    scratch = await ScratchEngine.open();
  });
  afterAll(() => scratch?.close());

  describe.each(chains)('through $name', ({ define, link }) => {
    const build = async (hops: number, ...more: string[]): Promise<Store> => {
      const store = await scratch.engine.createStore(`chain-${stores++}`);
      const defines = define.map((line) => `    define ${line}\n`).join('');
      await store.writeModel({ dsl: `model\n  schema 1.1\ntype user\ntype doc\n  relations\n${defines}` });
      const tuples = Array.from({ length: hops }, (_, i) => link(`doc:${i}`, `doc:${i + 1}`));
      const open = define[0]?.startsWith('any')
        ? [...tuples.map((_, i) => `doc:${i + 1}#any@user:*`), 'doc:near#any@user:*']
        : [];
      const writes = [...tuples, ...open, `doc:${hops}#viewer@user:deep`, ...more].map(parseTuple);
      await store.write({ writes });
      return store;
    };
    const question = { object: 'doc:0', relation: 'viewer', subject: 'user:deep' };

    it(`reaches ${DEPTH_MAX} hops`, async () => {
      const store = await build(DEPTH_MAX);
      expect(store.check(question)).toEqual({ outcome: 'allowed' });
      expect(store.check({ ...question, subject: 'user:other' })).toEqual({ outcome: 'denied' });
      const subjects = store.listSubjects({ object: 'doc:0', relation: 'viewer', subjectType: 'user' });
      expect(subjects.items).toEqual(['user:deep']);
      const objects = store.listObjects({ type: 'doc', relation: 'viewer', subject: 'user:deep' });
      expect(objects.items).toHaveLength(DEPTH_MAX + 1);
    });

    it('fails one hop further, in every kind of question', async () => {
      const store = await build(DEPTH_MAX + 1);
      const tooDeep = expect.objectContaining({ code: 'too_deep' });
      expect(() => store.check(question)).toThrow(tooDeep);
      expect(() => store.explain(question)).toThrow(tooDeep);
      expect(() => store.listSubjects({ object: 'doc:0', relation: 'viewer', subjectType: 'user' })).toThrow(tooDeep);
      expect(() => store.listObjects({ type: 'doc', relation: 'viewer', subject: 'user:deep' })).toThrow(tooDeep);
    });

    it('asks anew for the next object of a bulk what was beyond the depth of the one before', async () => {
      const hops = DEPTH_MAX + 10;
      const store = await build(hops, link('doc:0', 'doc:near'), 'doc:near#viewer@user:deep');
      const [far, near] = store.checkMany([question, { ...question, object: 'doc:15' }]);
      expect([far, near]).toEqual([{ outcome: 'allowed' }, { outcome: 'allowed' }]);
    });

    it.each([1, 13, DEPTH_MAX - 3])('counts the shortest way: on from doc:%i', async (from) => {
      const hops = DEPTH_MAX + 10;
      const store = await build(hops, link(`doc:${from}`, `doc:${hops - 2}`));
      expect(store.check(question)).toEqual({ outcome: 'allowed' });
    });
  });
});

const bounds: readonly { name: string; limits: Partial<WalkLimits> }[] = [
  { name: 'walks', limits: { depthMax: 2 } },
  { name: 'equations alone', limits: { depthMax: 2, equationsAlone: true } },
];
const generators = [
  { what: 'models and tuples', values: scenarios(), sets: runsOf({ quick: 80, whole: 200 }) },
  { what: 'tangles of cycles, conditions and negations', values: tangles(), sets: runsOf({ quick: 40, whole: 60 }) },
];

describe.each(bounds)('by $name that go two hops', ({ limits }) => {
  let scratch: ScratchEngine;
  beforeAll(async () => {
    scratch = await ScratchEngine.open({ limits });
  });
  afterAll(() => scratch?.close());

  /** How many questions were too deep. */
  const verifyAll = async (
    values: fc.Arbitrary<Scenario>,
    options: { readonly runs: number; readonly seed: number },
  ) => {
    let cutOff = 0;
    const verify = async (scenario: Scenario): Promise<void> => {
      const store = await applyScenario(scratch.engine, scenario);
      if (store !== undefined) cutOff += verifyShallow(store, scenario);
    };
    await inBatches(values, verify, options);
    return cutOff;
  };

  it.each(generators)(
    '$sets $what are too deep, or decided as the oracle does it',
    async ({ values, sets }) => {
      expect(await verifyAll(values, { runs: sets, seed })).toBeGreaterThan(0);
    },
    600_000,
  );

  it('are not conditional where a cycle hides what would decide them', async () => {
    await verifyAll(tangles(), { runs: 60, seed: 128_977_653 });
  }, 600_000);
});

/** How many questions were too deep. Throws at the first answer that is wrong. */
function verifyShallow(store: Store, scenario: Scenario): number {
  const oracle = oracleOf(scenario);
  let cutOff = 0;
  for (const { object, relation } of targets(oracle)) {
    for (const subject of scenario.subjects) {
      const answer = ask(store, { ...questionOf(scenario), object, relation, subject });
      if (answer === 'too deep') cutOff++;
      else if (!agrees(answer, oracle.decide(object, relation, subject))) {
        throw new Error(`check ${object}#${relation}@${subject} is ${answer.outcome}`);
      }
    }
  }
  return cutOff;
}

function ask(store: Store, request: CheckRequest): Decision | 'too deep' {
  try {
    return store.check(request);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'too_deep') return 'too deep';
    throw error;
  }
}
