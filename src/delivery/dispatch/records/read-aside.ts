import type { RecordEntry, Store } from '#engine';
import type { RecordKind } from '../../../kernel/records/index.ts';
import { isUnreadable, type SetAside } from '../../../platform/index.ts';

type Kind<Document> = Pick<RecordKind<Document>, 'collection' | 'get'>;

/** A record; undefined where there is none, and where it is damaged, which is reported once. */
export function readAside<Document extends object>(
  aside: SetAside,
  kind: Kind<Document>,
  store: Store,
  id: string,
): RecordEntry<Document> | undefined {
  return aside.attempt(kind.collection, id, () => readWhole(kind, store, id));
}

/** A record; undefined where there is none. `damaged` where it cannot be read. */
export function readOrDamaged<Document extends object>(
  kind: Kind<Document>,
  store: Store,
  id: string,
): RecordEntry<Document> | undefined | 'damaged' {
  try {
    return readWhole(kind, store, id);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return 'damaged';
  }
}

/** @throws TypeError where its document is none: what is damaged can be null */
function readWhole<Document extends object>(
  kind: Kind<Document>,
  store: Store,
  id: string,
): RecordEntry<Document> | undefined {
  const entry = kind.get(store, id);
  if (entry !== undefined && (typeof entry.document !== 'object' || entry.document === null)) {
    throw new TypeError(`${kind.collection}/${id} has no document`);
  }
  return entry;
}
