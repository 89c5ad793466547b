import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine, Store } from '../../../engine/index.ts';
import type { Question } from '../../../engine/requests.ts';
import type { Tuple } from '../../../engine/tuple.ts';
import { ScratchEngine } from '../scratch-engine.ts';
import { shuffle } from '../shuffle.ts';
import { askStore, itemCheck } from './ask-store.ts';
import { comparable } from './expectation.ts';
import { suiteFiles } from './folder.ts';
import { type Assertion, describeAssertion, readSuite, type SuiteStage, type SuiteTest } from './suite.ts';

const WRITE_CHUNK = 40;
const CONTEXTUAL_MAX = 100;
const SEED = 20_240_613;

const { files, reason } = suiteFiles();

describe('the engine passes the OpenFGA suite', () => {
  if (files.length === 0) it.skip(reason);
  let scratch: ScratchEngine;
  beforeAll(async () => {
    scratch = await ScratchEngine.open();
  });
  afterAll(() => scratch?.close());
  for (const file of files) {
    describe(basename(file), () => {
      for (const test of readSuite(file)) declareForms(test, () => scratch.engine);
    });
  }
});

/** Every test runs with its tuples stored, and a small one of a single stage with all of them passed in the question. */
function declareForms(test: SuiteTest, engine: () => Engine): void {
  describe(`${test.name}, stored`, () => {
    let store: Store;
    test.stages.forEach((stage, i) => {
      it(`stage ${i + 1} is written`, async () => {
        if (i === 0) store = await engine().createStore(`${test.name}-stored`);
        await writeStage(store, stage, stage.tuples);
      });
      for (const assertion of stage.assertions) declareAssertion(`stage ${i + 1}`, assertion, () => store, []);
    });
  });
  const [stage, ...others] = test.stages;
  if (stage === undefined || others.length > 0 || stage.tuples.length > CONTEXTUAL_MAX) return;
  describe(`${test.name}, contextual`, () => {
    let store: Store;
    it('the model is written', async () => {
      store = await engine().createStore(`${test.name}-contextual`);
      await writeStage(store, stage, []);
    });
    for (const assertion of stage.assertions) declareAssertion('stage 1', assertion, () => store, stage.tuples);
  });
}

async function writeStage(store: Store, stage: SuiteStage, tuples: readonly Tuple[]): Promise<void> {
  await store.writeModel({ dsl: stage.dsl });
  const writes = shuffle(tuples, SEED);
  for (let i = 0; i < writes.length; i += WRITE_CHUNK) await store.write({ writes: writes.slice(i, i + WRITE_CHUNK) });
}

function declareAssertion(stage: string, assertion: Assertion, store: () => Store, tuples: readonly Tuple[]): void {
  it(`${stage}: ${describeAssertion(assertion)}`, () => {
    const { context, expected, contextualTuples = [] } = assertion;
    const shared: Question = {
      contextualTuples: [...tuples, ...contextualTuples],
      ...(context === undefined ? {} : { context }),
    };
    const answer = askStore(store(), assertion, shared);
    expect(comparable(answer)).toEqual(comparable(expected));
    if (!('items' in answer)) return;
    for (const item of answer.items) {
      const decision = store().check({ ...shared, ...itemCheck(assertion, item) });
      expect({ item, ...decision }).toEqual({ item, outcome: 'allowed' });
    }
  });
}
