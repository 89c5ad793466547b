import { type Engine, EngineError } from '#engine';
import {
  eventStream,
  type Problem,
  problem,
  type RenderedEvent,
  type Reply,
  type ServerEvent,
  UnreadChunks,
} from '../../../http/index.ts';
import { type HeldKey, HeldTable } from '../../../identity/limits/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import type { Background, Clock, Limits } from '../../../platform/index.ts';
import type { RevisionTokens } from '../context/revision-tokens.ts';
import { ChangePages, type RenderedPage } from './change-pages.ts';
import { QUIET_MS, RevisionClock } from './revision-clock.ts';

type WatchLimits = Pick<
  Limits,
  'watchers' | 'watchersPerOrganization' | 'watchersPerCredential' | 'heartbeatMs' | 'unreadMs' | 'unreadBytes'
>;

export interface WatchDependencies {
  readonly engine: Engine;
  readonly tokens: RevisionTokens;
  readonly clock: Clock;
  readonly limits: WatchLimits;
  readonly background: Background;
  /** Of `createHeldMemory`, shared by all threads. */
  readonly memory: SharedArrayBuffer;
}

interface Share extends HeldKey {
  readonly of: 'organization' | 'credential';
}

/** The streams of changes of one thread. */
export class Watches {
  readonly #dependencies: WatchDependencies;
  readonly #held: HeldTable;
  readonly #pages: ChangePages;
  readonly #clock: RevisionClock;
  readonly #unread: UnreadChunks;
  #open = 0;

  constructor(dependencies: WatchDependencies) {
    this.#dependencies = dependencies;
    this.#pages = new ChangePages(dependencies.tokens);
    this.#held = new HeldTable(dependencies.memory);
    this.#clock = new RevisionClock(dependencies.engine, dependencies.background);
    const { unreadMs, unreadBytes } = dependencies.limits;
    this.#unread = new UnreadChunks({ stallMs: unreadMs, bytesMax: unreadBytes }, dependencies.background);
  }

  /** The changes of an organization's tuples and models, commit by commit, after a token or from now on. */
  follow(caller: Caller, after: string | undefined): Reply<never> | Problem {
    const { engine, tokens, limits } = this.#dependencies;
    const refusal = this.#refusal(caller);
    if (refusal !== undefined) return refusal;
    const { store } = caller.organization;
    const start = engine.read(() => {
      if (after === undefined) return engine.revision();
      const revision = tokens.revisionOf(after, 'query.after');
      // a revision that cannot be followed is an error answer now, not a stream that breaks
      store.changes(revision, 1);
      return revision;
    });
    const { heartbeatMs } = limits;
    return eventStream((signal) => this.#events(caller, start, signal), { heartbeatMs, unread: this.#unread });
  }

  #refusal(caller: Caller): Problem | undefined {
    if (this.#open >= this.#dependencies.limits.watchers) return tooMany('Too many change streams are open.');
    const share = this.#shares(caller).find(({ key, most }) => this.#held.held(key) >= most);
    if (share === undefined) return undefined;
    return tooMany(`The ${share.of} has ${share.most} change streams open, which is the limit.`);
  }

  #shares({ organization, subject, actor }: Caller): Share[] {
    const { watchersPerOrganization, watchersPerCredential } = this.#dependencies.limits;
    const { slug } = organization;
    return [
      { of: 'organization', key: `organization\n${slug}`, most: watchersPerOrganization },
      {
        of: 'credential',
        key: `credential\n${slug}\n${subject ?? ''}\n${actor ?? ''}`,
        most: watchersPerCredential,
      },
    ];
  }

  /** A stream counts from its first byte to its end: a client may give up before the first byte. */
  async *#events(caller: Caller, start: number, signal: AbortSignal): AsyncGenerator<ServerEvent | RenderedEvent> {
    const shares = this.#shares(caller);
    // other streams may have begun since the request was answered
    if (!this.#held.take(shares)) {
      yield { event: 'error', data: { code: 'rate_limited' } };
      return;
    }
    this.#open++;
    try {
      yield* this.#changes(caller, start, signal);
    } finally {
      this.#open--;
      this.#held.give(shares);
    }
  }

  async *#changes(caller: Caller, start: number, signal: AbortSignal): AsyncGenerator<ServerEvent | RenderedEvent> {
    const { engine, clock } = this.#dependencies;
    const waiter = this.#clock.waiter(signal);
    let after = start;
    let judgedAt = clock.now();
    while (!signal.aborted) {
      const isDue = Math.abs(clock.now() - judgedAt) >= QUIET_MS;
      if (engine.revision() === after && !isDue) {
        await waiter.moved(after);
        continue;
      }
      const page = this.#next(caller, after, isDue);
      if (page === undefined) return;
      if ('code' in page) {
        yield { event: 'error', data: { code: page.code } };
        return;
      }
      if (isDue || page.events.length > 0) judgedAt = clock.now();
      yield* page.events;
      after = page.revision;
    }
  }

  /**
   * In one snapshot: what is there to read, and may it be read? `undefined` if the right has ended. A stream without
   * changes notices that within `QUIET_MS`.
   */
  #next(caller: Caller, after: number, isDue: boolean): RenderedPage | { readonly code: string } | undefined {
    const { engine } = this.#dependencies;
    const { store } = caller.organization;
    try {
      return engine.read(() => {
        const page = this.#pages.after(store, after);
        if (!isDue && page.events.length === 0) return page;
        return caller.isStillValid() && caller.may('tuples.read') ? page : undefined;
      });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return error.code === 'unknown_store' ? undefined : { code: error.code };
    }
  }
}

function tooMany(detail: string): Problem {
  return problem('rate_limited', detail, { headers: { 'retry-after': '5' } });
}
