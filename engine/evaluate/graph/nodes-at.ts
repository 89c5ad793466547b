import { type EdgeKey, scanned } from '../../store/edge-key.ts';
import type { Edges } from '../../store/environment.ts';

/**
 * Some of the nodes on the other side of a node's tuples of one shape, by their offset among them. `kinds` as the index
 * has them.
 */
export function nodesAt(
  edges: Edges,
  store: number,
  node: number,
  kinds: number,
  offset: number,
  limit: number,
): number[] {
  return nodesFrom(edges, { store, node, kinds, other: 0 }, offset, limit);
}

/** The same, with offsets from a node of the other side on, which need not be there. */
export function nodesFrom(
  edges: Edges,
  from: Pick<EdgeKey, 'store' | 'node' | 'kinds' | 'other'>,
  offset: number,
  limit: number,
): number[] {
  const start = { ...from, size: 16 };
  const end = { ...from, kinds: from.kinds + 1, size: 12 };
  const found: number[] = [];
  for (const _ of edges.getKeys({ start, end, offset, limit })) found.push(scanned.other);
  return found;
}

/** How many keys of one shape a node has. */
export function countKeys(edges: Edges, store: number, node: number, kinds: number): number {
  const start = { store, node, kinds: kinds >>> 0, other: 0, size: 12 };
  return edges.getKeysCount({ start, end: { ...start, kinds: (kinds >>> 0) + 1 } });
}
