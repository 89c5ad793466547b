import type { Store } from '../../open-store.ts';
import type { TupleFilter } from '../../requests.ts';
import type { Tuple } from '../../tuple.ts';

/** Every tuple of a filter, page by page. */
export function* everyTuple(store: Pick<Store, 'readTuples'>, filter: TupleFilter): Generator<Tuple> {
  let cursor: string | undefined;
  do {
    const page = store.readTuples({ ...filter, cursor });
    yield* page.tuples;
    cursor = page.cursor;
  } while (cursor !== undefined);
}
