import { requireLimit } from '../../page-limit.ts';
import type { ObjectPageRequest } from '../../requests.ts';
import { QUALIFIED, WILDCARD_NODE } from '../../store/edge-key.ts';
import { parseSubject } from '../../tuple.ts';
import { requireKind } from '../question.ts';
import type { Reader, View } from '../reader.ts';
import { isExpired, LOOKED_AT_MAX } from './count.ts';

const LIMIT_MAX = 10_000;

/** One page of the objects that `countObjects` counts, as ids without their type. */
export function objectPage(reader: Reader, view: View, request: ObjectPageRequest, now: number): string[] {
  const { objectType, relation, subject: text, offset } = request;
  const limit = requireLimit(request.limit, LIMIT_MAX);
  const { graph } = reader;
  const plan = reader.plan(view, undefined);
  const resolver = reader.resolver(view, plan);
  const objectKind = resolver.relation(objectType, relation, 'objectType').kind;
  const subject = parseSubject(text);
  const kinds = (objectKind << 16) | requireKind(plan, subject.type, subject.relation);
  const node = subject.relation === '*' ? WILDCARD_NODE : resolver.node(`${subject.type}:${subject.id}`);
  const plain = graph.countObjects(view.number, node, kinds);
  const found = offset < plain ? graph.objectsAt(view.number, node, kinds, offset, limit) : [];
  if (found.length < limit) {
    const from = Math.max(0, offset - plain);
    found.push(...qualifiedObjects(reader, view, node, kinds, now, from, limit - found.length));
  }
  const prefix = objectType.length + 1;
  return found.map((object) => reader.nodeNames.of(view.number, object).slice(prefix));
}

/** Expired ones are left out exactly where the count leaves them out. */
function qualifiedObjects(
  reader: Reader,
  { number }: View,
  node: number,
  kinds: number,
  now: number,
  offset: number,
  limit: number,
): number[] {
  const { graph } = reader;
  const shape = kinds | QUALIFIED;
  const count = graph.countObjects(number, node, shape);
  if (count === 0) return [];
  if (count > LOOKED_AT_MAX) return graph.objectsAt(number, node, shape, offset, limit);
  return graph
    .objectsAt(number, node, shape, 0, LOOKED_AT_MAX)
    .filter((object) => !isExpired(reader, number, object, kinds, node, now))
    .slice(offset, offset + limit);
}
