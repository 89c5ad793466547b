import { type Problem, problem } from '../../../../http/index.ts';
import { scimProblems } from '../../errors/scim-errors.ts';
import { bulkProblems } from '../bulk-result.ts';
import type { ReadOperation } from '../read-bulk.ts';

/** How operations refer to each other, by their indexes in the request. */
interface Links {
  /** Why an operation is not performed, where that is known before any is. */
  readonly faults: readonly (Problem | undefined)[];
  /** The operations that create what an operation refers to. Those with a fault wait for none. */
  readonly dependencies: Graph;
}

/** Most operations that a text names. */
const NAMED_MAX = 10;

/**
 * Finds who waits for whom. A bulkId is unique within a request (RFC 7644, 3.7): where several operations have the same,
 * nobody can know which one is meant, and none of them is performed. What refers to each other in a circle is refused
 * (3.7.1), and the others go on.
 */
export function linksOf(operations: readonly ReadOperation[]): Links {
  const creators = creatorsOf(operations);
  const faults = operations.map((operation) => operation.fault ?? referenceFault(operation, creators));
  const dependencies = operations.map(({ references }, index) => {
    const found = faults[index] === undefined ? [...references].flatMap((each) => creators.get(each) ?? []) : [];
    return new Set(found);
  });
  for (const circle of circlesOf(dependencies)) {
    const fault = circleFault(circle.toSorted((left, right) => left - right).map((index) => operations[index]));
    for (const index of circle) {
      faults[index] = fault;
      dependencies[index] = new Set();
    }
  }
  return { faults, dependencies };
}

/** The indexes of the operations that create something, by their bulkIds. */
function creatorsOf(operations: readonly ReadOperation[]): ReadonlyMap<string, readonly number[]> {
  const creators = new Map<string, number[]>();
  operations.forEach(({ method, bulkId }, index) => {
    if (method !== 'POST' || bulkId === undefined) return;
    const indexes = creators.get(bulkId);
    if (indexes === undefined) creators.set(bulkId, [index]);
    else indexes.push(index);
  });
  return creators;
}

function referenceFault(
  { method, bulkId, references }: ReadOperation,
  creators: ReadonlyMap<string, readonly number[]>,
): Problem | undefined {
  const isAmbiguous = (each: string): boolean => (creators.get(each)?.length ?? 0) > 1;
  if (method === 'POST' && bulkId !== undefined && isAmbiguous(bulkId)) {
    return problem(scimProblems.invalidValue, `bulkId: ${bulkId} is the bulkId of several operations.`);
  }
  for (const each of references) {
    if (!creators.has(each)) return unresolved(each, 'no operation of this request creates it');
    if (isAmbiguous(each)) return unresolved(each, 'several operations have this bulkId');
  }
  return undefined;
}

/** That an operation refers to what is not there. */
export function unresolved(bulkId: string, reason: string): Problem {
  return problem(scimProblems.invalidValue, `bulkId:${bulkId} cannot be resolved: ${reason}.`);
}

/** They have bulkIds: otherwise nothing could refer to them. */
function circleFault(circle: readonly (ReadOperation | undefined)[]): Problem {
  const named = circle.slice(0, NAMED_MAX).map((each) => each?.bulkId ?? '');
  const rest = circle.length > NAMED_MAX ? ` and ${circle.length - NAMED_MAX} more` : '';
  const detail = `The operations with these bulkIds refer to each other in a circle: ${named.join(', ')}${rest}.`;
  return problem(bulkProblems.circular_reference, detail);
}

/** For each node its successors, by their numbers. */
type Graph = readonly ReadonlySet<number>[];

interface Visited {
  readonly index: number;
  low: number;
  onStack: boolean;
}

/**
 * The nodes that lie on circles, as the strongly connected components that have one (Tarjan 1972). A node that succeeds
 * itself is one. Its depth is at most the number of nodes.
 */
function circlesOf(graph: Graph): number[][] {
  const visited = new Map<number, Visited>();
  const stack: number[] = [];
  const circles: number[][] = [];
  const visit = (node: number): Visited => {
    const own: Visited = { index: visited.size, low: visited.size, onStack: true };
    visited.set(node, own);
    stack.push(node);
    for (const next of graph[node] ?? []) {
      const known = visited.get(next);
      if (known === undefined) own.low = Math.min(own.low, visit(next).low);
      else if (known.onStack) own.low = Math.min(own.low, known.index);
    }
    if (own.low === own.index) {
      const component = stack.splice(stack.lastIndexOf(node));
      for (const each of component) (visited.get(each) as Visited).onStack = false; // all on the stack were visited
      if (component.length > 1 || graph[node]?.has(node) === true) circles.push(component);
    }
    return own;
  };
  for (let node = 0; node < graph.length; node++) if (!visited.has(node)) visit(node);
  return circles;
}
