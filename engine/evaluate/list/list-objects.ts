import type { ListObjectsRequest, ListPage } from '../../requests.ts';
import { nodeName } from '../../store/catalog.ts';
import { UNKNOWN_NODE_MIN } from '../../store/edge-key.ts';
import { decide } from '../check/decide.ts';
import { eachObject } from '../graph/each-node.ts';
import type { Plan, RelationPlan } from '../plan/plan.ts';
import { isQualified } from '../plan/shapes.ts';
import { Resolver } from '../question.ts';
import type { Reader, View } from '../reader.ts';
import type { Run } from '../walk/run.ts';
import { ascend, type Found, type ObjectSource } from './ascend.ts';
import { fillPage, pageBounds } from './page.ts';
import { routesTo } from './routes.ts';
import { Selection } from './selection.ts';

/** Every object of a type on which the subject has the relation, page by page. None for a suspended one. */
export function listObjects(reader: Reader, view: View, plan: Plan, request: ListObjectsRequest): ListPage {
  const purpose = [view.number, 'objects', request.type, request.relation, request.subject];
  const bounds = pageBounds(request, { log: reader.logIdentity.id, purpose });
  const run = reader.checker.prepare(view, plan, request);
  const resolver = new Resolver(view, plan);
  run.overlay = resolver.overlay(request.contextualTuples, reader.limits.contextualTuplesMax);
  const target = resolver.relation(request.type, request.relation, 'relation');
  resolver.aim(run, request.subject);
  if (run.isSuspended) return { items: [], conditional: [] };
  const { found, kept } = findSources(reader, run, target);
  return fillPage(
    run,
    {
      next: (after, limit) =>
        kept === undefined ? select(run, found, after, limit) : turnPage(run, kept, after, limit),
      check: found.isExact
        ? undefined
        : (object) => {
            run.again();
            return decide(run, object, target);
          },
      name: (object) => resolver.unknownName(object) ?? nodeName(view.tables, view.number, object),
    },
    bounds,
  );
}

interface Walked {
  readonly key: string;
  readonly revision: number;
  readonly found: Found;
  /** The smallest results above an id; all that are left where it is the last. */
  window: { readonly after: number; readonly ids: Float64Array; readonly isLast: boolean } | undefined;
}

/** Pages that are looked for at once where pages follow one another, so that most need not read the sources. */
const WINDOW_PAGES = 16;
const WINDOW_MAX = 65_536;

/** The walk of the last list of each thread. */
const walked = new WeakMap<Reader, Walked>();

/**
 * Pages of one list come one after another, and at one revision the walk to its sources is the same for all of them.
 * Only an exact one is kept: it depends on nothing that the question brings along, nor on the clock.
 */
function findSources(
  reader: Reader,
  run: Run,
  target: RelationPlan,
): { readonly found: Found; readonly kept?: Walked } {
  const { revision } = reader.snapshot;
  const key = `${run.store}/${run.plan.modelId}/${target.kind}/${run.subjectKind}/${run.subject}`;
  const before = walked.get(reader);
  if (before?.key === key && before.revision === revision && run.overlay === undefined) {
    return { found: before.found, kept: before };
  }
  walked.delete(reader);
  const found = ascend(run, routesTo(run.plan, target));
  if (!found.isExact || hasQualified(run, found.sources)) return { found: { ...found, isExact: false } };
  if (run.subject < UNKNOWN_NODE_MIN) walked.set(reader, { key, revision, found, window: undefined });
  return { found };
}

/** As `select`, from the window of an earlier page where that reaches far enough. */
function turnPage(run: Run, kept: Walked, after: number, limit: number): Float64Array {
  const { window } = kept;
  if (window !== undefined && window.after <= after) {
    const from = firstAbove(window.ids, after);
    if (window.isLast || window.ids.length - from >= limit) return window.ids.subarray(from, from + limit);
  }
  const size = Math.max(limit, Math.min(limit * WINDOW_PAGES, WINDOW_MAX));
  const ids = select(run, kept.found, after, size);
  kept.window = { after, ids, isLast: ids.length < size };
  return ids.subarray(0, limit);
}

/** The index of the first id above another one, in a sorted list. */
function firstAbove(ids: Float64Array, after: number): number {
  let from = 0;
  for (let to = ids.length; from < to; ) {
    const middle = (from + to) >>> 1;
    if ((ids[middle] as number) > after) to = middle;
    else from = middle + 1;
  }
  return from;
}

function select(run: Run, found: Found, after: number, limit: number): Float64Array {
  const selection = new Selection(after, limit);
  for (const object of found.singles.toSorted((a, b) => a - b)) selection.offer(object);
  for (const source of found.sources) offerSource(run, source, selection);
  return selection.take();
}

function offerSource({ graph, store }: Run, source: ObjectSource, selection: Selection): void {
  eachObject(graph, store, source.subject, source.shapes, selection.from, (object) => selection.offer(object));
}

/** Whether results may depend on a condition or an expiry: then each must be checked. */
function hasQualified({ graph, store }: Run, sources: readonly ObjectSource[]): boolean {
  return sources.some(({ subject, shapes }) => {
    let isFound = false;
    eachObject(graph, store, subject, shapes.filter(isQualified), 0, () => {
      isFound = true;
      return false;
    });
    return isFound;
  });
}
