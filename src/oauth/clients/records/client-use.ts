import type { Engine } from '#engine';
import type { Clock } from '../../../platform/index.ts';
import { UseNotes } from '../../../sessions/index.ts';
import { type ClientRecord, clientCollection, clientWrite, getClient } from './client-record.ts';

/** Remembers when clients were last used, and writes that down in batches, one client at most once a minute. */
export function createClientUse(engine: Engine, clock: Clock): UseNotes<ClientRecord> {
  return new UseNotes(engine, clock, {
    collection: clientCollection,
    usedAt: ({ lastUsedAt }) => lastUsedAt,
    find: getClient,
    write: (id, document, lastUsedAt) => clientWrite(id, { ...document, lastUsedAt }),
  });
}
