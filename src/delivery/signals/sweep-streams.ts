import type { Store } from '#engine';
import { type SweepStep, sweepOrganizations, type WalkDependencies } from '../../kernel/organizations/index.ts';
import { firstTime, type SetAside, timeKey } from '../../platform/index.ts';
import { clientRecords } from '../../protocols/oauth/index.ts';
import { STREAMS_MAX, type StreamEntry, streamRecords } from './records/stream-record.ts';
import { deletionOf } from './transmitter/stream-changes.ts';

/** Clients that one look reads at a time. */
const CLIENTS = 500;

/**
 * Removes streams whose client is gone, one in a step, and ends the time in which receivers are told that their stream was
 * disabled. Answers whether there may be more.
 */
export function sweepStreams(dependencies: WalkDependencies): SweepStep {
  return sweepOrganizations(dependencies, 'signal_streams', {
    plan(store, limit, aside) {
      const left = leftBehind(store, aside);
      if (left !== undefined)
        return { changes: deletionOf(store, left.id), preconditions: [streamRecords.same(store, left)] };
      const told = toldLongEnough(store, dependencies.clock.now(), limit, aside);
      return {
        changes: told.map(({ id, document: { announcedUntil: _, ...document } }) =>
          streamRecords.put(store, id, document),
        ),
        preconditions: told.map((entry) => streamRecords.same(store, entry)),
      };
    },
    nextAt: (store) => firstTime(streamRecords.index(store), 'announced') + 1,
  });
}

/** The ids of clients are never given again. */
function leftBehind(store: Store, aside: SetAside): StreamEntry | undefined {
  const index = streamRecords.index(store);
  for (let after: string | undefined; ; ) {
    const clients = index.keys('client', { after, limit: CLIENTS });
    for (const client of clients) {
      const ids = index.ids('client', client, { limit: STREAMS_MAX + aside.size });
      const stream = read(store, ids, aside)[0];
      if (stream !== undefined && clientRecords.get(store, stream.document.clientId) === undefined) return stream;
    }
    if (clients.length < CLIENTS) return undefined;
    after = clients.at(-1);
  }
}

function toldLongEnough(store: Store, now: number, limit: number, aside: SetAside): StreamEntry[] {
  return read(store, streamRecords.index(store).idsBelow('announced', timeKey(now), limit + aside.size), aside);
}

function read(store: Store, ids: readonly string[], aside: SetAside): StreamEntry[] {
  const readable = ids.filter((id) => !aside.has(streamRecords.collection, id));
  return readable.flatMap(
    (id) => aside.attempt(streamRecords.collection, id, () => streamRecords.get(store, id)) ?? [],
  );
}
