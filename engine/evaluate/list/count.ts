import type { CountObjectsRequest, CountSubjectsRequest } from '../../requests.ts';
import { QUALIFIED, UNKNOWN_NODE_MIN, WILDCARD_NODE } from '../../store/edge-key.ts';
import { parseSubject } from '../../tuple.ts';
import { requireKind } from '../question.ts';
import type { Reader, View } from '../reader.ts';

/** Tuples with a condition or an expiry that one count looks at for whether they have expired. */
export const LOOKED_AT_MAX = 1_000;

/**
 * How many stored tuples give an object's relation to subjects of one kind. A wildcard is a kind of its own, and not
 * counted. Suspended subjects count, and so do tuples whose condition may not hold. Expired ones do not, where at most
 * a thousand of the tuples have a condition or an expiry; among more they count until they are swept.
 */
export function countSubjects(reader: Reader, view: View, request: CountSubjectsRequest, now: number): number {
  const { object, relation, subjectType, subjectRelation = '' } = request;
  const { graph } = reader;
  const { number } = view;
  const plan = reader.plan(view, undefined);
  const resolver = reader.resolver(view, plan);
  const objectKind = resolver.target(object, relation).kind;
  const kinds = (objectKind << 16) | requireKind(plan, subjectType, subjectRelation);
  const node = resolver.object(object);
  if (node >= UNKNOWN_NODE_MIN) return 0;
  const plain = graph.countSubjects(number, node, kinds);
  const qualified = graph.countSubjects(number, node, kinds | QUALIFIED);
  if (qualified === 0) return plain;
  let expired = 0;
  if (qualified <= LOOKED_AT_MAX) {
    graph.scanSubjects(number, node, kinds | QUALIFIED, 0, (subject) => {
      if (isExpired(reader, number, node, kinds, subject, now)) expired++;
      return true;
    });
  }
  return plain + qualified - expired;
}

/** How many objects of a type name the subject itself in a relation. What counts is as with `countSubjects`. */
export function countObjects(reader: Reader, view: View, request: CountObjectsRequest, now: number): number {
  const { graph } = reader;
  const { number } = view;
  const plan = reader.plan(view, undefined);
  const resolver = reader.resolver(view, plan);
  const objectKind = resolver.relation(request.objectType, request.relation, 'objectType').kind;
  const subject = parseSubject(request.subject);
  const kinds = (objectKind << 16) | requireKind(plan, subject.type, subject.relation);
  const node = subject.relation === '*' ? WILDCARD_NODE : resolver.node(`${subject.type}:${subject.id}`);
  const qualified = graph.countObjects(number, node, kinds | QUALIFIED);
  let expired = 0;
  if (qualified > 0 && qualified <= LOOKED_AT_MAX) {
    graph.scanObjects(number, node, kinds | QUALIFIED, 0, (object) => {
      if (isExpired(reader, number, object, kinds, node, now)) expired++;
      return true;
    });
  }
  return graph.countObjects(number, node, kinds) + qualified - expired;
}

export function isExpired(
  { graph }: Reader,
  store: number,
  object: number,
  kinds: number,
  subject: number,
  now: number,
): boolean {
  const expiresAt = graph.qualifier(store, object, kinds, subject)?.expiresAt;
  return expiresAt !== undefined && now >= expiresAt;
}
