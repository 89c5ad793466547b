import { MODEL_LIMITS } from '../limits.ts';
import { list, record } from '../plain-json.ts';
import { fault, named } from './words.ts';

interface Written {
  readonly text: string;
  /** Whether it has operators, and so stands in parentheses beside others. */
  readonly isCompound: boolean;
  /** Whether the list of direct subjects is in it, which the language has in the first place alone. */
  readonly isDirect: boolean;
}

/**
 * One relation as the language writes it.
 * @param direct the list of its direct subjects
 */
export function rewriteText(json: unknown, path: string, direct: string): string {
  return write(json, path, direct, 0).text;
}

function write(json: unknown, path: string, direct: string, depth: number): Written {
  if (depth > MODEL_LIMITS.nesting) throw fault(path, `is nested in more than ${MODEL_LIMITS.nesting} others`);
  const { computedUserset, tupleToUserset, union, intersection, difference, ...rest } = record(json, path);
  if (computedUserset !== undefined) return leaf(relationOf(computedUserset, `${path}.computedUserset`));
  if (tupleToUserset !== undefined) {
    const at = `${path}.tupleToUserset`;
    const { tupleset, computedUserset: computed } = record(tupleToUserset, at);
    return leaf(`${relationOf(computed, `${at}.computedUserset`)} from ${relationOf(tupleset, `${at}.tupleset`)}`);
  }
  if (union !== undefined) return joined(union, `${path}.union`, ' or ', direct, depth);
  if (intersection !== undefined) return joined(intersection, `${path}.intersection`, ' and ', direct, depth);
  if (difference !== undefined) {
    const { base, subtract } = record(difference, `${path}.difference`);
    const kept = write(base, `${path}.difference.base`, direct, depth + 1);
    const taken = write(subtract, `${path}.difference.subtract`, direct, depth + 1);
    if (taken.isDirect) {
      const reason =
        'cannot be the list of direct subjects: give that a relation of its own, and subtract the relation';
      throw fault(`${path}.difference.subtract`, reason);
    }
    return { text: `${inside(kept)} but not ${inside(taken)}`, isCompound: true, isDirect: kept.isDirect };
  }
  if (rest.this !== undefined && direct === '[]') {
    throw fault(path, 'needs at least one direct subject: `metadata.relations` lists none');
  }
  if (rest.this !== undefined) return { text: direct, isCompound: false, isDirect: true };
  throw fault(path, 'must be one of this, computedUserset, tupleToUserset, union, intersection, difference');
}

/** The order of operands means nothing, so that the one with the list of direct subjects goes first. */
function joined(json: unknown, path: string, operator: string, direct: string, depth: number): Written {
  const children = list(record(json, path).child, `${path}.child`).map((child, index) =>
    write(child, `${path}.child[${index}]`, direct, depth + 1),
  );
  const [only] = children;
  if (only === undefined) throw fault(`${path}.child`, 'must have an operand');
  if (children.length === 1) return only;
  if (children.filter(({ isDirect }) => isDirect).length > 1) {
    throw fault(path, 'can have one list of direct subjects');
  }
  const ordered = children.toSorted((left, right) => Number(right.isDirect) - Number(left.isDirect));
  return {
    text: ordered.map(inside).join(operator),
    isCompound: true,
    isDirect: ordered.some(({ isDirect }) => isDirect),
  };
}

function inside({ text, isCompound }: Written): string {
  return isCompound ? `(${text})` : text;
}

function leaf(text: string): Written {
  return { text, isCompound: false, isDirect: false };
}

function relationOf(json: unknown, path: string): string {
  return named('relation', record(json, path).relation, `${path}.relation`);
}
