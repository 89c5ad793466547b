import { createHash } from 'node:crypto';
import type { TypePlan } from './plan.ts';
import type { PlanParts } from './plan-parts.ts';

/** Types that are shared together: those of the system come first in the models of all organizations. */
const PIECE = 8;

type Piece = ReadonlyMap<string, TypePlan>;

/** The types of a plan, by name. The first of them are shared with plans that begin with the same ones. */
export class PlanTypes {
  readonly #pieces: readonly Piece[];

  private constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  /** @param types each with all that it says as a text, in the order of the model */
  static of(types: readonly (readonly [text: string, TypePlan])[], parts: PlanParts): PlanTypes {
    const pieces: Piece[] = [];
    for (let from = 0; from < types.length; from += PIECE) {
      const some = types.slice(from, from + PIECE);
      const make = (): Piece => new Map(some.map(([, type]) => [type.name, type]));
      // the last ones are those of one organization
      pieces.push(from + PIECE < types.length ? parts.shared(`types ${digestOf(some)}`, make) : make());
    }
    return new PlanTypes(pieces);
  }

  get(name: string): TypePlan | undefined {
    for (const piece of this.#pieces) {
      const type = piece.get(name);
      if (type !== undefined) return type;
    }
    return undefined;
  }

  *values(): Iterable<TypePlan> {
    for (const piece of this.#pieces) yield* piece.values();
  }
}

function digestOf(types: readonly (readonly [text: string, TypePlan])[]): string {
  const hash = createHash('sha256');
  for (const [text] of types) hash.update(`${text}\n`);
  return hash.digest('base64');
}
