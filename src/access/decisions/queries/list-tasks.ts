import type { ListPage } from '#engine';
import { actors } from '../../../directory/records/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { ask } from '../checks/ask.ts';
import { actingFor } from '../checks/parties.ts';
import { requireFresh } from '../context/consistency.ts';
import { askedSubject, questionContext, questionTuples } from '../context/supplied.ts';
import { tupleForm } from '../context/tuple-form.ts';
import type { DecisionDependencies } from '../dependencies.ts';
import type { ExpandBody, ListObjectsBody, ListSubjectsBody } from '../zanzibar/bodies.ts';
import type { TuplesQuery } from './decision-task.ts';

type Supplied = Pick<ListObjectsBody, 'context' | 'contextualTuples' | 'limit' | 'cursor'>;

/** To be called inside the snapshot that answers, as all of these. */
export function listObjects(dependencies: DecisionDependencies, caller: Caller, body: ListObjectsBody): unknown {
  const { store } = caller.organization;
  const subject = askedSubject(caller, body);
  const now = dependencies.clock.now();
  const { type, relation } = body;
  const page = actors.counts(store, subject, now)
    ? store.listObjects({ type, relation, subject, ...question(dependencies, body, now) })
    : emptyPage;
  const actor = actingFor(caller, subject);
  const both = actor === undefined ? page : sharedWith(dependencies, caller, body, { page, actor, now });
  const { items: objects, conditional, cursor } = both;
  return {
    objects,
    ...unsettled(conditional, ({ item, missing }) => ({ object: item, missing })),
    cursor,
    revision: freshRevision(dependencies, body),
  };
}

interface Sharing {
  readonly page: ListPage;
  readonly actor: string;
  readonly now: number;
}

/** Of a page of the subject's objects those that the one who acts has the same relation to. */
function sharedWith(
  dependencies: DecisionDependencies,
  caller: Caller,
  body: ListObjectsBody,
  { page, actor, now }: Sharing,
): ListPage {
  const { store } = caller.organization;
  const { limit: _, cursor: __, ...rest } = question(dependencies, body, now);
  const decide = (object: string) => ask(store, { ...rest, object, relation: body.relation, subject: actor }, now);
  const items: string[] = [];
  const conditional: { item: string; missing: readonly string[] }[] = [];
  const all = [...page.items.map((item) => ({ item, missing: [] as readonly string[] })), ...page.conditional];
  for (const { item, missing } of all) {
    const decision = decide(item);
    if (decision.outcome === 'denied') continue;
    const lacking = decision.outcome === 'conditional' ? decision.missing : [];
    if (missing.length === 0 && lacking.length === 0) items.push(item);
    else conditional.push({ item, missing: [...new Set([...missing, ...lacking])].sort() });
  }
  return { ...page, items, conditional };
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

const emptyPage: ListPage = { items: [], conditional: [] };

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
