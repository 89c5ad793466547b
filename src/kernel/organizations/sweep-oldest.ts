import { type Store, sequenceId } from '#engine';
import type { SetAside } from '../../platform/index.ts';
import type { RecordKind } from '../records/index.ts';
import { type SweepStep, sweepOrganizations } from './sweep.ts';
import { NOTHING_DUE, type WalkDependencies } from './walk.ts';

/** Records that are appended one after the other, and how long they are kept. */
export interface Retention<Document> {
  /** The name of the job in logs and metrics. */
  readonly job: string;
  readonly records: RecordKind<Document>;
  /** When one was appended, in milliseconds since the epoch. */
  readonly at: (document: Document) => number;
  readonly keptMs: number;
  /** How many are kept, in each organization. */
  readonly keptMax: number;
}

/** Removes, in each organization, records that have been kept long enough or are too many: the oldest first. */
export function sweepOldest<Document>(dependencies: WalkDependencies, retention: Retention<Document>): SweepStep {
  const { job, records, keptMs, keptMax } = retention;
  return sweepOrganizations(dependencies, job, {
    plan(store, limit, aside) {
      const before = dependencies.clock.now() - keptMs;
      const through = sequenceId(Math.max(0, records.appended(store) - keptMax));
      return { changes: records.deletions(store, overIn(store, retention, { before, through }, limit, aside)) };
    },
    nextAt(store) {
      const [oldest] = records.list(store, { limit: 1 });
      return oldest === undefined ? NOTHING_DUE : retention.at(oldest.document) + keptMs + 1;
    },
  });
}

interface Bounds {
  /** Records from before this time are over (milliseconds since the epoch). */
  readonly before: number;
  /** So are those up to this id. */
  readonly through: string;
}

/** Damaged records stay, for "relata verify" to tell of. */
function overIn<Document>(
  store: Store,
  { records, at }: Retention<Document>,
  { before, through }: Bounds,
  limit: number,
  aside: SetAside,
): string[] {
  const over: string[] = [];
  for (const id of records.index(store).ids(undefined, '', { limit: limit + aside.size })) {
    const time = aside.attempt(records.collection, id, () => {
      const entry = records.get(store, id);
      return entry && at(entry.document);
    });
    if (time === undefined) continue;
    if (time >= before && id > through) break;
    over.push(id);
  }
  return over;
}
