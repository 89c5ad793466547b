import { SecondChanceCache } from '../../memory/second-chance-cache.ts';
import { QUALIFIED } from '../../store/edge-key.ts';
import type { Edges } from '../../store/environment.ts';
import { nodesAt, nodesFrom } from './nodes-at.ts';

/** One subject of so many is kept. */
const STRIDE = 1_024;
/** Subjects that are kept, of eight bytes each. */
const PLACES_MAX = 100_000;

/**
 * Where deep pages of an object's subjects begin: to pass over 200,000 of them takes some 6 ms. Every so many of those that
 * were passed over, one is kept, until a commit touches a tuple of the object.
 */
export class KeptPlaces {
  /** By object and shape: the subjects at each multiple of the stride, from the first multiple on. */
  readonly #places = new SecondChanceCache<string, readonly number[]>(PLACES_MAX);

  /** As `nodesAt`. */
  nodesAt(edges: Edges, store: number, node: number, kinds: number, offset: number, limit: number): number[] {
    const wanted = Math.floor(offset / STRIDE);
    if (wanted === 0) return nodesAt(edges, store, node, kinds, offset, limit);
    const places = this.#placesTo(wanted, edges, store, node, kinds);
    const place = places[wanted - 1];
    // there are fewer
    if (place === undefined) return [];
    return nodesFrom(edges, { store, node, kinds, other: place }, offset - wanted * STRIDE, limit);
  }

  /** What a commit says of one tuple; one with a condition or an expiry may take the place of one without, and back. */
  touch(store: number, object: number, kinds: number): void {
    if (this.#places.size === 0) return;
    const bare = kinds & ~QUALIFIED;
    this.#places.delete(nameOf(store, object, bare));
    this.#places.delete(nameOf(store, object, bare | QUALIFIED));
  }

  clear(): void {
    this.#places.clear();
  }

  #placesTo(wanted: number, edges: Edges, store: number, node: number, kinds: number): readonly number[] {
    const name = nameOf(store, node, kinds);
    const known = this.#places.get(name) ?? [];
    if (known.length >= wanted) return known;
    const places = [...known];
    while (places.length < wanted) {
      const other = places.at(-1) ?? 0;
      const [next] = nodesFrom(edges, { store, node, kinds, other }, STRIDE, 1);
      if (next === undefined) break;
      places.push(next);
    }
    this.#places.set(name, places, places.length);
    return places;
  }
}

function nameOf(store: number, object: number, kinds: number): string {
  return `${store}/${object}/${kinds >>> 0}`;
}
