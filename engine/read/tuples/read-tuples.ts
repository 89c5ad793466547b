import { type Paged, readCursor, writeCursor } from '../../evaluate/page-cursor.ts';
import type { Reader, View } from '../../evaluate/reader.ts';
import { requireLimit } from '../../page-limit.ts';
import type { TupleFilter, TuplePage } from '../../requests.ts';
import { type EdgeKey, QUALIFIED } from '../../store/edge-key.ts';
import type { Tuple } from '../../tuple.ts';
import { edgeTuple } from './edge-tuple.ts';
import { type EdgePosition, EdgeWalk } from './edge-walk.ts';
import { selectEdges } from './tuple-filter.ts';

const LIMIT_MAX = 10_000;
const LIMIT_DEFAULT = 1_000;
/** Keys looked at for one page, besides those of its tuples. */
const STEPS_MAX = 20_000;

/**
 * One page of the stored tuples that a filter matches, whatever the models say of them; those that have expired are
 * among them until they are swept. The order is that of the index that the filter is answered from: by internal ids,
 * under a filter by `type:` by names first. It is stable, so that a tuple which stays stored from the first page to the
 * last is on exactly one of them.
 *
 * A filter by `type:` that matches little may end a page early, even an empty one: only a page without a cursor is
 * the last. Throws `invalid_argument` (limit), `invalid_tuple` (a malformed part), `invalid_cursor`, `log_replaced` (a cursor of
 * another log).
 */
export function readTuples(reader: Reader, view: View, filter: TupleFilter): TuplePage {
  const limit = requireLimit(filter.limit ?? LIMIT_DEFAULT, LIMIT_MAX);
  const selection = selectEdges(reader, view, filter);
  const purpose = [view.number, filter.object ?? 0, filter.relation ?? 0, filter.subject ?? 0];
  const paged = { log: reader.logIdentity.id, purpose };
  const from = filter.cursor === undefined ? undefined : positionOf(paged, filter.cursor);
  const walk = new EdgeWalk(reader, view, selection, limit + STEPS_MAX);
  const found: EdgeKey[] = [];
  let next: EdgePosition | undefined;
  for (const edge of walk.edges(from)) {
    if (found.length === limit) {
      next = edge;
      break;
    }
    found.push(edge);
  }
  next ??= walk.stoppedAt;
  const tuples = found.map((edge) => tupleOf(reader, view, edge, selection.index));
  return next === undefined ? { tuples } : { tuples, cursor: writeCursor(paged, [next.node, next.kinds, next.other]) };
}

function positionOf(paged: Paged, cursor: string): EdgePosition {
  const [node = 0, kinds = 0, other = 0] = readCursor(paged, cursor, 3);
  return { node, kinds, other };
}

function tupleOf(reader: Reader, view: View, edge: EdgeKey, index: 'forward' | 'reverse'): Tuple {
  const [object, subject] = index === 'forward' ? [edge.node, edge.other] : [edge.other, edge.node];
  const kinds = index === 'forward' ? edge.kinds : ((edge.kinds << 16) | (edge.kinds >>> 16)) >>> 0;
  const isQualified = (kinds & QUALIFIED) !== 0;
  const qualifier = isQualified ? reader.graph.qualifier(view.number, object, kinds, subject) : undefined;
  return edgeTuple(reader, view, object, kinds, subject, qualifier);
}
