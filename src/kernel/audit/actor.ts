import type { Actors, AuditName } from '../actors/index.ts';
import type { Caller } from '../organizations/index.ts';

/** Who did it. */
export interface Actor extends AuditName {
  readonly email?: string | undefined;
}

/** What the service does by itself: sweeping, disabling, expiring. */
export const systemActor: Actor = { id: 'system', type: 'admin' };

/** Whoever runs a command at a host of the service: more is not known of them. */
export const operatorActor: Actor = { id: 'operator', type: 'admin' };

/** The super administrator, who is nobody's subject. */
export const platformActor: Actor = { id: 'platform', type: 'admin' };

/** Who acts in a request. */
export function actorOf(actors: Pick<Actors, 'audited'>, { subject, email }: Pick<Caller, 'subject' | 'email'>): Actor {
  const { id, type } = subject === undefined ? platformActor : actors.audited(subject);
  return { id, type, email };
}
