import type { Change } from './command/command.ts';
import type { EngineCore } from './engine-core.ts';
import type { Reader } from './evaluate/reader.ts';
import { commitNotes, isSlim } from './store/change-log.ts';
import { scanned } from './store/edge-key.ts';
import type { Bytes, Tables } from './store/environment.ts';
import { readRevision } from './store/layout.ts';

/**
 * One bounded step of removing what has ended: expired tuples first, then the data of deleted stores. Answers whether
 * there was anything, so that a caller goes on until there is not.
 */
export async function sweep(core: EngineCore, limit: number): Promise<boolean> {
  const change = core.reader.read(() => nextStep(core.reader, core.clock(), limit));
  if (change === undefined) return false;
  await core.submit([change]);
  return true;
}

/** One bounded step that removes commits older than a time from the log. Answers whether there was one. */
export async function trimLog({ reader, submit }: EngineCore, before: number, limit: number): Promise<boolean> {
  const isDue = reader.read(() => {
    const { revision } = reader.snapshot;
    for (const { key, value } of reader.tables.log.getRange({ limit: 1 })) {
      return readRevision(key) < revision && !isSlim(value) && commitNotes(value).time < before;
    }
    return false;
  });
  if (isDue) await submit([{ op: 'trim_log', before, limit }]);
  return isDue;
}

function nextStep({ tables, catalog }: Reader, time: number, limit: number): Change | undefined {
  for (const key of tables.expiry.getKeys({ limit: 1 })) {
    if (key.readUIntBE(0, 6) <= time) return { op: 'sweep_expired', limit };
  }
  for (const store of catalog.deleted) {
    if (hasData(tables, store)) return { op: 'sweep_store', storeNumber: store, limit };
    catalog.cleaned(store);
  }
  return undefined;
}

function hasData(tables: Tables, store: number): boolean {
  for (const edges of [tables.forward, tables.reverse]) {
    for (const _ of edges.getKeys({ start: { store, node: 0, kinds: 0, other: 0, size: 4 }, limit: 1 })) {
      if (scanned.store === store) return true;
    }
  }
  const { names, nodes, kinds, shapes, suspended, records, indexes, uniques, listings, chains } = tables;
  return [names, nodes, kinds, shapes, suspended, records, indexes, uniques, listings, chains].some((table) =>
    hasKeysOf(table, store),
  );
}

function hasKeysOf(table: Bytes, store: number): boolean {
  const start = Buffer.allocUnsafe(4);
  start.writeUInt32BE(store, 0);
  for (const key of table.getKeys({ start, limit: 1 })) return key.readUInt32BE(0) === store;
  return false;
}
