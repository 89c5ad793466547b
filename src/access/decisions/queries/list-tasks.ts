import { actors } from '../../../directory/records/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { requireFresh } from '../context/consistency.ts';
import { askedSubject, checkedSubject, questionContext, questionTuples } from '../context/supplied.ts';
import { tupleForm } from '../context/tuple-form.ts';
import type { DecisionDependencies } from '../dependencies.ts';
import { objectsOf } from '../parties/list-parties.ts';
import type { ExpandBody, ListObjectsBody, ListSubjectsBody } from '../zanzibar/bodies.ts';
import type { TuplesQuery } from './decision-task.ts';

type Supplied = Pick<ListObjectsBody, 'context' | 'contextualTuples'>;
type Paged = Supplied & Pick<ListObjectsBody, 'limit' | 'cursor'>;

/** Subjects on a page with explanations, where no limit is given. */
const EXPLAINED_DEFAULT = 100;

/** To be called inside the snapshot that answers, as all of these. */
export function listObjects(dependencies: DecisionDependencies, caller: Caller, body: ListObjectsBody): unknown {
  const subject = checkedSubject(caller, body);
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
  const { object, relation, subjectType, subjectRelation, excluded = false, explain = false } = body;
  requireMaySupply(caller, object, body);
  const now = dependencies.clock.now();
  const asked = question(dependencies, body, now);
  const page = store.listSubjects({
    object,
    relation,
    subjectType,
    ...(subjectRelation === undefined ? {} : { subjectRelation }),
    excluded,
    ...asked,
    ...(explain ? { explain, limit: body.limit ?? Math.min(asked.limit, EXPLAINED_DEFAULT) } : {}),
  });
  const counts = (subject: string): boolean => actors.counts(store, subject, now);
  return {
    subjects: page.items.filter(counts),
    ...unsettled(
      page.conditional.filter(({ item }) => counts(item)),
      ({ item, missing }) => ({ subject: item, missing }),
    ),
    excluded: page.excluded?.filter(counts),
    explanations: page.explanations
      ?.filter(({ item }) => counts(item))
      .map(({ item, explanation }) => ({ subject: item, explanation })),
    cursor: page.cursor,
    revision: freshRevision(dependencies, body),
  };
}

export function expand(dependencies: DecisionDependencies, caller: Caller, body: ExpandBody): unknown {
  const { object, relation } = body;
  requireMaySupply(caller, object, body);
  const { store } = caller.organization;
  const tree = store.expand({ object, relation, ...supplied(dependencies, body, dependencies.clock.now()) });
  return { tree, revision: freshRevision(dependencies, body) };
}

/**
 * To list or expand is to ask about others, which `tuples.read` allows. Supplied context and tuples need another right.
 */
function requireMaySupply(caller: Caller, object: string, { context, contextualTuples }: Supplied): void {
  askedSubject(caller, { subject: caller.subject ?? object, context, contextualTuples });
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

function question(dependencies: DecisionDependencies, body: Paged, now: number) {
  return {
    ...supplied(dependencies, body, now),
    limit: body.limit ?? dependencies.limits.pageSize,
    cursor: body.cursor,
  };
}

function supplied(dependencies: DecisionDependencies, body: Supplied, now: number) {
  const contextualTuples = questionTuples(body.contextualTuples, dependencies);
  return {
    context: questionContext(body.context, now, dependencies.limits),
    now,
    ...(contextualTuples === undefined ? {} : { contextualTuples }),
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
