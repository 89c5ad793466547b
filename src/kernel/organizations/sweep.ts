import { type Change, type Engine, type Store, sequenceId } from '#engine';
import { isUnreadable, type SetAside } from '../../platform/index.ts';
import { commit, type GatheredChanges } from '../commits/index.ts';
import type { AnyRecordKind, RecordKind } from '../records/index.ts';
import { DUE, type Look, MORE_NOW, NOTHING_DUE, OrganizationWalk, type Visit, type WalkDependencies } from './walk.ts';

export interface SweepPlan extends GatheredChanges {
  /** Once it is committed: tells of it. */
  readonly onCommitted?: () => void;
}

/** A bounded step, for the sweeper: `limit` is for each organization. Answers whether there may be more to do now. */
export type SweepStep = (limit: number) => Promise<boolean>;

/** What is swept in one organization. Both are called inside `Engine.read`. */
export interface Sweep {
  /** Records that are set aside must not be in it. It may be made and not carried out. */
  readonly plan: (store: Store, limit: number, aside: SetAside) => SweepPlan;
  /**
   * When a plan may next have changes, if nothing is committed to the store before: in milliseconds since the epoch.
   * Earlier is no mistake, later is. Absent where plans come from commits alone.
   */
  readonly nextAt?: (store: Store) => number;
  /** Plans come from the time alone: before `nextAt` there is none, whatever is committed. */
  readonly isTimed?: boolean;
}

/**
 * Makes a plan for each organization in which something may be due, and commits it. Nothing may depend on when that
 * happens: what has ended is already refused before it is removed.
 */
export function sweepOrganizations(
  dependencies: WalkDependencies,
  job: string,
  { plan, nextAt = () => NOTHING_DUE, isTimed = false }: Sweep,
): SweepStep {
  const { engine, clock } = dependencies;
  const visit: Visit = async (name, limit, aside) => {
    let planned: SweepPlan = { changes: [] };
    try {
      await commit(engine, name, (changes) => {
        planned = plan(changes.store, limit, aside);
        changes.add(planned);
      });
      if (planned.changes.length > 0) planned.onCommitted?.();
    } catch (error) {
      // the plan is made again, without what it could not remove
      if (!isUnreadable(error) || !setAsideUnreadable(engine, name, planned.changes, aside)) throw error;
    }
    if (planned.changes.length > 0) return MORE_NOW;
    // a record that was set aside may be the one that would be read
    return aside.size > 0 ? DUE : engine.read(() => nextAt(engine.store(name)));
  };
  const look: Look = (name, limit, aside) => {
    const store = engine.store(name);
    if (isTimed) {
      const next = nextAt(store);
      return next > clock.now() ? next : MORE_NOW;
    }
    return plan(store, limit, aside).changes.length > 0 ? MORE_NOW : nextAt(store);
  };
  const walk = new OrganizationWalk(dependencies, { job }, visit, look);
  return (limit) => walk.step(limit);
}

/** Sets aside the unreadable records of a command. Answers whether there were any. */
export function setAsideUnreadable(engine: Engine, name: string, changes: readonly Change[], aside: SetAside): boolean {
  return engine.read(() => {
    const { records } = engine.store(name);
    let found = false;
    for (const change of changes) {
      const record = change.op === 'put_record' ? change.record : change.op === 'delete_record' ? change : undefined;
      if (record === undefined || aside.has(record.collection, record.id)) continue;
      aside.attempt(record.collection, record.id, () => records.get(record.collection, record.id));
      found ||= aside.has(record.collection, record.id);
    }
    return found;
  });
}

/** Removes, in each organization, at most `limit` records of each kind that are over. */
export function sweepExpired(dependencies: WalkDependencies, kinds: readonly AnyRecordKind[]): SweepStep {
  const expiring = kinds.filter(({ facts }) => facts.expires);
  return sweepOrganizations(dependencies, 'expired_records', {
    plan: (store, limit, aside) => ({
      changes: expiring.flatMap((kind) => {
        const ids = kind.expired(store, dependencies.clock.now(), limit + aside.size);
        return kind.deletions(
          store,
          ids.filter((id) => !aside.has(kind.collection, id)),
        );
      }),
    }),
    nextAt: (store) => Math.min(...expiring.map((kind) => kind.firstOver(store))),
    isTimed: true,
  });
}

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
