import type { Caller } from '../organizations/index.ts';
import type { AuditEntry } from './entry.ts';

/** Who did it. */
export interface Actor {
  readonly id: string;
  readonly type: AuditEntry['actorType'];
  readonly email?: string | undefined;
}

/** What the service does by itself: sweeping, disabling, expiring. */
export const systemActor: Actor = { id: 'system', type: 'admin' };

export function actorOf({ subject, email }: Pick<Caller, 'subject' | 'email'>): Actor {
  return { ...subjectActor(subject ?? 'platform'), email };
}

/** Of `user:U`, `agent:A` and `scim_token:T` the id alone, as the rest of the interface names them. */
export function subjectActor(subject: string): Actor {
  const colon = subject.indexOf(':');
  const type = subject.slice(0, colon);
  if (type === 'user' || type === 'agent' || type === 'scim_token') return { id: subject.slice(colon + 1), type };
  return { id: subject, type: 'admin' };
}
