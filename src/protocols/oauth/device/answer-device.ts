import { userSubject } from '../../../directory/records/index.ts';
import { type SessionEntry, sessionBasis } from '../../../identity/sessions/index.ts';
import { type RequestFacts, subjectActor } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { commitPlanAs, type Plan, unchanged } from '../../../kernel/transactions/index.ts';
import { granting } from '../consent/consents.ts';
import { methodsOf } from '../id-tokens/index.ts';
import type { ProtocolParts } from '../protocol/parts.ts';
import { answering, deviceRecords, isWaiting } from './device-record.ts';

export interface DeviceAnswer {
  readonly id: string;
  /** Of whom answers. */
  readonly session: SessionEntry;
  readonly isAllowed: boolean;
}

/** What somebody has answered to a device. False where it does not wait any more, or the session has just ended. */
export function answerDevice(
  parts: ProtocolParts,
  { organization, facts }: { readonly organization: Organization; readonly facts: RequestFacts },
  { id, session, isAllowed }: DeviceAnswer,
): Promise<boolean> {
  const { store } = organization;
  const { userId, authTime } = session.document;
  const actor = subjectActor(userSubject(userId));
  return commitPlanAs(parts, organization, actor, facts, (now): Plan<boolean> => {
    const entry = deviceRecords.get(store, id);
    const basis = sessionBasis(store, { sessionId: session.id, userId }, now);
    if (entry === undefined || basis === undefined || !isWaiting(entry, now)) return unchanged(false);
    const { clientId, scopes } = entry.document;
    const preconditions = [...basis, deviceRecords.same(store, entry)];
    const happening = {
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
        entries: [happening],
        result: true,
      };
    }
    const approval = { userId, sessionId: session.id, openId: { authTime, amr: methodsOf(session.document) } };
    const consent = granting(store, { userId, clientId, scopes, sessionId: session.id }, now);
    return {
      changes: [answering(store, entry, { state: 'approved', approval }), ...consent.changes],
      preconditions: [...preconditions, ...consent.preconditions],
      entries: [happening, ...consent.entries],
      events: consent.events,
      result: true,
    };
  });
}
