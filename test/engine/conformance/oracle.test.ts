import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CompiledCondition } from '../../../engine/condition/condition.ts';
import { compileCondition } from '../../../engine/condition/index.ts';
import { parseModel } from '../../../engine/model/index.ts';
import type { Model } from '../../../engine/model/model.ts';
import type { Tuple } from '../../../engine/tuple.ts';
import { typeOf, type World } from '../oracle/edges.ts';
import { type Listing, listObjects, listSubjects } from '../oracle/lists.ts';
import { Oracle, type Verdict } from '../oracle/oracle.ts';
import { subjectFilters } from './filters.ts';
import { suiteFiles } from './folder.ts';
import { type Assertion, describeAssertion, readSuite, type SuiteStage } from './suite.ts';

const { files, reason } = suiteFiles();

// The oracle is what the evaluator is measured against, so it is measured itself against what others wrote: every
// assertion but those about bad input and about depth, of which it knows nothing.
describe('the oracle agrees with the OpenFGA suite', () => {
  if (files.length === 0) it.skip(reason);
  for (const file of files) {
    describe(basename(file), () => {
      for (const test of readSuite(file)) {
        const stored: Tuple[] = [];
        test.stages.forEach((stage, i) => {
          stored.push(...stage.tuples);
          declareStage(`${test.name}, stage ${i + 1}`, stage, [...stored]);
        });
      }
    });
  }
});

function declareStage(name: string, stage: SuiteStage, tuples: readonly Tuple[]): void {
  const model = parseModel({ dsl: stage.dsl });
  const conditions = new Map<string, CompiledCondition>();
  for (const definition of model.conditions.values()) conditions.set(definition.name, compileCondition(definition));
  const world: World = { model, tuples, conditions, now: 0 };
  for (const assertion of stage.assertions.filter((assertion) => isDecision(model, assertion))) {
    const { context, contextualTuples = [] } = assertion;
    const asked = context === undefined ? { ...world, contextualTuples } : { ...world, contextualTuples, context };
    it(`${name}: ${describeAssertion(assertion)}`, () => expectVerdict(new Oracle(asked), assertion));
  }
}

/** Whether the assertion is about a decision: all that it names is in the model, and it is not about depth. */
function isDecision(model: Model, assertion: Assertion): boolean {
  const { expected, relation } = assertion;
  if (!('code' in expected)) return true;
  if (expected.code !== 2000) return false;
  if (assertion.kind === 'list users') return true;
  const [subject = '', userset] = assertion.subject.split('#');
  const type = assertion.kind === 'check' ? typeOf(assertion.object) : assertion.type;
  return hasRelation(model, typeOf(subject), userset) && hasRelation(model, type, relation);
}

function hasRelation(model: Model, typeName: string, relation: string | undefined): boolean {
  const type = model.types.get(typeName);
  return type !== undefined && (relation === undefined || type.relations.has(relation));
}

function expectVerdict(oracle: Oracle, assertion: Assertion): void {
  const { expected } = assertion;
  const { must, may } = verdicts(oracle, assertion);
  const undecided = [...may.values()].some(isUndecided);
  if ('code' in expected) {
    expect(undecided || (assertion.kind === 'list users' && isUndecidedForAnyone(oracle, assertion))).toBe(true);
    return;
  }
  expect(undecided).toBe(false);
  if ('allowed' in expected) {
    expect(must.size > 0).toBe(expected.allowed);
    return;
  }
  expect([...may.keys()]).toEqual(expect.arrayContaining([...expected.items]));
  expect(expected.items).toEqual(expect.arrayContaining([...must.keys()]));
}

/** What the oracle puts into the answer; a check is a list of one object. */
function verdicts(oracle: Oracle, assertion: Assertion): Listing {
  if (assertion.kind === 'list users') {
    const [type = '', relation] = assertion.filter.split('#');
    return listSubjects(oracle, assertion.object, assertion.relation, type, relation);
  }
  const { relation, subject } = assertion;
  if (assertion.kind === 'list objects') return listObjects(oracle, assertion.type, relation, subject);
  const verdict = oracle.decide(assertion.object, relation, subject);
  const shown = verdict.outcome !== 'denied' && verdict.outcome !== 'cycle';
  const found = new Map(shown ? [[assertion.object, verdict]] : []);
  return { must: found, may: found };
}

/** OpenFGA fails a list of users where any tuple on the way is undecided, even if it leads to none of those asked for. */
function isUndecidedForAnyone(oracle: Oracle, { object, relation }: Assertion & { kind: 'list users' }): boolean {
  return subjectFilters(oracle.world.model).some((filter) => {
    const [type = '', userset] = filter.split('#');
    return [...listSubjects(oracle, object, relation, type, userset).must.values()].some(isUndecided);
  });
}

function isUndecided({ outcome }: Verdict): boolean {
  return outcome === 'conditional' || outcome === 'failed';
}
