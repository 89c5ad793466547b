/** For each node its successors, by their numbers. */
export type Graph = readonly ReadonlySet<number>[];

interface Visited {
  readonly index: number;
  low: number;
  onStack: boolean;
}

/**
 * The nodes that lie on circles, as the strongly connected components that have one (Tarjan 1972). A node that succeeds
 * itself is one. Its depth is at most the number of nodes.
 */
export function circlesOf(graph: Graph): number[][] {
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
