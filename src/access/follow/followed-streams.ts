import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Engine, EngineError } from '#engine';
import {
  eventStream,
  type Problem,
  ProblemError,
  problem,
  type RenderedEvent,
  type Reply,
  type ServerEvent,
  UnreadChunks,
} from '../../http/index.ts';
import { type HeldKey, HeldTable } from '../../identity/limits/index.ts';
import type { Caller, RequireHeard } from '../../kernel/organizations/index.ts';
import type { Background, Clock, Limits } from '../../platform/index.ts';
import { QUIET_MS, RevisionClock } from './revision-clock.ts';

type StreamLimits = Pick<
  Limits,
  'watchers' | 'watchersPerOrganization' | 'watchersPerCredential' | 'heartbeatMs' | 'unreadMs' | 'unreadBytes'
>;

export interface StreamDependencies {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly limits: StreamLimits;
  readonly background: Background;
  /** Of `createHeldMemory`, shared by all threads. */
  readonly memory: SharedArrayBuffer;
  /** On a node of a cluster. */
  readonly requireHeard?: RequireHeard | undefined;
}

/** What comes after a position. */
export interface FollowedPage {
  readonly events: readonly (ServerEvent | RenderedEvent)[];
  /** Where to go on from. */
  readonly position: number;
  /** Whether nothing more comes before the next commit. */
  readonly isLast: boolean;
}

/** What a stream follows. */
export interface Followed {
  readonly permission: Parameters<Caller['may']>[0];
  readonly start: number;
  /** To be called inside `Engine.read`. A problem or an error ends the stream. @throws EngineError */
  readonly after: (position: number) => FollowedPage | Problem;
}

interface Share extends HeldKey {
  readonly of: 'organization' | 'credential';
}

/**
 * The streams of one thread that follow an organization: its tuples, or its events. They are bounded together, for each
 * organization and credential, and each ends with the right to read what it sends.
 */
export class FollowedStreams {
  readonly #dependencies: StreamDependencies;
  readonly #held: HeldTable;
  readonly #clock: RevisionClock;
  readonly #unread: UnreadChunks;
  #open = 0;

  constructor(dependencies: StreamDependencies) {
    this.#dependencies = dependencies;
    this.#held = new HeldTable(dependencies.memory);
    this.#clock = new RevisionClock(dependencies.engine, dependencies.background);
    const { unreadMs, unreadBytes } = dependencies.limits;
    this.#unread = new UnreadChunks({ stallMs: unreadMs, bytesMax: unreadBytes }, dependencies.background);
  }

  /** Why the caller can open no other stream now. */
  refusal(caller: Caller): Problem | undefined {
    if (this.#open >= this.#dependencies.limits.watchers) return tooMany('Too many change streams are open.');
    const share = this.#shares(caller).find(({ key, most }) => this.#held.held(key) >= most);
    if (share === undefined) return undefined;
    return tooMany(`The ${share.of} has ${share.most} change streams open, which is the limit.`);
  }

  follow(caller: Caller, followed: Followed): Reply<never> {
    const { heartbeatMs } = this.#dependencies.limits;
    return eventStream((signal) => this.#events(caller, followed, signal), { heartbeatMs, unread: this.#unread });
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
  async *#events(caller: Caller, followed: Followed, signal: AbortSignal): AsyncGenerator<ServerEvent | RenderedEvent> {
    const shares = this.#shares(caller);
    // other streams may have begun since the request was answered
    if (!this.#held.take(shares)) {
      yield { event: 'error', data: { code: 'rate_limited' } };
      return;
    }
    this.#open++;
    try {
      yield* this.#pages(caller, followed, signal);
    } finally {
      this.#open--;
      this.#held.give(shares);
    }
  }

  async *#pages(caller: Caller, followed: Followed, signal: AbortSignal): AsyncGenerator<ServerEvent | RenderedEvent> {
    const { engine, clock } = this.#dependencies;
    const waiter = this.#clock.waiter(signal);
    let after = followed.start;
    let judgedAt = clock.now();
    /** The revision at which there was nothing more. */
    let seen: number | undefined;
    while (!signal.aborted) {
      const isDue = Math.abs(clock.now() - judgedAt) >= QUIET_MS;
      const revision = engine.revision();
      if (revision === seen && !isDue) {
        await waiter.moved(revision);
        continue;
      }
      const page = this.#next(caller, followed, after, isDue);
      if (page === undefined) return;
      if ('code' in page) {
        yield { event: 'error', data: { code: page.code } };
        return;
      }
      if (isDue || page.events.length > 0) judgedAt = clock.now();
      yield* page.events;
      after = page.position;
      seen = page.isLast ? revision : undefined;
      // many pages may have nothing for it: others get their turn in between
      if (!page.isLast) await nextTurn();
    }
  }

  /**
   * In one snapshot: what is there to read, and may it be read? `undefined` if the right has ended. A stream without
   * changes notices that within `QUIET_MS`.
   */
  #next(
    caller: Caller,
    { after, permission }: Followed,
    position: number,
    isDue: boolean,
  ): FollowedPage | { readonly code: string } | undefined {
    try {
      if (isDue) this.#dependencies.requireHeard?.(caller.scopes === undefined ? 'key' : 'token');
      return this.#dependencies.engine.read(() => {
        const page = after(position);
        if ('kind' in page) return { code: page.kind.code };
        if (!isDue && page.events.length === 0) return page;
        return caller.isStillValid() && caller.may(permission) ? page : undefined;
      });
    } catch (error) {
      if (error instanceof ProblemError) return { code: error.problem.kind.code };
      if (!(error instanceof EngineError)) throw error;
      return error.code === 'unknown_store' ? undefined : { code: error.code };
    }
  }
}

function tooMany(detail: string): Problem {
  return problem('rate_limited', detail, { headers: { 'retry-after': '5' } });
}
