import { readHead } from '../../engine/store/catalog.ts';
import { openTables, type Tables } from '../../engine/store/environment.ts';
import { recordKey } from '../../engine/store/layout.ts';

export interface RecordPlace {
  readonly store: string;
  readonly collection: string;
  readonly id: string;
}

/** What becomes of a record: bytes that are none, or one whose document is no object. */
export const damages = ['bytes that are no record', 'a document that is null'] as const;

export type Damage = (typeof damages)[number];

/** Damages a record that is there, past everything that writes records: its keys lead to it still. */
export async function damageRecord(path: string, place: RecordPlace, damage: Damage): Promise<void> {
  const tables = openTables({ path });
  const { key, bytes } = found(tables, place);
  const whole = JSON.parse(bytes.toString()) as object;
  const text =
    damage === 'bytes that are no record' ? '{"version":1,"docum' : JSON.stringify({ ...whole, document: null });
  tables.root.transactionSync(() => tables.records.putSync(key, Buffer.from(text)));
  await tables.root.close();
}

function found(tables: Tables, { store, collection, id }: RecordPlace) {
  const number = readHead(tables, store)?.number;
  if (number === undefined) throw new RangeError(`there is no store ${store}`);
  const key = recordKey(number, collection, id);
  const bytes = tables.records.getBinary(key);
  if (bytes === undefined) throw new RangeError(`there is no record ${collection}/${id}`);
  return { key, bytes };
}
