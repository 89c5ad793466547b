import type { Change, Precondition } from '#engine';
import { type Actor, type AuditEvent, audited, auditedAs, type RequestFacts } from '../../audit/index.ts';
import { commit, type GatheredChanges } from '../../commits/index.ts';
import { type DomainEvent, recordEvent } from '../../events/index.ts';
import type { Caller, Organization } from '../../organizations/index.ts';
import type { AdminDependencies } from '../dependencies.ts';
import { keepAdministrator } from '../keep-administrator.ts';
import { requireStillValid } from '../requirements.ts';
import { rightsHolders } from '../rights-version.ts';

/** A part of what a request changes, and what is told of it. */
export interface Part extends GatheredChanges {
  readonly entries?: readonly AuditEvent[];
  readonly events?: readonly DomainEvent[];
}

/**
 * What one request changes, worked out in one snapshot. Where its preconditions no longer hold when the command is
 * applied, it is made anew. Without changes there is nothing to do, and nothing is put on record.
 */
export interface Plan<T> extends Part {
  /** A subject that stops being an administrator for good, without a change of tuples. */
  readonly limited?: string;
  readonly result: T;
}

/** Nothing to do: no commit, and nothing on record. */
export function nothingToCommit<T>(result: T): Plan<T> {
  return { changes: [], result };
}

/**
 * Makes a plan in one snapshot and commits it with its audit entries, as one command. `plan` judges rights and input
 * again each time, by throwing `ProblemError`.
 * @throws ProblemError 401 where the credential has ended meanwhile; 422 where no administrator would remain
 */
export function commitPlan<T>(
  dependencies: AdminDependencies,
  caller: Caller,
  facts: RequestFacts,
  plan: (now: number) => Plan<T>,
): Promise<T> {
  const write = (auditEvent: AuditEvent) => audited(dependencies.audit, caller, facts, auditEvent);
  const credentialPreconditions = () => [
    ...(caller.credentialPreconditions?.() ?? []),
    ...(facts.credentialPreconditions?.() ?? []),
  ];
  const planFor = { organization: caller.organization, holders: rightsHolders(caller), credentialPreconditions };
  return commitWith(dependencies, planFor, write, (now) => {
    requireStillValid(caller);
    return plan(now);
  });
}

/** The same where nobody has been let in by the guard: who signs in, who follows a link, the service itself. */
export function commitPlanAs<T>(
  dependencies: AdminDependencies,
  organization: Organization,
  actor: Actor,
  facts: RequestFacts | undefined,
  plan: (now: number) => Plan<T>,
): Promise<T> {
  const write = (auditEvent: AuditEvent) =>
    auditedAs(dependencies.audit, organization, known(dependencies, organization, actor), facts, auditEvent);
  return commitWith(
    dependencies,
    { organization, holders: [], credentialPreconditions: () => facts?.credentialPreconditions?.() ?? [] },
    write,
    plan,
  );
}

/** The actor with the address that it had before the change, as entries of callers have theirs. */
function known({ actors }: AdminDependencies, { store }: Organization, actor: Actor): Actor {
  return { ...actor, email: actor.email ?? actors.email(store, actor.type, actor.id) };
}

function commitWith<T>(
  dependencies: AdminDependencies,
  { organization, holders, credentialPreconditions }: PlanFor,
  write: (auditEvent: AuditEvent) => readonly Change[],
  plan: (now: number) => Plan<T>,
): Promise<T> {
  const { engine, clock, audit } = dependencies;
  const { store } = organization;
  return commit(engine, store, (gathered) => {
    const now = clock.now();
    const { changes, preconditions = [], limited, entries = [], events = [], result } = plan(now);
    if (changes.length === 0) return result;
    // no plan may remove the last administrator, nor outlive the rights of its caller
    const kept = keepAdministrator(dependencies, organization, { changes, limited, holders, now });
    const told = [...entries.flatMap(write), ...events.map((event) => recordEvent(audit, store, event))];
    gathered.change([...changes, ...kept.changes, ...told]);
    gathered.expect([...preconditions, ...kept.preconditions, ...credentialPreconditions()]);
    return result;
  });
}

interface PlanFor {
  readonly organization: Organization;
  /** Whose rights it is planned with. */
  readonly holders: readonly string[];
  /** That the credential it was planned with has not ended. */
  readonly credentialPreconditions: () => readonly Precondition[];
}
