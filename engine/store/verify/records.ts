import type { Bytes } from '../environment.ts';
import { recordKey, unpack } from '../layout.ts';
import type { StoredRecord } from '../records.ts';
import { type Inspection, isInspected } from './inspection.ts';

/** Every key of every record leads to it, and there are no other keys. Answers how many records there are. */
export function verifyRecords(inspection: Inspection): number {
  const { tables, findings } = inspection;
  let records = 0;
  let indexed = 0;
  let unique = 0;
  for (const { key, value } of tables.records.getRange({})) {
    const store = key.readUInt32BE(0);
    if (!isInspected(inspection, store, 'a record')) continue;
    records++;
    const [collection, id] = key.toString('utf8', 4).split('\0') as [string, string];
    const record = unpack<StoredRecord>(value);
    for (const [index, text] of Object.entries(record.indexes ?? {})) {
      indexed++;
      if (!tables.indexes.doesExist(recordKey(store, collection, index, text, id))) {
        findings.add(`record ${collection}/${id} of store ${store} is not in its index ${index}`);
      }
    }
    for (const [index, text] of Object.entries(record.unique ?? {})) {
      unique++;
      const holder = tables.uniques.getBinary(recordKey(store, collection, index, text));
      if (holder === undefined || !recordKey(store, holder.toString('utf8')).equals(recordKey(store, id))) {
        findings.add(`record ${collection}/${id} of store ${store} does not hold its unique ${index}`);
      }
    }
  }
  findings.same('keys of record indexes', countRows(inspection, tables.indexes), indexed);
  findings.same('unique keys of records', countRows(inspection, tables.uniques), unique);
  return records;
}

function countRows({ live }: Inspection, table: Bytes): number {
  let count = 0;
  for (const key of table.getKeys({})) if (live.has(key.readUInt32BE(0))) count++;
  return count;
}
