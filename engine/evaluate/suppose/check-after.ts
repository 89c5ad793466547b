import type { Change, ModelWrite } from '../../command/command.ts';
import { EngineError } from '../../errors.ts';
import { modelFromJson } from '../../model/index.ts';
import type { CheckRequest, Decision } from '../../requests.ts';
import { Kinds, loadKinds } from '../../store/catalog.ts';
import { SuspendedSubjects } from '../../store/suspended/suspended-subjects.ts';
import { formatTuple, parseObject, parseSubject, type Tuple } from '../../tuple.ts';
import { compilePlan } from '../plan/compile.ts';
import type { Plan } from '../plan/plan.ts';
import { type Resolver, requireKind } from '../question.ts';
import type { Reader, View } from '../reader.ts';
import { Supposition } from './supposition.ts';

/** What some changes would leave of a store, as differences from what is stored. */
interface After {
  /** By the text of the tuple; `isThere` is false for deleted ones. */
  readonly tuples: Map<string, { readonly tuple: Tuple; readonly isThere: boolean }>;
  readonly goneObjects: Set<string>;
  readonly suspended: Map<string, boolean>;
  model: ModelWrite | undefined;
}

/**
 * The answer that a check would give after changes that are not made. A written tuple that the model does not allow
 * does not count, like a stored one. Packed tuples are ignored.
 */
export function checkAfter(reader: Reader, view: View, changes: readonly Change[], request: CheckRequest): Decision {
  const after = afterAll(changes.filter((change) => 'store' in change && change.store === view.head.name));
  const isSuspended = after.suspended.get(request.subject);
  if (isSuspended === true) return { outcome: 'denied' };
  const asked = isSuspended === false ? { ...view, suspended: new SuspendedSubjects() } : view;
  const plan = planAfter(reader, view, after, request.modelId);
  return reader.checker.checkWith(asked, plan, request, (resolver) => suppose(resolver, plan, after));
}

function afterAll(changes: readonly Change[]): After {
  const after: After = { tuples: new Map(), goneObjects: new Set(), suspended: new Map(), model: undefined };
  for (const change of changes) apply(after, change);
  return after;
}

function apply(after: After, change: Change): void {
  switch (change.op) {
    case 'write_tuples':
      for (const tuple of change.tuples) after.tuples.set(formatTuple(tuple), { tuple, isThere: true });
      return;
    case 'delete_tuples':
      for (const tuple of change.tuples) after.tuples.set(formatTuple(tuple), { tuple, isThere: false });
      return;
    case 'delete_object':
      for (const [text, { tuple }] of after.tuples) if (names(tuple, change.object)) after.tuples.delete(text);
      after.goneObjects.add(change.object);
      after.suspended.set(change.object, false);
      return;
    case 'suspend_subject':
    case 'restore_subject':
      after.suspended.set(change.subject, change.op === 'suspend_subject');
      return;
    case 'write_model':
      after.model = change.model;
      return;
    default:
  }
}

function names({ object, subject }: Tuple, node: string): boolean {
  return object === node || subject === node || subject.startsWith(`${node}#`);
}

/** A compiled model, and the state of the store's kinds that it was compiled for. */
interface Compiled {
  readonly reader: Reader;
  readonly store: number;
  readonly nextKind: number;
  readonly plan: Plan;
}

/** By the supposed model: questions about it often follow one another, and compiling costs the most by far. */
const compiled = new WeakMap<ModelWrite, Compiled>();

function planAfter(reader: Reader, view: View, { model }: After, modelId: string | undefined): Plan {
  if (modelId !== undefined || model === undefined) return reader.plan(view, modelId);
  const { number: store, nextKind } = view.head;
  const known = compiled.get(model);
  if (known?.reader === reader && known.store === store && known.nextKind === nextKind) return known.plan;
  const plan = compileAfter(reader, view, model);
  compiled.set(model, { reader, store, nextKind, plan });
  return plan;
}

function compileAfter(reader: Reader, view: View, model: ModelWrite): Plan {
  const { number, nextKind } = view.head;
  const kinds = new Kinds();
  loadKinds(reader.tables, number, kinds, nextKind);
  let next = nextKind;
  // numbers for these questions alone: nothing is stored under them
  for (const [type, relation] of model.kinds) {
    if (kinds.number(type, relation) === 0) kinds.add(next++, `${type}#${relation}`);
  }
  return compilePlan(model.id, modelFromJson(model.json), kinds);
}

function suppose(resolver: Resolver, plan: Plan, { tuples, goneObjects }: After): Supposition {
  const supposition = new Supposition();
  for (const object of goneObjects) supposition.takeNode(resolver.node(object));
  for (const { tuple, isThere } of tuples.values()) {
    if (isThere) ifItFits(() => resolver.addTo(supposition, tuple));
    else ifItFits(() => take(supposition, resolver, plan, tuple));
  }
  return supposition;
}

function take(supposition: Supposition, resolver: Resolver, plan: Plan, tuple: Tuple): void {
  const subject = parseSubject(tuple.subject);
  const objectKind = requireKind(plan, parseObject(tuple.object).type, tuple.relation);
  const subjectKind = requireKind(plan, subject.type, subject.relation);
  const node = subject.relation === '*' ? 0 : resolver.node(`${subject.type}:${subject.id}`);
  supposition.takeTuple(resolver.node(tuple.object), (objectKind << 16) | subjectKind, node);
}

function ifItFits(task: () => void): void {
  try {
    task();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
}
