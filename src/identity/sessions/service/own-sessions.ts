import type { Store } from '#engine';
import { type RequestFacts, userActing } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { type AdminDependencies, commitPlanAs, notFound } from '../../../kernel/transactions/index.ts';
import { signedOut } from '../records/session-events.ts';
import { liveSession, type SessionEntry, sessionRecords } from '../records/session-record.ts';
import { endOthersOf } from './end-others.ts';
import { SESSIONS_MAX, signingOut } from './sessions.ts';

/** The sessions of a user that go on, the last used first. To be called inside `Engine.read`. */
export function ownSessions(store: Store, userId: string, now: number): SessionEntry[] {
  const ids = sessionRecords.index(store).ids('openUser', userId, { limit: SESSIONS_MAX });
  const live = ids.flatMap((id) => liveSession(store, id, now) ?? []);
  return live.sort((a, b) => b.document.lastActiveAt - a.document.lastActiveAt);
}

/** Ends a session as its user asks, from another one. @throws ProblemError 404 where it is none of theirs */
export function endOwnSession(
  dependencies: AdminDependencies,
  organization: Organization,
  userId: string,
  sessionId: string,
  facts: RequestFacts,
): Promise<void> {
  const { store } = organization;
  return commitPlanAs(dependencies, organization, userActing(userId), facts, (now) => {
    const session = liveSession(store, sessionId, now);
    if (session?.document.userId !== userId) throw notFound();
    return {
      ...signingOut(store, session, now),
      result: undefined,
    };
  });
}

/** Ends every session of a user but the one in which this is asked. */
export function endOtherSessions(
  dependencies: AdminDependencies,
  organization: Organization,
  sessionId: string,
  userId: string,
  facts: RequestFacts,
): Promise<void> {
  const { store } = organization;
  return commitPlanAs(dependencies, organization, userActing(userId), facts, (now) => {
    const session = liveSession(store, sessionId, now);
    if (session?.document.userId !== userId) throw notFound();
    return {
      ...endOthersOf(store, session, 'sessions'),
      entries: [
        {
          eventType: 'user.logout',
          action: 'session.end_others',
          targetType: 'user',
          targetId: userId,
          metadata: { kept: sessionId },
        },
      ],
      events: [signedOut.others(userId, sessionId)],
      result: undefined,
    };
  });
}
