import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Engine, EngineError } from '#engine';
import { type Background, type Clock, SetAside, Setbacks } from '../../platform/index.ts';
import type { AnyRecordKind } from '../records/index.ts';
import { storeOf } from './organization.ts';
import { Schedule } from './schedule.ts';

export interface WalkDependencies {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly background: Background;
  /** Every kind of record that there is. */
  readonly records: readonly Pick<AnyRecordKind, 'collection' | 'facts'>[];
}

export interface WalkOptions {
  /** The name of the job in logs and metrics. */
  readonly job: string;
  /** Gap between the starts of two rounds; none if omitted. */
  readonly roundMs?: number;
  /** Organizations at a time: their commits share one flush. */
  readonly atOnce?: number;
}

/**
 * The work in one organization, by the name of its store. Answers when there is something to do there again if nothing
 * is committed to its store meanwhile, in milliseconds since the epoch: `MORE_NOW` if at once, infinity if never.
 */
export type Visit = (store: string, limit: number, aside: SetAside) => Promise<number>;

/**
 * The same for an organization with nothing to do, without a wait: answers `MORE_NOW` where the visit itself is needed.
 * Called inside `Engine.read`, and writes nothing.
 */
export type Look = (store: string, limit: number, aside: SetAside) => number;

export const MORE_NOW = Number.NEGATIVE_INFINITY;
/** There may be something to do in the next round. */
export const DUE = 0;
/** What comes next depends on commits alone. */
export const NOTHING_DUE = Number.POSITIVE_INFINITY;

/** Organizations of one step. */
const STEP_MAX = 500;
const AT_ONCE = 100;
/** Those that are looked at in one turn of the thread. */
const SLICE = 50;
/** Wait before an organization is visited again after a failure: longer each time. */
const SETBACK = { gapMs: 10_000, maxMs: 3_600_000 };

/**
 * Visits the organizations in which something may be due, a bounded number in each step: first all of them, then those
 * whose time has come and those that commits have touched. A failed visit is reported, and its organization waits,
 * longer each time, while the others go on. Records that cannot be read are set aside.
 */
export class OrganizationWalk {
  readonly #dependencies: WalkDependencies;
  readonly #options: WalkOptions;
  readonly #visit: Visit;
  readonly #look: Look;
  readonly #schedule: Schedule;
  readonly #setbacks = new Setbacks(SETBACK.gapMs, SETBACK.maxMs);
  /** By store, where there are any. */
  readonly #asides = new Map<string, SetAside>();
  #waiting: string[] = [];
  #roundAt = Number.NEGATIVE_INFINITY;

  /** @param look before each visit. Nearly all organizations have nothing to do, and a look costs a part of a visit. */
  constructor(dependencies: WalkDependencies, options: WalkOptions, visit: Visit, look: Look = () => MORE_NOW) {
    this.#dependencies = dependencies;
    this.#options = options;
    this.#visit = visit;
    this.#look = look;
    this.#schedule = new Schedule(dependencies.engine, storeOf(''), collectionsOfUse(dependencies.records));
  }

  /** `limit` is for each visit. Answers whether there may be more to do now. */
  async step(limit: number): Promise<boolean> {
    if (this.#waiting.length === 0 && !this.#begin()) return false;
    const { atOnce = AT_ONCE } = this.#options;
    const stores = await this.#unsettled(this.#waiting.splice(0, STEP_MAX), limit);
    for (let from = 0; from < stores.length; from += atOnce) {
      const some = stores.slice(from, from + atOnce);
      const more = await Promise.all(some.map((store) => this.#guarded(store, limit)));
      this.#waiting.push(...some.filter((_, index) => more[index]));
    }
    return this.#waiting.length > 0;
  }

  #begin(): boolean {
    const now = this.#dependencies.clock.now();
    const since = now - this.#roundAt;
    // if the clock was set back, a round does not wait until it has caught up
    if (since >= 0 && since < (this.#options.roundMs ?? 0)) return false;
    this.#roundAt = now;
    this.#waiting = this.#schedule.due(now).filter((name) => this.#setbacks.mayTry(name, now));
    return this.#waiting.length > 0;
  }

  /** In slices, so that nobody waits long, and what is read for an organization is used before it is old. */
  async #unsettled(stores: readonly string[], limit: number): Promise<string[]> {
    const unsettled: string[] = [];
    for (let from = 0; from < stores.length; from += SLICE) {
      if (from > 0) await nextTurn();
      for (const store of stores.slice(from, from + SLICE)) if (!this.#isSettled(store, limit)) unsettled.push(store);
    }
    return unsettled;
  }

  /** Whether a look found nothing to do. A look that fails counts as a visit that is needed: that reports the error. */
  #isSettled(store: string, limit: number): boolean {
    if (this.#asides.has(store)) return false;
    const { engine, background } = this.#dependencies;
    const aside = new SetAside(background, this.#options.job, store);
    let next: number;
    try {
      next = engine.read(() => this.#look(store, limit, aside));
    } catch {
      return false;
    }
    if (aside.size > 0) {
      // so that the visit does not report them again
      this.#asides.set(store, aside);
      return false;
    }
    if (next === MORE_NOW) return false;
    this.#setbacks.succeeded(store);
    this.#schedule.set(store, next);
    return true;
  }

  /** Where it fails, the organization stays due. */
  async #guarded(store: string, limit: number): Promise<boolean> {
    const { background } = this.#dependencies;
    const aside = this.#asides.get(store) ?? new SetAside(background, this.#options.job, store);
    try {
      const next = await this.#visit(store, limit, aside);
      this.#setbacks.succeeded(store);
      if (next === MORE_NOW) return true;
      // what was set aside is tried again after its time
      this.#schedule.set(store, aside.size > 0 ? DUE : next);
      return false;
    } catch (error) {
      if (isGone(error)) {
        this.#schedule.set(store, NOTHING_DUE);
        return false;
      }
      // nothing can be written anywhere now: not a failure of this organization
      if (error instanceof EngineError && error.code === 'unavailable') throw error;
      this.#setbacks.failed(store, this.#dependencies.clock.now());
      background.failed(this.#options.job, error, { store });
      return false;
    } finally {
      if (aside.size > 0) this.#asides.set(store, aside);
      else this.#asides.delete(store);
    }
  }
}

/** An organization's slug, by the name of its store. */
export function slugOf(store: string): string {
  return store.slice(storeOf('').length);
}

/** Records that only say that something is used, which makes nothing due. */
function collectionsOfUse(records: WalkDependencies['records']): string[] {
  return records.filter(({ facts }) => facts.tellsOfUse).map(({ collection }) => collection);
}

/** Deleted since it was listed. */
function isGone(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'unknown_store';
}
