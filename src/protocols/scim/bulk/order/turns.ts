import type { Problem } from '../../../../http/index.ts';
import type { ReadOperation } from '../read-bulk.ts';
import { type NamesOf, precedingTurns } from './conflicts.ts';
import { linksOf } from './links.ts';
import { WaitingList } from './waiting-list.ts';

/** When an operation may run. */
export interface Turn {
  readonly operation: ReadOperation;
  /** Of the operation in the request. */
  readonly index: number;
  readonly fault: Problem | undefined;
  /** Turns that must be over. */
  readonly after: ReadonlySet<number>;
}

/**
 * The order in which operations would run one by one, and for each of them what it waits for: what creates the resources
 * that it refers to, and what else its result hangs on. It is the order of the request, in which what refers to a later
 * operation is put off until that one's turn is over (topological order, the smallest index first).
 */
export function turnsOf(operations: readonly ReadOperation[], namesOf: NamesOf): Turn[] {
  const { faults, dependencies } = linksOf(operations);
  const order = topologicalOrder(dependencies);
  const turnAt = new Map(order.map((index, turn) => [index, turn]));
  // each operation of the request is in the order once
  const inOrder = order.map((index) => operations[index] as ReadOperation);
  const preceding = precedingTurns(
    inOrder.map((operation, turn) => (faults[order[turn] as number] === undefined ? operation : nothing)),
    namesOf,
  );
  return inOrder.map((operation, turn) => {
    const index = order[turn] as number;
    const after = new Set(preceding[turn]);
    for (const dependency of dependencies[index] ?? []) after.add(turnAt.get(dependency) as number);
    return { operation, index, fault: faults[index], after };
  });
}

/** What is not performed touches nothing. */
const nothing: ReadOperation = { references: new Set() };

/** Kahn (1962). There are no circles. */
function topologicalOrder(dependencies: readonly ReadonlySet<number>[]): number[] {
  const ready = new WaitingList();
  const dependents: number[][] = dependencies.map(() => []);
  const open = dependencies.map(({ size }, index) => {
    for (const dependency of dependencies[index] ?? []) dependents[dependency]?.push(index);
    if (size === 0) ready.add(index);
    return size;
  });
  const order: number[] = [];
  for (let index = ready.take(); index !== undefined; index = ready.take()) {
    order.push(index);
    for (const dependent of dependents[index] ?? []) {
      open[dependent] = (open[dependent] ?? 0) - 1;
      if (open[dependent] === 0) ready.add(dependent);
    }
  }
  return order;
}
