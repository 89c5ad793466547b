import type { Engine } from '#engine';
import { UseNotes } from '../../../../kernel/commits/index.ts';
import type { Clock } from '../../../../platform/index.ts';
import { type ClientRecord, clientRecords } from './client-record.ts';

/** Remembers when clients were last used, and writes that down in batches, one client at most once a minute. */
export function createClientUse(engine: Engine, clock: Clock): UseNotes<ClientRecord> {
  return new UseNotes(engine, clock, {
    records: clientRecords,
    usedAt: ({ lastUsedAt }) => lastUsedAt,
    find: (store, id) => clientRecords.get(store, id),
    used: (document, lastUsedAt) => ({ ...document, lastUsedAt }),
  });
}
