import { z } from 'zod';
import { type Engine, EngineError, type Store } from '#engine';
import { type Guard, Problem } from '../../http/index.ts';
import { commit, commitTogether } from '../../kernel/commits/index.ts';
import type { CallCount, Organization } from '../../kernel/organizations/index.ts';
import { defineRecord } from '../../kernel/records/index.ts';
import type { Clock } from '../../platform/index.ts';

/** The calls of an organization: one record for each month, whose id is `2026-11`. */
export const monthRecords = defineRecord({
  collection: 'api_calls',
  holds: 'how many calls an organization made in a month',
  schema: z.strictObject({ calls: z.int() }),
  tellsOfUse: true,
});

/** A thread writes its count of an organization at most this often, and not sooner after the first call. */
const GAP_MS = 60_000;

/** Counts the calls of organizations in one thread, and adds them up in the store. */
export class ApiCalls {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #counts = new Map<string, CallCount>();

  constructor(engine: Engine, clock: Clock) {
    this.#engine = engine;
    this.#clock = clock;
  }

  /** On the way of every call: mostly no more than an addition. */
  note(organization: Pick<Organization, 'calls'> & { readonly store: Pick<Store, 'name'> }): void {
    let count = organization.calls;
    if (!count?.isKept) {
      count = this.#countOf(organization.store.name);
      organization.calls = count;
    }
    count.calls++;
  }

  #countOf(store: string): CallCount {
    let count = this.#counts.get(store);
    if (count === undefined) {
      const now = this.#clock.now();
      count = { calls: 0, isKept: true, month: monthOf(now), writtenAt: now };
      this.#counts.set(store, count);
    }
    return count;
  }

  /**
   * Calls of the current month (UTC): those written, and those of this thread that are not. To be called inside
   * `Engine.read`.
   */
  thisMonth(store: Store): number {
    const month = monthOf(this.#clock.now());
    const count = this.#counts.get(store.name);
    const written = monthRecords.get(store, month)?.document.calls ?? 0;
    return written + (count?.month === month ? count.calls : 0);
  }

  /** Writes what is due, or with `all` everything. To be called every few seconds. */
  async flush(all = false): Promise<void> {
    const now = this.#clock.now();
    const current = monthOf(now);
    const due: (readonly [store: string, count: CallCount])[] = [];
    for (const [store, count] of this.#counts) {
      if (!all && count.month === current && now - count.writtenAt < GAP_MS) continue;
      // of an organization without calls nothing is remembered
      if (count.calls === 0) {
        this.#counts.delete(store);
        count.isKept = false;
      } else due.push([store, count]);
    }
    await commitTogether(due, ([store, count]) => this.#write(store, count));
  }

  async #write(store: string, count: CallCount): Promise<void> {
    const { calls, month } = count;
    const now = this.#clock.now();
    Object.assign(count, { calls: 0, month: monthOf(now), writtenAt: now });
    try {
      await commit(this.#engine, store, (changes) => {
        const written = changes.get(monthRecords, month)?.document.calls ?? 0;
        changes.put(monthRecords, month, { calls: written + calls });
      });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (error.code !== 'unknown_store' && count.month === month) count.calls += calls;
    }
  }
}

function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

/** Whose organization a caller acts in; the platform's own callers act in none. */
type Acting = { readonly organization: Organization } | { readonly kind: string };

/** The same guard, counting the calls of everybody whom it lets in. */
export function countedGuard<Caller extends Acting>(guard: Guard<Caller>, apiCalls: ApiCalls): Guard<Caller> {
  const counted = (caller: Caller | Problem): Caller | Problem => {
    if (!(caller instanceof Problem) && 'organization' in caller) apiCalls.note(caller.organization);
    return caller;
  };
  return {
    foresee: (requests) => guard.foresee?.(requests),
    authenticate(visit) {
      const caller = guard.authenticate(visit);
      return caller instanceof Promise ? caller.then(counted) : counted(caller);
    },
    authorize: (caller, access, visit) => guard.authorize(caller, access, visit),
  };
}
