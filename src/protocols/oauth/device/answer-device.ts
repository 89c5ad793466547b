import { userSubject } from '../../../directory/records/index.ts';
import { type SessionEntry, sessionBasis } from '../../../identity/sessions/index.ts';
import { type RequestFacts, subjectActor } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { commitPlanAs, nothingToCommit, type Plan } from '../../../kernel/transactions/index.ts';
import { granting } from '../consent/consents.ts';
import { methodsOf } from '../id-tokens/index.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { answering, deviceRecords, isWaiting } from './device-record.ts';

export interface DeviceAnswer {
  readonly id: string;
  /** Of whom answers. */
  readonly session: SessionEntry;
  readonly isAllowed: boolean;
}

/** What somebody has answered to a device. False where it does not wait any more, or the session has just ended. */
export function answerDevice(
  dependencies: ProtocolDependencies,
  { organization, facts }: { readonly organization: Organization; readonly facts: RequestFacts },
  { id, session, isAllowed }: DeviceAnswer,
): Promise<boolean> {
  const { store } = organization;
  const { userId, authTime } = session.document;
  const actor = subjectActor(userSubject(userId));
  return commitPlanAs(dependencies, organization, actor, facts, (now): Plan<boolean> => {
    const entry = deviceRecords.get(store, id);
    const basis = sessionBasis(store, { sessionId: session.id, userId }, now);
    if (entry === undefined || basis === undefined || !isWaiting(entry, now)) return nothingToCommit(false);
    const { clientId, scopes } = entry.document;
    const preconditions = [...basis, deviceRecords.same(store, entry)];
    const auditEvent = {
      eventType: 'admin.action',
      action: isAllowed ? 'device.approve' : 'device.deny',
      targetType: 'client',
      targetId: clientId,
      metadata: { userId, scopes },
    };
    if (!isAllowed) {
      return {
        changes: [answering(store, entry, { state: 'denied' })],
        preconditions,
        entries: [auditEvent],
        result: true,
      };
    }
    const approval = { userId, sessionId: session.id, openId: { authTime, amr: methodsOf(session.document) } };
    const consent = granting(store, { userId, clientId, scopes, sessionId: session.id }, now);
    return {
      changes: [answering(store, entry, { state: 'approved', approval }), ...consent.changes],
      preconditions: [...preconditions, ...consent.preconditions],
      entries: [auditEvent, ...consent.entries],
      events: consent.events,
      result: true,
    };
  });
}
