import type { Caller } from '../orgs/index.ts';
import type { AuditEntry } from './entry.ts';

/** What an entry needs of the request that caused it. */
export interface RequestFacts {
  readonly requestId: string;
  header(name: string): string;
  clientAddress(): string;
}

export interface AuditMaker {
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What was done, and to what. */
export type Happening = Pick<AuditEntry, 'eventType' | 'action'> &
  Partial<Pick<AuditEntry, 'severity' | 'targetId' | 'targetType' | 'metadata'>>;

const USER_AGENT_MAX = 512;

/** The entry of something that a caller did. */
export function auditEntry(maker: AuditMaker, caller: Caller, request: RequestFacts, happening: Happening): AuditEntry {
  const { subject, organization } = caller;
  const { metadata, ...facts } = happening;
  return {
    id: maker.newId(),
    orgId: organization.id,
    severity: 'info',
    actorId: subject ?? 'platform',
    actorType: actorType(subject),
    ipAddress: request.clientAddress(),
    userAgent: request.header('user-agent').slice(0, USER_AGENT_MAX),
    result: 'success',
    metadata: { requestId: request.requestId, ...metadata },
    createdAt: new Date(maker.now()).toISOString(),
    ...facts,
  };
}

function actorType(subject: string | undefined): AuditEntry['actorType'] {
  if (subject?.startsWith('user:')) return 'user';
  return subject?.startsWith('agent:') ? 'agent' : 'admin';
}
