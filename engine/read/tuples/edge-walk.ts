import { invalidCursor } from '../../evaluate/page-cursor.ts';
import type { Reader, View } from '../../evaluate/reader.ts';
import { type EdgeKey, edgeKey, scanned } from '../../store/edge-key.ts';
import type { Edges } from '../../store/environment.ts';
import { nameKey, u32Key } from '../../store/layout.ts';
import type { EdgeSelection } from './tuple-filter.ts';

/** A position in one of the two indexes: the key to start at. */
export interface EdgePosition {
  readonly node: number;
  readonly kinds: number;
  readonly other: number;
}

/**
 * Walks the part of an index that a selection asks for, in the order of its keys (node, kinds, other), and the nodes
 * of a type in the order of their names. What is not wanted is leapt over: one seek for a run of shapes or for the
 * rest of a node, so that the cost follows what is found and not what lies between.
 */
export class EdgeWalk {
  /** Where to go on, once the walk has spent its steps. */
  stoppedAt: EdgePosition | undefined;
  readonly #reader: Reader;
  readonly #store: number;
  readonly #selection: EdgeSelection;
  readonly #edges: Edges;
  readonly #wanted: ReadonlySet<number>;
  #steps: number;

  /** `steps` is the most keys that may be looked at. */
  constructor(reader: Reader, view: View, selection: EdgeSelection, steps: number) {
    this.#reader = reader;
    this.#store = view.number;
    this.#selection = selection;
    this.#edges = reader.tables[selection.index];
    this.#wanted = new Set(selection.kinds);
    this.#steps = steps;
  }

  /** Each key belongs to the caller. Throws `invalid_cursor` where `from` is no position in this walk. */
  *edges(from: EdgePosition | undefined): Generator<EdgeKey> {
    const { nodes, kinds } = this.#selection;
    const [first] = kinds;
    if (first === undefined) return;
    if (nodes === undefined) yield* this.#scan(from ?? { node: 0, kinds: first, other: 0 }, false);
    else if ('type' in nodes) yield* this.#ofType(nodes.type, first, from);
    else {
      if (from !== undefined && from.node !== nodes.one) throw invalidCursor();
      yield* this.#ofNode(from ?? { node: nodes.one, kinds: first, other: 0 });
    }
  }

  *#ofType(type: string, first: number, from: EdgePosition | undefined): Generator<EdgeKey> {
    const isAtWildcard = from === undefined || from.node === 0;
    if (isAtWildcard && this.#selection.index === 'reverse') {
      yield* this.#ofNode(from ?? { node: 0, kinds: first, other: 0 });
      if (this.stoppedAt !== undefined) return;
    }
    const start = isAtWildcard ? `${type}:` : this.#nameOf(from.node, type);
    const end = nameKey(this.#store, `${type};`); // the character after the colon
    const names = this.#reader.tables.names.getRange({ start: nameKey(this.#store, start), end });
    let next = isAtWildcard ? undefined : from;
    for (const { value } of names) {
      const node = value.readUInt32BE(0);
      yield* this.#ofNode(next ?? { node, kinds: first, other: 0 });
      if (this.stoppedAt !== undefined) return;
      next = undefined;
    }
  }

  #nameOf(node: number, type: string): string {
    const name = this.#reader.tables.nodes.getBinary(u32Key(this.#store, node))?.toString('utf8');
    if (name === undefined || !name.startsWith(`${type}:`)) throw invalidCursor();
    return name;
  }

  *#ofNode(start: EdgePosition): Generator<EdgeKey> {
    const { other, kinds } = this.#selection;
    if (other === undefined) return yield* this.#scan(start, true);
    const key = { ...edgeKey(), store: this.#store, node: start.node, other };
    for (const each of kinds) {
      if (each < start.kinds) continue;
      key.kinds = each;
      if (this.#isSpent(key)) return;
      if (this.#edges.doesExist(key)) yield { ...key };
    }
  }

  /** From a key on, to the end of its node or of the store. */
  *#scan(start: EdgePosition, withinNode: boolean): Generator<EdgeKey> {
    for (let position: EdgePosition | undefined = start; position !== undefined; ) {
      const from: EdgePosition = position;
      position = undefined;
      if (this.#isSpent(from)) return;
      for (const _ of this.#edges.getKeys({ start: { ...from, store: this.#store, size: 16 } })) {
        if (scanned.store !== this.#store || (withinNode && scanned.node !== from.node)) return;
        if (this.#isSpent(scanned)) return;
        if (this.#wanted.has(scanned.kinds)) {
          yield { ...scanned };
          continue;
        }
        position = this.#leap(scanned.node, scanned.kinds, withinNode);
        break;
      }
    }
  }

  /** The next key that can be wanted after a shape that is not. */
  #leap(node: number, kinds: number, withinNode: boolean): EdgePosition | undefined {
    const wanted = this.#selection.kinds;
    const next = wanted.find((each) => each > kinds);
    if (next !== undefined) return { node, kinds: next, other: 0 };
    return withinNode ? undefined : { node: node + 1, kinds: wanted[0] ?? 0, other: 0 };
  }

  #isSpent(at: EdgePosition): boolean {
    if (this.#steps-- > 0) return false;
    this.stoppedAt = { node: at.node, kinds: at.kinds, other: at.other };
    return true;
  }
}
