import { userActing } from '../../../directory/records/index.ts';
import { type SessionEntry, sessionBasis } from '../../../identity/sessions/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { transactAs } from '../../../kernel/transactions/index.ts';
import { grantConsent } from '../consent/consents.ts';
import { methodsOf } from '../id-tokens/id-token.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { deviceRecords, isWaiting } from './device-record.ts';

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
  const actor = userActing(userId);
  return transactAs(dependencies, organization, actor, facts, (transaction) => {
    const { now } = transaction;
    const entry = transaction.get(deviceRecords, id);
    const basis = sessionBasis(store, { sessionId: session.id, userId }, now);
    if (entry === undefined || basis === undefined || !isWaiting(entry, now)) return false;
    // it waits no more
    const { network: _, ...document } = entry.document;
    const { clientId, scopes } = document;
    transaction.expect(basis);
    transaction.audit({
      eventType: 'admin.action',
      action: isAllowed ? 'device.approve' : 'device.deny',
      targetType: 'client',
      targetId: clientId,
      metadata: { userId, scopes },
    });
    const approval = { userId, sessionId: session.id, openId: { authTime, amr: methodsOf(session.document) } };
    const answer = isAllowed ? ({ state: 'approved', approval } as const) : ({ state: 'denied' } as const);
    transaction.put(deviceRecords, id, { ...document, ...answer });
    if (isAllowed) grantConsent(transaction, { userId, clientId, scopes, sessionId: session.id });
    return true;
  });
}
