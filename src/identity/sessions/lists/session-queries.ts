import {
  type Family,
  type ListQuery,
  offsetOf,
  pagedAnswer,
  type Slice,
  singleAnswer,
} from '../../../kernel/lists/index.ts';
import type { QueryHandler, QueryTask } from '../../../kernel/queries/index.ts';
import type { Clock } from '../../../platform/index.ts';
import { readLifetime } from '../records/session-record.ts';
import { type SessionFilter, sessionPage, sessionStats } from './session-page.ts';
import { type TokenFilter, tokenPage } from './token-page.ts';
import { sessionView, tokenView } from './views.ts';

export interface SessionListTask extends QueryTask {
  readonly kind: 'session_list';
  readonly filter: SessionFilter;
  readonly query: ListQuery;
  readonly family: Family;
}

export interface SessionStatsTask extends QueryTask {
  readonly kind: 'session_stats';
  readonly family: Family;
  /** The number of active ones alone. */
  readonly isCount: boolean;
}

export interface TokenListTask extends QueryTask {
  readonly kind: 'token_list';
  readonly filter: TokenFilter;
  readonly query: ListQuery;
  readonly family: Family;
}

/** Lists and counts, for the pool: what stands before a deep page, or behind it, is passed over one by one. */
export function sessionQueries(clock: Clock): QueryHandler[] {
  const sessions: QueryHandler<SessionListTask> = {
    kind: 'session_list',
    permission: 'sessions.read',
    answer({ organization: { store } }, { filter, query, family }) {
      const { items, total } = sessionPage(store, filter, sliceOf(query), clock.now());
      const lifetime = readLifetime(store);
      const views = items.map(({ session, isActive }) => sessionView(store, session, isActive, lifetime, family));
      return pagedAnswer(views, { total }, query.page, family);
    },
  };
  const stats: QueryHandler<SessionStatsTask> = {
    kind: 'session_stats',
    permission: 'sessions.read',
    answer({ organization: { store } }, { family, isCount }) {
      const found = sessionStats(store, clock.now());
      return singleAnswer(isCount ? { count: found.active } : found, family);
    },
  };
  const tokens: QueryHandler<TokenListTask> = {
    kind: 'token_list',
    permission: 'tokens.read',
    answer({ organization: { store } }, { filter, query, family }) {
      const { items, total } = tokenPage(store, filter, sliceOf(query), clock.now());
      return pagedAnswer(items.map(tokenView), { total }, query.page, family);
    },
  };
  return [sessions, stats, tokens] as QueryHandler[];
}

function sliceOf({ page, descending }: ListQuery): Slice {
  return { offset: offsetOf(page), limit: page.limit, descending };
}
