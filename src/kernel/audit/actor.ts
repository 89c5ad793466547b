import type { Caller } from '../organizations/index.ts';
import { type AuditEntry, actorTypes } from './entry.ts';

/** Who did it. */
export interface Actor {
  readonly id: string;
  readonly type: AuditEntry['actorType'];
  readonly email?: string | undefined;
}

/** What the service does by itself: sweeping, disabling, expiring. */
export const systemActor: Actor = { id: 'system', type: 'admin' };

/** Whoever runs a command at a host of the service: more is not known of them. */
export const operatorActor: Actor = { id: 'operator', type: 'admin' };

export function actorOf({ subject, email }: Pick<Caller, 'subject' | 'email'>): Actor {
  return { ...subjectActor(subject ?? 'platform'), email };
}

/**
 * A subject whose type the log knows (`user:U`, `agent:A`, `scim_token:T`) by its id alone, as the rest of the interface
 * names it; any other as an administrator.
 */
export function subjectActor(subject: string): Actor {
  const colon = subject.indexOf(':');
  const type = actorTypes.find((each) => each === subject.slice(0, colon));
  return type === undefined ? { id: subject, type: 'admin' } : { id: subject.slice(colon + 1), type };
}

/** A user who acts without a caller: at sign-in, and on the account pages. */
export function userActing(id: string): Actor {
  return { id, type: 'user' };
}
