import { Overlay } from '../walk/overlay.ts';

/** The tuples of a store after changes that are not made: added ones are contextual, deleted ones are hidden. */
export class Supposition extends Overlay {
  readonly #gone = new Set<string>();
  readonly #goneNodes = new Set<number>();

  /** A stored tuple. `kinds` is `object kind << 16 | subject kind`, and the subject of a wildcard 0. */
  takeTuple(object: number, kinds: number, subject: number): void {
    this.#gone.add(`${object}/${kinds}/${subject}`);
  }

  /** Every stored tuple that names this node on either side. */
  takeNode(node: number): void {
    this.#goneNodes.add(node);
  }

  override hides(object: number, kinds: number, subject: number): boolean {
    if (this.#goneNodes.has(object) || this.#goneNodes.has(subject)) return true;
    return super.hides(object, kinds, subject) || this.#gone.has(`${object}/${kinds & 0x7fff7fff}/${subject}`);
  }
}
