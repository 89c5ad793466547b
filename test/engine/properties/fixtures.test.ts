import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { CompiledCondition, Context } from '../../../engine/condition/condition.ts';
import { compileCondition } from '../../../engine/condition/index.ts';
import type { Store } from '../../../engine/index.ts';
import { formatTuple, parseTuple, type Tuple } from '../../../engine/tuple.ts';
import { Oracle } from '../oracle/oracle.ts';
import { ScratchEngine } from '../scratch-engine.ts';
import { checkHeight, checkRefusal, ProofChecker } from './verify/proof.ts';

/** What was once answered wrong, or would be by a careless change: the shortest changes and questions that show it. */
interface Fixture {
  readonly why: string;
  readonly stages: readonly Stage[];
}

/** Changes, then questions by their text with the outcome of each. A list is asked as `doc#viewer@user:1`. */
interface Stage {
  readonly model?: string;
  readonly delete?: readonly TupleText[];
  readonly write?: readonly TupleText[];
  readonly context?: Context;
  readonly contextual?: readonly TupleText[];
  readonly check?: Readonly<Record<string, 'allowed' | 'denied' | 'conditional'>>;
  readonly listObjects?: Readonly<Record<string, readonly string[]>>;
  readonly listSubjects?: Readonly<Record<string, readonly string[]>>;
}

type TupleText = string | Tuple;

const folder = fileURLToPath(new URL('./fixtures/', import.meta.url));

describe('what was once answered wrong, or would be by a careless change', () => {
  let scratch: ScratchEngine;
  beforeAll(async () => {
    scratch = await ScratchEngine.open();
  });
  afterAll(() => scratch?.close());

  for (const file of readdirSync(folder)) {
    const { why, stages } = parse(readFileSync(`${folder}${file}`, 'utf8')) as Fixture;
    it(`${file}: ${why}`, async () => {
      const store = await scratch.engine.createStore(file);
      const stored = new Map<string, Tuple>();
      for (const stage of stages) {
        await change(store, stored, stage);
        expectAnswers(store, [...stored.values()], stage);
      }
    });
  }
});

async function change(store: Store, stored: Map<string, Tuple>, stage: Stage): Promise<void> {
  if (stage.model !== undefined) await store.writeModel({ dsl: stage.model });
  const [deletes = [], writes = []] = [stage.delete?.map(read), stage.write?.map(read)];
  await store.write({ deletes, writes });
  for (const tuple of deletes) stored.delete(formatTuple(tuple));
  for (const tuple of writes) stored.set(formatTuple(tuple), tuple);
}

/** The oracle has to agree with what the fixture expects, so that a fixture cannot pin a mistake. */
function expectAnswers(store: Store, tuples: readonly Tuple[], stage: Stage): void {
  const { context = {}, check = {}, listObjects = {}, listSubjects = {} } = stage;
  const contextualTuples = (stage.contextual ?? []).map(read);
  const now = Date.now();
  const shared = { context, contextualTuples, now };
  const { model } = store.model();
  const conditions = new Map<string, CompiledCondition>();
  for (const definition of model.conditions.values()) conditions.set(definition.name, compileCondition(definition));
  const oracle = new Oracle({ ...shared, model, tuples, conditions });

  const decided = Object.keys(check).map((text) => {
    const { object, relation, subject } = parseTuple(text);
    const { outcome } = oracle.decide(object, relation, subject);
    return [text, outcome === 'cycle' ? 'denied' : outcome];
  });
  expect(Object.fromEntries(decided)).toEqual(check);
  const checker = new ProofChecker(oracle.world);
  for (const [text, outcome] of Object.entries(check)) {
    const explanation = store.explain({ ...shared, ...parseTuple(text) });
    checkHeight(explanation);
    if (outcome === 'allowed') checker.check(explanation, parseTuple(text));
    else checkRefusal(explanation);
  }
  const answered = Object.keys(check).map((text) => [text, store.check({ ...shared, ...parseTuple(text) }).outcome]);
  expect(Object.fromEntries(answered)).toEqual(check);

  for (const [text, expected] of Object.entries(listObjects)) {
    const { object: type, relation, subject } = parseTuple(text);
    const { items } = store.listObjects({ ...shared, type, relation, subject });
    expect({ [text]: [...items].sort() }).toEqual({ [text]: [...expected].sort() });
  }
  for (const [text, expected] of Object.entries(listSubjects)) {
    const { object, relation, subject } = parseTuple(text);
    const [subjectType = '', subjectRelation] = subject.split('#');
    const userset = subjectRelation === undefined ? {} : { subjectRelation };
    const { items } = store.listSubjects({ ...shared, object, relation, subjectType, ...userset });
    expect({ [text]: [...items].sort() }).toEqual({ [text]: [...expected].sort() });
  }
}

function read(tuple: TupleText): Tuple {
  return typeof tuple === 'string' ? parseTuple(tuple) : tuple;
}
