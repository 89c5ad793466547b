import { requireLimit } from '../../page-limit.ts';
import type { SubjectPageRequest } from '../../requests.ts';
import { nodeName } from '../../store/catalog.ts';
import { QUALIFIED } from '../../store/edge-key.ts';
import { requireKind } from '../question.ts';
import type { Reader, View } from '../reader.ts';
import { isExpired, LOOKED_AT_MAX } from './count.ts';

const LIMIT_MAX = 10_000;

/** One page of the subjects that `countSubjects` counts, as ids without their type. */
export function subjectPage(reader: Reader, view: View, request: SubjectPageRequest, now: number): string[] {
  const { object, relation, subjectType, subjectRelation = '', offset } = request;
  const limit = requireLimit(request.limit, LIMIT_MAX);
  const { graph } = reader;
  const plan = reader.plan(view, undefined);
  const resolver = reader.resolver(view, plan);
  const objectKind = resolver.target(object, relation).kind;
  const kinds = (objectKind << 16) | requireKind(plan, subjectType, subjectRelation);
  const node = resolver.object(object);
  const found = graph.subjectsAt(view.number, node, kinds, offset, limit);
  if (found.length < limit) {
    const plain = graph.countSubjects(view.number, node, kinds);
    const from = Math.max(0, offset - plain);
    found.push(...qualifiedSubjects(reader, view, node, kinds, now, from, limit - found.length));
  }
  const prefix = subjectType.length + 1;
  return found.map((subject) => nodeName(view.tables, view.number, subject).slice(prefix));
}

/** Expired ones are left out exactly where the count leaves them out. */
function qualifiedSubjects(
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
  if (graph.countSubjects(number, node, shape) > LOOKED_AT_MAX) {
    return graph.subjectsAt(number, node, shape, offset, limit);
  }
  return graph
    .subjectsAt(number, node, shape, 0, LOOKED_AT_MAX)
    .filter((subject) => !isExpired(reader, number, node, kinds, subject, now))
    .slice(offset, offset + limit);
}
