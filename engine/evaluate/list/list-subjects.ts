import { EngineError } from '../../errors.ts';
import type { ListSubjectsRequest, SubjectsPage } from '../../requests.ts';
import { nodeName } from '../../store/catalog.ts';
import { decide } from '../check/decide.ts';
import { eachSubject } from '../graph/each-node.ts';
import type { Plan, RelationPlan } from '../plan/plan.ts';
import { Resolver } from '../question.ts';
import type { Reader, View } from '../reader.ts';
import { unknownType } from '../unknown-names.ts';
import { ALLOWED, CONDITIONAL, DENIED, FAILED, type Verdict } from '../verdict.ts';
import type { Run } from '../walk/run.ts';
import { descend, type Reached } from './descend.ts';
import { EXPLAINED_MAX, explainPage } from './explain-page.ts';
import { Namings } from './namings.ts';
import { fillPage, pageBounds } from './page.ts';
import { Selection } from './selection.ts';

/**
 * Every subject of a type that has a relation on an object, page by page. A wildcard that holds is listed as `type:*`.
 * Beside it stand only the subjects that a counting tuple on the way names, in a subtracted operand too. Those of them
 * that are denied are `excluded`, where that is asked for. Suspended subjects are left out.
 */
export function listSubjects(reader: Reader, view: View, plan: Plan, request: ListSubjectsRequest): SubjectsPage {
  const { object: of, relation, subjectType, subjectRelation } = request;
  const purpose = [view.number, 'subjects', of, relation, subjectType, subjectRelation ?? 0];
  const paged = { log: reader.logIdentity.id, purpose };
  const bounds = pageBounds(request, paged, request.explain ? EXPLAINED_MAX : undefined);
  const run = reader.checker.prepare(view, plan, request);
  const resolver = new Resolver(view, plan);
  run.overlay = resolver.overlay(request.contextualTuples, reader.limits.contextualTuplesMax);
  const target = resolver.relation(request.object.split(':', 1)[0] as string, request.relation, 'relation');
  const object = resolver.object(request.object);
  const asked = askedKinds(plan, request);
  const reached = descend(run, object, target, new Set([asked.kind, asked.wildcardKind]));
  const namings = new Namings(run, reached.sources);
  const isSure = reached.isExact && plainOnly(run, reached);
  const check = (subject: number): Verdict => checkSubject(run, object, target, asked, subject);
  const name = (subject: number): string => {
    if (subject === 0) return `${request.subjectType}:*`;
    const text = resolver.unknownName(subject) ?? nodeName(view.tables, view.number, subject);
    return request.subjectRelation === undefined ? text : `${text}#${request.subjectRelation}`;
  };
  const hasExcluded = request.excluded === true && !isSure && asked.wildcardKind !== 0 && holdsInGeneral(run, check);
  const excluded: string[] = [];
  const listed: number[] = [];
  let isNamed = true;
  const page = fillPage(
    run,
    {
      next: (after, limit) => select(run, reached, namings, asked, after, limit),
      check: isSure
        ? undefined
        : (subject) => {
            isNamed = namings.count(subject);
            return isNamed ? check(subject) : DENIED;
          },
      name,
      // a subject that no counting tuple names is like all others, and not excluded
      refused: hasExcluded ? (subject) => isNamed && subject !== 0 && excluded.push(name(subject)) > 0 : undefined,
      listed: request.explain ? (subject) => listed.push(subject) : undefined,
    },
    bounds,
  );
  const whole = request.excluded ? { ...page, excluded } : page;
  if (!request.explain) return whole;
  const entries = listed.map((id) => ({ id, item: name(id) }));
  return explainPage(reader, view, plan, request, whole, entries, paged);
}

/** Has the wildcard access, or may it have? */
function holdsInGeneral(run: Run, check: (subject: number) => Verdict): boolean {
  const verdict = check(0);
  if (verdict === FAILED) throw run.error ?? new EngineError('condition_failed', 'a condition failed');
  return verdict === ALLOWED || verdict === CONDITIONAL;
}

interface Asked {
  readonly kind: number;
  /** 0 where usersets are asked for. */
  readonly wildcardKind: number;
}

function askedKinds(plan: Plan, request: ListSubjectsRequest): Asked {
  const type = plan.types.get(request.subjectType);
  if (type === undefined) throw unknownType(request.subjectType, 'subjectType');
  if (request.subjectRelation === undefined) return { kind: type.objectKind, wildcardKind: type.wildcardKind };
  const relation = type.relations.get(request.subjectRelation);
  if (relation === undefined) {
    throw new EngineError('unknown_relation', `the model has no ${request.subjectType}#${request.subjectRelation}`, {
      path: 'subjectRelation',
    });
  }
  return { kind: relation.kind, wildcardKind: 0 };
}

function checkSubject(run: Run, object: number, target: RelationPlan, asked: Asked, subject: number): Verdict {
  run.begin();
  run.subject = subject;
  run.subjectKind = subject === 0 ? asked.wildcardKind : asked.kind;
  run.wildcardKind = subject === 0 ? 0 : asked.wildcardKind;
  return decide(run, object, target);
}

function select(
  run: Run,
  reached: Reached,
  namings: Namings,
  asked: Asked,
  after: number,
  limit: number,
): Float64Array {
  const selection = new Selection(after, limit);
  const { graph, store, suspended } = run;
  const isSkipped =
    suspended.isEmpty || asked.wildcardKind === 0 ? () => false : (subject: number) => suspended.has(subject);
  namings.clear();
  for (const subject of reached.singles.toSorted((a, b) => a - b)) {
    if (isSkipped(subject)) continue;
    selection.offer(subject);
    namings.add(subject, undefined);
  }
  for (const source of reached.sources) {
    eachSubject(graph, store, source.object, source.kinds, selection.from, (subject) => {
      if (isSkipped(subject)) return true;
      namings.add(subject, source);
      return selection.offer(subject);
    });
  }
  return selection.take();
}

/** No source has a tuple with a condition or an expiry, nor one that the model wants conditional. */
function plainOnly(run: Run, reached: Reached): boolean {
  return reached.sources.every(({ object, kinds }) => {
    const restriction = run.plan.directEdges.get(kinds >>> 16)?.allowed[kinds & 0x7fff];
    if (restriction?.plain && (kinds & 0x8000) === 0) return true;
    let isEmpty = true;
    eachSubject(run.graph, run.store, object, kinds, 0, () => {
      isEmpty = false;
      return false;
    });
    return isEmpty;
  });
}
