import { createHash } from 'node:crypto';
import type { TypePlan } from './plan.ts';
import type { PlanParts } from './plan-parts.ts';

/** Types that are shared together: those of the system come first in the models of all organizations. */
const PIECE = 8;

type Piece = ReadonlyMap<string, TypePlan>;

const NO_PIECES: readonly Piece[] = [];

/** The types of a plan, by name. The first of them are shared with plans that begin with the same ones. */
export class PlanTypes {
  readonly #pieces: readonly Piece[];
  /** The types of the last piece, those of one organization: so few are found sooner by a linear search. */
  readonly #own: readonly TypePlan[];
  #met: TypePlan | undefined = undefined;
  #metBefore: TypePlan | undefined = undefined;

  private constructor(pieces: readonly Piece[], own: readonly TypePlan[]) {
    this.#pieces = pieces;
    this.#own = own;
  }

  /** @param types each with all that it says as a text, in the order of the model */
  static of(types: readonly (readonly [text: string, TypePlan])[], parts: PlanParts): PlanTypes {
    const shared: Piece[] = [];
    let digest = '';
    let from = 0;
    for (; from + PIECE < types.length; from += PIECE) {
      const some = types.slice(from, from + PIECE);
      digest = digestOf(some, digest);
      shared.push(parts.shared(`types ${digest}`, () => new Map(some.map(([, type]) => [type.name, type]))));
    }
    const own = types.slice(from).map(([, type]) => type);
    // a digest is of all before it, too
    const pieces = shared.length === 0 ? NO_PIECES : parts.shared(`pieces ${digest}`, () => shared);
    return new PlanTypes(pieces, own);
  }

  get(name: string): TypePlan | undefined {
    for (const piece of this.#pieces) {
      const type = piece.get(name);
      if (type !== undefined) return type;
    }
    for (const type of this.#own) if (type.name === name) return type;
    return undefined;
  }

  /** Whether a type is one of these. Two that were asked for last are told without a look at the others. */
  has(type: TypePlan): boolean {
    if (type === this.#met || type === this.#metBefore) return true;
    if (!this.#hasAmongAll(type)) return false;
    this.#metBefore = this.#met;
    this.#met = type;
    return true;
  }

  #hasAmongAll(type: TypePlan): boolean {
    if (this.#own.includes(type)) return true;
    for (const piece of this.#pieces) if (piece.get(type.name) === type) return true;
    return false;
  }

  /** Reads what `has` looks at first. */
  touch(): number {
    return this.#met === undefined ? 0 : 1;
  }

  *values(): Iterable<TypePlan> {
    for (const piece of this.#pieces) yield* piece.values();
    yield* this.#own;
  }
}

function digestOf(types: readonly (readonly [text: string, TypePlan])[], before: string): string {
  const hash = createHash('sha256').update(`${before}\n`);
  for (const [text] of types) hash.update(`${text}\n`);
  return hash.digest('base64');
}
