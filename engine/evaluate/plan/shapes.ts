import { QUALIFIED } from '../../store/edge-key.ts';
import type { Restriction } from './plan.ts';

/** The two shapes of tuples of these kinds: without and with a condition or an expiry. */
export function shapesOf(objectKind: number, subjectKind: number): readonly [plain: number, qualified: number] {
  const plain = (objectKind << 16) | subjectKind;
  return [plain, plain | QUALIFIED];
}

export function isQualified(kinds: number): boolean {
  return (kinds & QUALIFIED) !== 0;
}

/**
 * Those of them that can count. Plain tuples may still be stored that the latest model only takes with a condition:
 * nothing may be reached through them.
 */
export function countingShapes(objectKind: number, subjectKind: number, { plain }: Restriction): readonly number[] {
  const shapes = shapesOf(objectKind, subjectKind);
  return plain ? shapes : shapes.slice(1);
}
