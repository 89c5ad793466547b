import type { Engine } from '#engine';
import type { Problem, Reply } from '../../../http/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import type { FollowedStreams } from '../../follow/index.ts';
import type { RevisionTokens } from '../context/revision-tokens.ts';
import { ChangePages } from './change-pages.ts';

export interface WatchDependencies {
  readonly engine: Engine;
  readonly tokens: RevisionTokens;
  readonly streams: FollowedStreams;
}

/** The streams of changes of one thread. */
export class Watches {
  readonly #dependencies: WatchDependencies;
  readonly #pages: ChangePages;

  constructor(dependencies: WatchDependencies) {
    this.#dependencies = dependencies;
    this.#pages = new ChangePages(dependencies.tokens);
  }

  /** The changes of an organization's tuples and models, commit by commit, after a token or from now on. */
  follow(caller: Caller, after: string | undefined): Reply<never> | Problem {
    const { engine, tokens, streams } = this.#dependencies;
    const refusal = streams.refusal(caller);
    if (refusal !== undefined) return refusal;
    const { store } = caller.organization;
    const start = engine.read(() => {
      if (after === undefined) return engine.revision();
      const revision = tokens.revisionOf(after, 'query.after');
      // a revision that cannot be followed is an error answer now, not a stream that breaks
      store.changes(revision, 1);
      return revision;
    });
    return streams.follow(caller, {
      permission: 'tuples.read',
      start,
      after: (position) => {
        const latest = engine.revision();
        const { events, revision } = this.#pages.after(store, position);
        return { events, position: revision, isLast: revision >= latest };
      },
    });
  }
}
