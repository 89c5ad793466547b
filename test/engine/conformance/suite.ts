import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Question } from '../../../engine/requests.ts';
import type { Tuple } from '../../../engine/tuple.ts';

/** One test of the OpenFGA suite. Its stages share a store: each adds a model and tuples to what is there. */
export interface SuiteTest {
  readonly name: string;
  readonly stages: readonly SuiteStage[];
}

export interface SuiteStage {
  readonly dsl: string;
  readonly tuples: readonly Tuple[];
  readonly assertions: readonly Assertion[];
}

/** What an assertion expects: a decision, the set of a list, or one of OpenFGA's error numbers. */
export type Expected =
  | { readonly allowed: boolean }
  | { readonly items: readonly string[] }
  | { readonly code: number };

export type Assertion = Pick<Question, 'context' | 'contextualTuples'> & { readonly expected: Expected } & (
    | { readonly kind: 'check'; readonly object: string; readonly relation: string; readonly subject: string }
    | { readonly kind: 'list objects'; readonly type: string; readonly relation: string; readonly subject: string }
    | { readonly kind: 'list users'; readonly object: string; readonly relation: string; readonly filter: string }
  );

interface YamlTuple {
  readonly object: string;
  readonly relation: string;
  readonly user: string;
  readonly condition?: { readonly name: string; readonly context?: Record<string, unknown> };
}

interface YamlAssertion {
  readonly tuple: YamlTuple;
  readonly request: {
    readonly user: string;
    readonly type: string;
    readonly object: string;
    readonly relation: string;
    readonly filters: readonly string[];
    readonly expectation?: readonly string[];
  };
  readonly contextualTuples?: readonly YamlTuple[];
  readonly context?: Record<string, unknown>;
  readonly expectation?: boolean | readonly string[] | null;
  readonly errorCode?: number;
}

interface YamlStage {
  readonly model: string;
  readonly tuples?: readonly YamlTuple[];
  readonly checkAssertions?: readonly YamlAssertion[];
  readonly listObjectsAssertions?: readonly YamlAssertion[];
  readonly listUsersAssertions?: readonly YamlAssertion[];
}

/** Reads one file of the suite. A name that appears twice gets a number. */
export function readSuite(path: string): SuiteTest[] {
  const yaml = parse(readFileSync(path, 'utf8')) as { tests: { name: string; stages: YamlStage[] }[] };
  const seen = new Map<string, number>();
  return yaml.tests.map(({ name, stages }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { name: count === 1 ? name : `${name} (${count})`, stages: stages.map(readStage) };
  });
}

function readStage(stage: YamlStage): SuiteStage {
  return {
    dsl: stage.model,
    tuples: (stage.tuples ?? []).map(readTuple),
    assertions: [
      ...(stage.checkAssertions ?? []).map(readCheck),
      ...(stage.listObjectsAssertions ?? []).map(readListObjects),
      ...(stage.listUsersAssertions ?? []).map(readListUsers),
    ],
  };
}

function readCheck(assertion: YamlAssertion): Assertion {
  const { object, relation, user } = assertion.tuple;
  const expected = { allowed: assertion.expectation === true };
  return { kind: 'check', object, relation, subject: user, ...readShared(assertion, expected) };
}

function readListObjects(assertion: YamlAssertion): Assertion {
  const { type, relation, user } = assertion.request;
  return { kind: 'list objects', type, relation, subject: user, ...readShared(assertion, readItems(assertion)) };
}

function readListUsers(assertion: YamlAssertion): Assertion {
  const { object, relation, filters } = assertion.request;
  const [filter, ...others] = filters;
  if (filter === undefined || others.length > 0) throw new Error('a list-users assertion has one filter');
  return { kind: 'list users', object, relation, filter, ...readShared(assertion, readItems(assertion)) };
}

/** The file nests one expectation inside its request, and writes the empty set as null. */
function readItems(assertion: YamlAssertion): Expected {
  const items = assertion.expectation ?? assertion.request.expectation ?? [];
  if (!Array.isArray(items)) throw new Error('a list assertion expects a list');
  return { items };
}

function readShared(assertion: YamlAssertion, expected: Expected) {
  return {
    expected: assertion.errorCode === undefined ? expected : { code: assertion.errorCode },
    contextualTuples: (assertion.contextualTuples ?? []).map(readTuple),
    ...(assertion.context === undefined ? {} : { context: assertion.context }),
  };
}

function readTuple({ object, relation, user, condition }: YamlTuple): Tuple {
  if (condition === undefined) return { object, relation, subject: user };
  const { name, context } = condition;
  return { object, relation, subject: user, condition: context === undefined ? { name } : { name, context } };
}

/** An assertion as a test's name. */
export function describeAssertion(assertion: Assertion): string {
  const { kind, relation, context, contextualTuples = [], expected } = assertion;
  const question =
    kind === 'check'
      ? `${assertion.object}#${relation}@${assertion.subject}`
      : kind === 'list objects'
        ? `${assertion.type}#${relation}@${assertion.subject}`
        : `${assertion.object}#${relation}@${assertion.filter}`;
  const given = [
    ...(context === undefined ? [] : [JSON.stringify(context)]),
    ...(contextualTuples.length === 0 ? [] : [`${contextualTuples.length} contextual`]),
  ];
  const answer = 'allowed' in expected ? expected.allowed : 'code' in expected ? expected.code : expected.items.length;
  return [kind, question, ...given, '=>', answer].join(' ');
}
