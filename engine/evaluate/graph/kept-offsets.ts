import { SecondChanceCache } from '../../memory/second-chance-cache.ts';
import { QUALIFIED } from '../../store/edge-key.ts';
import type { Edges } from '../../store/environment.ts';
import { nodesAt, nodesFrom } from './nodes-at.ts';

/** One of so many subjects is kept. */
const STRIDE = 1_024;
/** Subjects that are kept, of eight bytes each. */
const NODES_MAX = 100_000;

/**
 * Subjects at which deep pages of an object's subjects begin: to skip 200,000 of them takes some 6 ms. One of every
 * `STRIDE` skipped subjects is kept until a commit touches a tuple of the object.
 */
export class KeptOffsets {
  /** By object and shape: the subjects at each multiple of the stride, from the first multiple on. */
  readonly #nodes = new SecondChanceCache<string, readonly number[]>(NODES_MAX);

  /** As `nodesAt`. */
  nodesAt(edges: Edges, store: number, node: number, kinds: number, offset: number, limit: number): number[] {
    const wanted = Math.floor(offset / STRIDE);
    if (wanted === 0) return nodesAt(edges, store, node, kinds, offset, limit);
    const nodes = this.#nodesTo(wanted, edges, store, node, kinds);
    const first = nodes[wanted - 1];
    // there are fewer
    if (first === undefined) return [];
    return nodesFrom(edges, { store, node, kinds, other: first }, offset - wanted * STRIDE, limit);
  }

  /** Takes in one tuple of a commit; one with a condition or an expiry may replace one without, and back. */
  touch(store: number, object: number, kinds: number): void {
    if (this.#nodes.size === 0) return;
    const bare = kinds & ~QUALIFIED;
    this.#nodes.delete(nameOf(store, object, bare));
    this.#nodes.delete(nameOf(store, object, bare | QUALIFIED));
  }

  clear(): void {
    this.#nodes.clear();
  }

  #nodesTo(wanted: number, edges: Edges, store: number, node: number, kinds: number): readonly number[] {
    const name = nameOf(store, node, kinds);
    const known = this.#nodes.get(name) ?? [];
    if (known.length >= wanted) return known;
    const nodes = [...known];
    while (nodes.length < wanted) {
      const other = nodes.at(-1) ?? 0;
      const [next] = nodesFrom(edges, { store, node, kinds, other }, STRIDE, 1);
      if (next === undefined) break;
      nodes.push(next);
    }
    this.#nodes.set(name, nodes, nodes.length);
    return nodes;
  }
}

function nameOf(store: number, object: number, kinds: number): string {
  return `${store}/${object}/${kinds >>> 0}`;
}
