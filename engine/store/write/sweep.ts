import { EngineError } from '../../errors.ts';
import { faultOf } from '../../fault.ts';
import { allHeads } from '../catalog.ts';
import { scanned } from '../edge-key.ts';
import type { Bytes } from '../environment.ts';
import type { WriteContext } from './write-context.ts';

/**
 * Removes tuples of one store whose expiry is at or before `time`: of the store whose tuple expired first. It looks at
 * `limit` of them at most, and the commit is one of that store alone.
 * A tuple that cannot be read stays, is reported, and is not met again: it would block all others.
 */
export function sweepExpired(context: WriteContext, time: number, limit: number): void {
  const due: { store: number; object: number; kinds: number; subject: number; key: Buffer }[] = [];
  for (const key of context.tables.expiry.getKeys({ limit })) {
    if (key.readUIntBE(0, 6) > time) break;
    due.push({
      store: key.readUInt32BE(6),
      object: key.readUInt32BE(10),
      kinds: key.readUInt32BE(14),
      subject: key.readUInt32BE(18),
      key: Buffer.from(key),
    });
  }
  let swept: number | undefined;
  for (const { store, object, kinds, subject, key } of due) {
    const state = context.states.byNumber(store);
    if (state !== undefined) swept ??= store;
    if (state !== undefined && store !== swept) continue;
    const unreadable = state && context.tuples.unreadable(state, object, kinds, subject);
    if (unreadable !== undefined) context.onFault(faultOf(unreadable, 1));
    if (state === undefined || unreadable !== undefined) context.tables.expiry.removeSync(key);
    else context.tuples.deleteEdge(state, object, kinds & 0x7fff7fff, subject);
  }
}

/** Removes up to `limit` entries of a deleted store from every table; repeated until nothing is left. */
export function sweepStore(context: WriteContext, store: number, limit: number): void {
  const head = allHeads(context.tables).find(({ number }) => number === store);
  if (head?.deletedAt === undefined) {
    throw new EngineError('invalid_argument', `only a deleted store is swept, and ${store} is not`, { store });
  }
  let left = limit;
  const { forward, reverse, names, nodes, kinds, shapes, suspended, records, indexes, uniques, listings, chains } =
    context.tables;
  for (const edges of [forward, reverse]) {
    const doomed: { store: number; node: number; kinds: number; other: number; size: number }[] = [];
    for (const _ of edges.getKeys({ start: { store, node: 0, kinds: 0, other: 0, size: 4 }, limit: left })) {
      if (scanned.store !== store) break;
      doomed.push({ ...scanned, size: 16 });
    }
    for (const key of doomed) edges.removeSync(key);
    left -= doomed.length;
    if (left <= 0) break;
  }
  for (const table of [names, nodes, kinds, shapes, suspended, records, indexes, uniques, listings, chains]) {
    if (left <= 0) break;
    left -= sweepTable(table, store, left);
  }
  context.storeChanges.push({ store, op: 'swept', name: left > 0 ? 'done' : '' });
}

function sweepTable(table: Bytes, store: number, limit: number): number {
  const start = Buffer.allocUnsafe(4);
  start.writeUInt32BE(store, 0);
  const doomed: Buffer[] = [];
  for (const key of table.getKeys({ start, limit })) {
    if (key.readUInt32BE(0) !== store) break;
    doomed.push(Buffer.from(key));
  }
  for (const key of doomed) table.removeSync(key);
  return doomed.length;
}
