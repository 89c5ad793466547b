import type { ConditionDefinition } from '../../condition/condition.ts';
import { compileMeasured } from '../../condition/index.ts';
import { EngineError } from '../../errors.ts';
import { issueAt, throwIssues } from '../issues.ts';
import { MODEL_LIMITS } from '../limits.ts';
import type { DirectSubject, Model, ModelIssue, TypeDefinition } from '../model.ts';
import { Positions } from '../positions.ts';
import { type Operand, operandsOf, repeatedOperands } from '../rewrite.ts';
import { subjectText } from '../subject-text.ts';
import { boundIssues } from './bounds.ts';
import { cycleIssues, entrypointIssues } from './entrypoints.ts';
import { nameFault } from './names.ts';

/**
 * Checks a model that came from elsewhere than `parseModel`. Throws `invalid_model` with `details.issues`, whose
 * positions are all line 1, column 1: there is no text.
 */
export function validateModel(model: Model): void {
  throwIssues(modelIssues(model, new Positions()));
}

/**
 * Everything that is wrong with a model. Later checks rest on earlier ones: what a relation can reach is looked at
 * only where all names mean something.
 */
export function modelIssues(model: Model, positions: Positions): ModelIssue[] {
  const bounds = boundIssues(model, positions);
  if (bounds.length > 0) return bounds;
  const issues = [
    ...[...model.types.values()].flatMap((type) => typeIssues(model, type, positions)),
    ...conditionIssues(model, positions),
  ];
  if (issues.length > 0) return issues;
  const cycles = cycleIssues(model, positions);
  return cycles.length > 0 ? cycles : entrypointIssues(model, positions);
}

function typeIssues(model: Model, type: TypeDefinition, positions: Positions): ModelIssue[] {
  const issues: ModelIssue[] = [];
  const fault = nameFault('type', type.name);
  if (fault !== undefined) issues.push(issueAt(positions.type(type.name), fault));
  for (const relation of type.relations.values()) {
    const wrongName = nameFault('relation', relation.name);
    if (wrongName !== undefined) issues.push(issueAt(positions.relation(type.name, relation.name), wrongName));
    const operands = operandsOf(relation.rewrite);
    issues.push(...directIssues(type.name, relation.name, operands, relation.directSubjects, positions));
    const known = repetitions(relation.directSubjects);
    for (const [index, subject] of relation.directSubjects.entries()) {
      const twice = known[index] ? `\`${subjectText(subject)}\` is listed twice` : undefined;
      const message = subjectFault(model, subject) ?? twice;
      if (message !== undefined) issues.push(issueAt(positions.subject(type.name, relation.name, index), message));
    }
    for (const index of repeatedOperands(relation.rewrite)) {
      issues.push(issueAt(positions.operand(type.name, relation.name, index), 'this operand is there already'));
    }
    for (const [index, operand] of operands.entries()) {
      issues.push(...operandIssues(model, type, relation.name, operand, index, positions));
    }
  }
  return issues;
}

function directIssues(
  type: string,
  relation: string,
  operands: readonly Operand[],
  subjects: readonly DirectSubject[],
  positions: Positions,
): ModelIssue[] {
  const lists = [...operands.entries()].filter(([, operand]) => operand.kind === 'direct');
  const [, second] = lists;
  if (second !== undefined) {
    return [issueAt(positions.operand(type, relation, second[0]), 'a relation can have one list of direct subjects')];
  }
  if (lists.length === 1 && subjects.length === 0) {
    return [issueAt(positions.relation(type, relation), `\`${relation}\` needs at least one direct subject`)];
  }
  if (lists.length === 0 && subjects.length > 0) {
    return [
      issueAt(positions.relation(type, relation), `\`${relation}\` lists direct subjects but does not accept any`),
    ];
  }
  return [];
}

function subjectFault(model: Model, subject: DirectSubject): string | undefined {
  const { type, relation, wildcard, condition } = subject;
  const known = model.types.get(type);
  if (known === undefined) return `the type \`${type}\` does not exist`;
  if (relation !== undefined && wildcard) return `\`${type}\` cannot be a wildcard and a relation at once`;
  if (relation !== undefined && !known.relations.has(relation)) {
    return `the relation \`${relation}\` of \`${type}\` does not exist`;
  }
  if (condition === undefined || model.conditions.has(condition)) return undefined;
  return `the condition \`${condition}\` does not exist`;
}

/** For each subject, whether an earlier one reads the same. */
function repetitions(subjects: readonly DirectSubject[]): boolean[] {
  const seen = new Set<string>();
  return subjects.map((subject) => {
    const text = subjectText(subject);
    const known = seen.has(text);
    seen.add(text);
    return known;
  });
}

function operandIssues(
  model: Model,
  type: TypeDefinition,
  relation: string,
  operand: Operand,
  index: number,
  positions: Positions,
): ModelIssue[] {
  if (operand.kind === 'direct') return [];
  const at = positions.operand(type.name, relation, index);
  if (operand.kind === 'computed') {
    if (type.relations.has(operand.relation)) return [];
    return [issueAt(at, `the relation \`${operand.relation}\` of \`${type.name}\` does not exist`)];
  }
  const tuplesetAt = positions.tupleset(type.name, relation, index);
  const tupleset = type.relations.get(operand.tupleset);
  if (tupleset === undefined) {
    return [issueAt(tuplesetAt, `the relation \`${operand.tupleset}\` of \`${type.name}\` does not exist`)];
  }
  const objectsAlone = tupleset.directSubjects.every((subject) => subject.relation === undefined && !subject.wildcard);
  if (tupleset.rewrite.kind !== 'direct' || !objectsAlone) {
    const message = `\`${operand.tupleset}\` must list plain object types alone (no \`#\`, no \`:*\`, no operators) to stand after \`from\``;
    return [issueAt(tuplesetAt, message)];
  }
  const parents = tupleset.directSubjects.map((subject) => subject.type);
  if (parents.some((parent) => model.types.get(parent)?.relations.has(operand.relation))) return [];
  const parentTypes = [...new Set(parents)].map((parent) => `\`${parent}\``).join(', ');
  return [issueAt(at, `no type of \`${operand.tupleset}\` (${parentTypes}) has the relation \`${operand.relation}\``)];
}

/** Compiled and thrown away: the point is the type check. */
function conditionIssues(model: Model, positions: Positions): ModelIssue[] {
  const issues: ModelIssue[] = [];
  let patternSize = 0;
  for (const condition of model.conditions.values()) {
    const fault = nameFault('condition', condition.name);
    if (fault !== undefined) issues.push(issueAt(positions.condition(condition.name), fault));
    const checked = checkCondition(condition, positions);
    if (typeof checked === 'object') issues.push(...checked);
    else patternSize += checked;
    if (patternSize > MODEL_LIMITS.patternSize) {
      const message = 'the regular expressions of all conditions together are too large';
      return [...issues, issueAt(positions.condition(condition.name), message)];
    }
  }
  return issues;
}

/** The size of a condition's patterns, or what is wrong with it. */
function checkCondition(condition: ConditionDefinition, positions: Positions): number | ModelIssue[] {
  try {
    return compileMeasured(condition).patternSize;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { issues, parameter, reason } = error.details as {
      readonly issues: readonly ModelIssue[];
      readonly parameter?: string;
      readonly reason: string;
    };
    const message = `condition \`${condition.name}\`: ${reason}`;
    if (parameter !== undefined) return [issueAt(positions.parameter(condition.name, parameter), message)];
    return issues.map(({ line, column }) => issueAt(positions.inExpression(condition.name, line, column), message));
  }
}
