import type { Reader, View } from '../../evaluate/reader.ts';
import type { Qualifier } from '../../store/change-log.ts';
import { parseTuple, type Tuple } from '../../tuple.ts';
import { tupleText } from '../model-change.ts';

/** An edge of the forward index as the tuple that was written. `kinds` is `object kind << 16 | subject kind`. */
export function edgeTuple(
  reader: Reader,
  view: View,
  object: number,
  kinds: number,
  subject: number,
  qualifier: Qualifier | undefined,
): Tuple {
  const tuple = parseTuple(tupleText(reader, view, object, kinds, subject));
  if (qualifier === undefined) return tuple;
  const { condition, context, expiresAt } = qualifier;
  return {
    ...tuple,
    ...(condition === undefined
      ? {}
      : { condition: { name: condition, ...(context === undefined ? {} : { context }) } }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
