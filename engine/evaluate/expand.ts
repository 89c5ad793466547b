import type { Rewrite } from '../model/model.ts';
import type { ExpandNode, Question } from '../requests.ts';
import { Evidence, type Fact } from './explain/evidence.ts';
import type { RelationPlan } from './plan/plan.ts';
import type { Reader, View } from './reader.ts';
import { DENIED } from './verdict.ts';

/** Subjects, and parents, that one node of the answer names; beyond, it says `more`. */
const NAMED_MAX = 1_000;

/**
 * One level of a relation on an object: the tree of its rewrite, with the subjects that stand there directly. Tuples
 * that have expired, whose condition is known not to hold, or that the model does not allow are left out, and so are
 * suspended subjects; those whose condition lacks context are named. Throws as a check does: `unknown_type`, `unknown_relation`, `invalid_tuple`,
 * `invalid_contextual_tuple`.
 */
export function expand(
  reader: Reader,
  view: View,
  request: { readonly object: string; readonly relation: string } & Question,
): ExpandNode {
  const evidence = new Evidence(reader, view, reader.plan(view, request.modelId), request);
  const { node, plan } = evidence.target(request.object, request.relation);
  return expandRewrite(evidence, node, plan, evidence.definition(plan).rewrite);
}

function expandRewrite(evidence: Evidence, node: number, plan: RelationPlan, rewrite: Rewrite): ExpandNode {
  const name = evidence.nameOf(node);
  const target = `${name}#${evidence.relationOf(plan.kind)}`;
  const child = (operand: Rewrite): ExpandNode => expandRewrite(evidence, node, plan, operand);
  switch (rewrite.kind) {
    case 'direct': {
      const { suspended } = evidence.run;
      const { names, isCut } = namesOf(evidence, node, plan.kind, ({ kinds, subject }) => {
        const isObject = evidence.relationOf(kinds & 0x7fff) === '';
        return isObject && suspended.has(subject) ? undefined : '';
      });
      return { kind: 'direct', target, subjects: names, ...(isCut ? { more: true } : {}) };
    }
    case 'computed':
      return { kind: 'computed', target, userset: `${name}#${rewrite.relation}` };
    case 'from': {
      const tupleset = evidence.relation(evidence.typeOf(plan.kind), rewrite.tupleset)?.kind ?? 0;
      const { names, isCut } = namesOf(evidence, node, tupleset, ({ kinds }) => {
        // "any" ignores a parent without the relation; under the others it denies.
        const isAsked =
          rewrite.parents !== 'any' ||
          evidence.relation(evidence.typeOf(kinds & 0x7fff), rewrite.relation) !== undefined;
        return isAsked ? `#${rewrite.relation}` : undefined;
      });
      return {
        kind: 'from',
        target,
        tupleset: `${name}#${rewrite.tupleset}`,
        parents: rewrite.parents,
        usersets: names,
        ...(isCut ? { more: true } : {}),
      };
    }
    case 'exclusion':
      return { kind: 'exclusion', target, base: child(rewrite.base), subtract: child(rewrite.subtract) };
    default:
      return { kind: rewrite.kind, target, children: rewrite.children.map(child) };
  }
}

/** The subjects of a relation's tuples with what `suffix` adds to each; undefined leaves one out. */
function namesOf(
  evidence: Evidence,
  node: number,
  objectKind: number,
  suffix: (fact: Fact) => string | undefined,
): { readonly names: string[]; readonly isCut: boolean } {
  const names: string[] = [];
  const edge = evidence.plan.directEdges.get(objectKind);
  if (edge === undefined) return { names, isCut: false };
  for (const fact of evidence.facts(node, edge)) {
    const added = fact.weight === DENIED ? undefined : suffix(fact);
    if (added === undefined) continue;
    if (names.length === NAMED_MAX) return { names, isCut: true };
    names.push(`${evidence.subjectOf(fact)}${added}`);
  }
  return { names, isCut: false };
}
