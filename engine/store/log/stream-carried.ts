import type { Tables } from '../environment.ts';
import { readRevision, revisionKey } from '../layout.ts';

/** `stream-carried/[stream u16]` -> `[sequence u64]`, in `meta`. */
const CARRIED = Buffer.from('stream-carried/');
const ALL_CARRIED = { start: CARRIED, end: Buffer.from('stream-carried0') };
/** `stream-of/[store]` -> `[stream u16]`, in `meta`. */
const ASSIGNED = Buffer.from('stream-of/');
const ALL_ASSIGNED = { start: ASSIGNED, end: Buffer.from('stream-of0') };
const U16_BYTES = 2;

/** Of each side stream: the highest sequence of a message that the log referred to. */
export function readCarried({ meta }: Tables): Map<number, number> {
  const carried = new Map<number, number>();
  for (const { key, value } of meta.getRange(ALL_CARRIED)) {
    carried.set(key.readUInt16BE(CARRIED.length), readRevision(value));
  }
  return carried;
}

/** Belongs to the transaction that applies the messages up to there. */
export function writeCarried({ meta }: Tables, stream: number, sequence: number): void {
  meta.putSync(Buffer.concat([CARRIED, u16(stream)]), revisionKey(sequence));
}

/** For a copy, which is another log. */
export function forgetCarried(tables: Tables): void {
  for (const stream of readCarried(tables).keys()) tables.meta.removeSync(Buffer.concat([CARRIED, u16(stream)]));
}

/** The stores that were moved to a stream, and which one it is. */
export function readAssignments({ meta }: Tables): Map<string, number> {
  const assignments = new Map<string, number>();
  for (const { key, value } of meta.getRange(ALL_ASSIGNED)) {
    assignments.set(key.toString('utf8', ASSIGNED.length), value.readUInt16BE());
  }
  return assignments;
}

/** Belongs to the transaction that applies the message that says so. */
export function writeAssignment({ meta }: Tables, store: string, stream: number): void {
  meta.putSync(Buffer.concat([ASSIGNED, Buffer.from(store)]), u16(stream));
}

/** For a store that is gone, whose name is never used again. */
export function removeAssignment({ meta }: Tables, store: string): void {
  meta.removeSync(Buffer.concat([ASSIGNED, Buffer.from(store)]));
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(U16_BYTES);
  bytes.writeUInt16BE(value);
  return bytes;
}
