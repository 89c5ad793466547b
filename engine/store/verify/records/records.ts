import type { Bytes } from '../../environment.ts';
import { parseRecordKey, recordKey } from '../../layout.ts';
import { appendedCollection, countCollection, countId, isCounted } from '../../records/counts.ts';
import { sequenceId } from '../../records/sequence-id.ts';
import { recordOf, type StoredRecord } from '../../records/stored-record.ts';
import { type Inspection, isInspected } from '../inspection.ts';

/** Every key of every record leads to it, and there are no other keys. Answers how many records there are. */
export function verifyRecords(inspection: Inspection): number {
  const { tables, findings } = inspection;
  const counts = new Map<string, number>();
  const counted = new Map<string, number>();
  const appended = new Map<string, number>();
  /** The last id of each collection. */
  const last = new Map<string, string>();
  let records = 0;
  let indexed = 0;
  let unique = 0;
  for (const { key, value } of tables.records.getRange({})) {
    const { store, collection, id } = parseRecordKey(key);
    if (!isInspected(inspection, store, 'a record')) continue;
    const record = readableRecord(value, key);
    if (record === undefined) {
      findings.add(`record ${collection}/${id} of store ${store} cannot be read`);
      continue;
    }
    if (collection === countCollection) {
      counts.set(`${store} ${id}`, record.document as number);
      continue;
    }
    if (collection === appendedCollection) {
      appended.set(`${store} ${id}`, record.document as number);
      continue;
    }
    last.set(`${store} ${collection}`, id);
    if (record.document === null) findings.add(`record ${collection}/${id} of store ${store} has no document`);
    records++;
    for (const [index, text] of Object.entries(record.indexes ?? {})) {
      indexed++;
      if (isCounted(index)) add(counted, `${store} ${shortened(countId(collection, index, text))}`);
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
  for (const name of new Set([...counts.keys(), ...counted.keys()])) {
    findings.same(`records counted as ${name}`, counts.get(name) ?? 0, counted.get(name) ?? 0);
  }
  for (const [name, count] of appended) {
    if ((last.get(name) ?? '') > sequenceId(count)) findings.add(`ids of ${name} go on beyond ${count}`);
  }
  findings.same('keys of record indexes', countRows(inspection, tables.indexes), indexed);
  findings.same('unique keys of records', countRows(inspection, tables.uniques), unique);
  return records;
}

/** `undefined` where the bytes are no record. */
export function readableRecord(bytes: Buffer, key: Buffer): StoredRecord | undefined {
  try {
    const record: unknown = recordOf(bytes, key);
    const isRecord = typeof record === 'object' && record !== null && 'version' in record && 'document' in record;
    return isRecord ? (record as StoredRecord) : undefined;
  } catch {
    return undefined;
  }
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** As an id comes back from its key, where a long one keeps its start and a hash. */
function shortened(id: string): string {
  return recordKey(0, id).toString('utf8', 4);
}

function countRows({ live }: Inspection, table: Bytes): number {
  let count = 0;
  for (const key of table.getKeys({})) if (live.has(key.readUInt32BE(0))) count++;
  return count;
}
