import { actors } from '../../../directory/records/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { requireFresh } from '../context/consistency.ts';
import { askedSubject, questionContext, questionTuples } from '../context/supplied.ts';
import { tupleForm } from '../context/tuple-form.ts';
import type { DecisionDependencies } from '../dependencies.ts';
import { objectsOf } from '../parties/list-parties.ts';
import type { ExpandBody, ListObjectsBody, ListSubjectsBody } from '../zanzibar/bodies.ts';
import type { TuplesQuery } from './decision-task.ts';

type Supplied = Pick<ListObjectsBody, 'context' | 'contextualTuples' | 'limit' | 'cursor'>;

/** To be called inside the snapshot that answers, as all of these. */
export function listObjects(dependencies: DecisionDependencies, caller: Caller, body: ListObjectsBody): unknown {
  const subject = askedSubject(caller, body);
  const now = dependencies.clock.now();
  const { type, relation } = body;
  const asked = { type, relation, ...question(dependencies, body, now) };
  const { items: objects, conditional, cursor } = objectsOf(caller, subject, asked);
  return {
    objects,
    ...unsettled(conditional, ({ item, missing }) => ({ object: item, missing })),
    cursor,
    revision: freshRevision(dependencies, body),
  };
}

export function listSubjects(dependencies: DecisionDependencies, caller: Caller, body: ListSubjectsBody): unknown {
  const { store } = caller.organization;
  const { object, relation, subjectType, subjectRelation, context, contextualTuples } = body;
  // who lists subjects asks about others by doing so, which tuples.read allows; what it brings along is another matter
  askedSubject(caller, { subject: caller.subject ?? object, context, contextualTuples });
  const now = dependencies.clock.now();
  const { items, conditional, cursor } = store.listSubjects({
    object,
    relation,
    subjectType,
    ...(subjectRelation === undefined ? {} : { subjectRelation }),
    ...question(dependencies, body, now),
  });
  const counts = (subject: string): boolean => actors.counts(store, subject, now);
  return {
    subjects: items.filter(counts),
    ...unsettled(
      conditional.filter(({ item }) => counts(item)),
      ({ item, missing }) => ({ subject: item, missing }),
    ),
    cursor,
    revision: freshRevision(dependencies, body),
  };
}

export function expand(dependencies: DecisionDependencies, caller: Caller, body: ExpandBody): unknown {
  const { object, relation } = body;
  const tree = caller.organization.store.expand({ object, relation, now: dependencies.clock.now() });
  return { tree, revision: freshRevision(dependencies, body) };
}

export function readTuplePage(dependencies: DecisionDependencies, caller: Caller, query: TuplesQuery): unknown {
  const { object, relation, subject, limit, cursor } = query;
  const page = caller.organization.store.readTuples({
    limit,
    ...(object === undefined ? {} : { object }),
    ...(relation === undefined ? {} : { relation }),
    ...(subject === undefined ? {} : { subject }),
    cursor,
  });
  return {
    tuples: page.tuples.map(tupleForm),
    cursor: page.cursor,
    revision: dependencies.tokens.of(dependencies.engine.revision()),
  };
}

function question(dependencies: DecisionDependencies, body: Supplied, now: number) {
  const contextualTuples = questionTuples(body.contextualTuples, dependencies);
  return {
    context: questionContext(body.context, now, dependencies.limits),
    now,
    limit: body.limit ?? dependencies.limits.pageSize,
    ...(contextualTuples === undefined ? {} : { contextualTuples }),
    cursor: body.cursor,
  };
}

function unsettled<T, R>(conditional: readonly T[], show: (each: T) => R): { conditional?: R[] } {
  return conditional.length === 0 ? {} : { conditional: conditional.map(show) };
}

function freshRevision(dependencies: DecisionDependencies, { consistency }: Pick<ExpandBody, 'consistency'>): string {
  const revision = dependencies.engine.revision();
  requireFresh(dependencies.tokens, consistency, revision);
  return dependencies.tokens.of(revision);
}
