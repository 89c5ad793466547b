import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, EngineError } from '#engine';
import { commit } from '../../../kernel/commits/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { type Background, type Clock, delayAfter } from '../../../platform/index.ts';
import type { SubscriptionState } from '../records/subscription-state.ts';
import { planResults, type Result } from './plan-results.ts';

export interface ResultsDependencies {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly background: Background;
  /** How subscriptions stand after a commit of their results. */
  readonly onCommitted: (organization: Organization, states: ReadonlyMap<string, SubscriptionState>) => void;
}

/** What comes within this time is put on record by one command. */
const GATHER_MS = 20;
const BATCH_MAX = 500;
const RETRY = { gapMs: 250, maxMs: 30_000 };

interface Gathered {
  readonly result: Result;
  readonly done: () => void;
}

/** Puts results on record: one command for each organization at a time, of all that came meanwhile. */
export class Results {
  readonly #dependencies: ResultsDependencies;
  readonly #waiting = new Map<string, { organization: Organization; gathered: Gathered[] }>();
  readonly #flushing = new Set<Promise<unknown>>();
  #isStopped = false;

  constructor(dependencies: ResultsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Resolves when it is on record, or nobody wants it any more: the organization or the subscription is gone. */
  add(organization: Organization, result: Result): Promise<void> {
    const { name } = organization.store;
    return new Promise((resolve) => {
      const entry = { result, done: resolve };
      const waiting = this.#waiting.get(name);
      if (waiting !== undefined) {
        waiting.gathered.push(entry);
        return;
      }
      this.#waiting.set(name, { organization, gathered: [entry] });
      const flushing = this.#dependencies.background
        .run('deliveries', () => this.#flush(name))
        .finally(() => this.#flushing.delete(flushing));
      this.#flushing.add(flushing);
    });
  }

  /** Resolves when nothing waits. What cannot be put on record now is sent again at the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    while (this.#flushing.size > 0) await Promise.all(this.#flushing);
  }

  async #flush(name: string): Promise<void> {
    const waiting = this.#waiting.get(name);
    if (!this.#isStopped) await sleep(GATHER_MS);
    try {
      while (waiting !== undefined && waiting.gathered.length > 0) {
        const some = waiting.gathered.splice(0, BATCH_MAX);
        await this.#commit(
          waiting.organization,
          some.map(({ result }) => result),
        );
        for (const { done } of some) done();
      }
    } finally {
      this.#waiting.delete(name);
      for (const { done } of waiting?.gathered ?? []) done();
    }
  }

  async #commit(organization: Organization, results: readonly Result[]): Promise<void> {
    const { background } = this.#dependencies;
    for (let failures = 0; ; failures++) {
      try {
        await this.#submit(organization, results);
        return;
      } catch (error) {
        if (isGone(error)) return;
        if (failures === 0) background.failed('deliveries', error, { store: organization.store.name });
        if (!isPassing(error)) return await this.#commitApart(organization, results);
        if (this.#isStopped) return;
        await sleep(delayAfter(failures, RETRY.gapMs, RETRY.maxMs));
      }
    }
  }

  /** Something in it cannot be put on record: the rest is, and of that one its position alone. */
  async #commitApart(organization: Organization, results: readonly Result[]): Promise<void> {
    const [first] = results;
    if (results.length > 1) {
      const half = results.length >> 1;
      await this.#commit(organization, results.slice(0, half));
      await this.#commit(organization, results.slice(half));
    } else if (first?.delivery !== undefined) {
      const { delivery: _, ...rest } = first;
      await this.#commit(organization, [rest]);
    }
  }

  async #submit(organization: Organization, results: readonly Result[]): Promise<void> {
    const { engine, clock, onCommitted } = this.#dependencies;
    const states = await commit(engine, organization.store, (changes) => {
      const planned = planResults({ organization, results, now: clock.now() });
      changes.add(planned);
      return planned.states;
    });
    onCommitted(organization, states);
  }
}

function isGone(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'unknown_store';
}

/** Nothing can be written anywhere now, or others write the same again and again. */
function isPassing(error: unknown): boolean {
  return error instanceof EngineError && (error.code === 'unavailable' || error.code === 'precondition_failed');
}
