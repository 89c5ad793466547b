import { issueAt } from '../issues.ts';
import type { Model, ModelIssue, RelationDefinition, Rewrite, TypeDefinition } from '../model.ts';
import type { Positions } from '../positions.ts';
import { childrenOf, operandsOf } from '../rewrite.ts';

/**
 * Relations of one type that are computed from themselves (`a: b`, `b: a or c`). No tuple stands between them, so that
 * they say nothing; OpenFGA refuses them too. Each cycle is reported once.
 */
export function cycleIssues(model: Model, positions: Positions): ModelIssue[] {
  return [...model.types.values()].flatMap((type) => typeCycles(type, positions));
}

function typeCycles(type: TypeDefinition, positions: Positions): ModelIssue[] {
  const issues: ModelIssue[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (name: string): void => {
    const start = path.indexOf(name);
    if (start >= 0) {
      const cycle = [...path.slice(start), name].join(' → ');
      issues.push(issueAt(positions.relation(type.name, name), `\`${name}\` is computed from itself: ${cycle}`));
      return;
    }
    if (done.has(name)) return;
    path.push(name);
    for (const next of computedBy(type.relations.get(name))) visit(next);
    path.pop();
    done.add(name);
  };
  for (const name of type.relations.keys()) visit(name);
  return issues;
}

function computedBy(relation: RelationDefinition | undefined): string[] {
  if (relation === undefined) return [];
  const operands = operandsOf(relation.rewrite);
  return [...new Set(operands.flatMap((operand) => (operand.kind === 'computed' ? [operand.relation] : [])))];
}

/** A part of a rewrite that fires when `need` of its own parts have; what has fired counts further down, unheard. */
interface Gate {
  need: number;
  /** Absent for the relation itself, which has a key instead. */
  readonly parent?: Gate;
  readonly key?: string;
}

/**
 * Relations that no tuple can ever make true, such as `[group#member]` where `member` is that relation itself. A
 * relation is possible when its rewrite is, given those already found possible: the least fixpoint, reached in time
 * linear in the size of the model (Dowling and Gallier, 1984). As in OpenFGA, an exclusion needs both its sides.
 */
export function entrypointIssues(model: Model, positions: Positions): ModelIssue[] {
  const listeners = new Map<string, Gate[]>();
  const possible = new Set<string>();
  const open: Gate[] = [];
  for (const type of model.types.values()) {
    for (const relation of type.relations.values()) {
      const root: Gate = { need: 1, key: keyOf(type.name, relation.name) };
      for (const { gate, needs } of leavesOf(relation.rewrite, root, type, relation)) {
        if (needs === 'nothing') open.push(gate);
        else for (const key of needs) listen(listeners, key, gate);
      }
    }
  }
  for (let gate = open.pop(); gate !== undefined; gate = open.pop()) {
    gate.need -= 1;
    if (gate.need !== 0) continue;
    if (gate.parent !== undefined) open.push(gate.parent);
    if (gate.key === undefined) continue;
    possible.add(gate.key);
    for (const listener of listeners.get(gate.key) ?? []) open.push(listener);
  }
  return impossible(model, possible, positions);
}

function listen(listeners: Map<string, Gate[]>, key: string, gate: Gate): void {
  const known = listeners.get(key);
  if (known === undefined) listeners.set(key, [gate]);
  else known.push(gate);
}

function impossible(model: Model, possible: ReadonlySet<string>, positions: Positions): ModelIssue[] {
  const issues: ModelIssue[] = [];
  for (const type of model.types.values()) {
    for (const { name } of type.relations.values()) {
      if (possible.has(keyOf(type.name, name))) continue;
      const message = `\`${name}\` of \`${type.name}\` can never hold: nothing that it accepts leads to a subject`;
      issues.push(issueAt(positions.relation(type.name, name), message));
    }
  }
  return issues;
}

interface Leaf {
  readonly gate: Gate;
  /** The relations of which one must be possible. */
  readonly needs: 'nothing' | ReadonlySet<string>;
}

function leavesOf(rewrite: Rewrite, parent: Gate, type: TypeDefinition, relation: RelationDefinition): Leaf[] {
  switch (rewrite.kind) {
    case 'direct': {
      const usersets = relation.directSubjects.flatMap((subject) =>
        subject.relation === undefined ? [] : [keyOf(subject.type, subject.relation)],
      );
      const open = usersets.length < relation.directSubjects.length;
      return [{ gate: { need: 1, parent }, needs: open ? 'nothing' : new Set(usersets) }];
    }
    case 'computed':
      return [{ gate: { need: 1, parent }, needs: new Set([keyOf(type.name, rewrite.relation)]) }];
    case 'from': {
      const parents = type.relations.get(rewrite.tupleset)?.directSubjects ?? [];
      return [{ gate: { need: 1, parent }, needs: new Set(parents.map((each) => keyOf(each.type, rewrite.relation))) }];
    }
    default: {
      const children = childrenOf(rewrite);
      const gate: Gate = { need: rewrite.kind === 'union' ? 1 : children.length, parent };
      return children.flatMap((child) => leavesOf(child, gate, type, relation));
    }
  }
}

function keyOf(type: string, relation: string): string {
  return `${type}#${relation}`;
}
