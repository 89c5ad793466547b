import { EngineError } from '../errors.ts';
import type { TupleCondition } from '../tuple.ts';

/** `objectType#relation@subjectType`, with the subject's relation: '' for an object, `*` for a wildcard. */
export interface TupleShape {
  readonly type: string;
  readonly relation: string;
  readonly subjectType: string;
  readonly subjectRelation: string;
}

/** Where a column says it, the subject is the wildcard of its type. */
export const NO_NAME = 0xffffffff;

/**
 * Many tuples as columns: each distinct name stands once, and a tuple is two name numbers and a shape number. Plain
 * data that is cloned and transferred between threads in a few blocks, and that the writer applies without making a
 * string of each name. `TuplePacker` makes it, and has checked what `parseObject` and `parseSubject` check.
 */
export interface PackedTuples {
  readonly shapes: readonly TupleShape[];
  /** `type:id` of every object and subject, UTF-8, back to back. */
  readonly names: Uint8Array;
  /** Where each name ends. */
  readonly nameEnds: Uint32Array;
  readonly objects: Uint32Array;
  readonly subjects: Uint32Array;
  readonly shapeOf: Uint16Array;
  /** By the index of the tuple among the columns. */
  readonly qualifiers: readonly (readonly [number, PackedQualifier])[];
}

export interface PackedQualifier {
  readonly condition?: TupleCondition;
  readonly expiresAt?: number;
}

/** Throws `invalid_argument` where the columns do not fit together: nothing of a damaged block is written. */
export function requireWhole(packed: PackedTuples): void {
  const { objects, subjects, shapeOf, nameEnds, names, shapes } = packed;
  let whole = subjects.length === objects.length && shapeOf.length === objects.length;
  let start = 0;
  for (let name = 0; whole && name < nameEnds.length; name++) {
    const end = nameEnds[name] as number;
    whole = end > start && end <= names.length;
    start = end;
  }
  for (let i = 0; whole && i < objects.length; i++) {
    const subject = subjects[i] as number;
    const shape = shapes[shapeOf[i] as number];
    whole =
      (objects[i] as number) < nameEnds.length &&
      shape !== undefined &&
      (shape.subjectRelation === '*' ? subject === NO_NAME : subject < nameEnds.length);
  }
  if (!whole) throw new EngineError('invalid_argument', 'a block of packed tuples is damaged');
}
