import type { Change, Precondition } from '#engine';
import { type Actor, type AuditEvent, audited, auditedAs, type RequestFacts } from '../../audit/index.ts';
import { commit } from '../../commits/index.ts';
import { recordEvent } from '../../events/index.ts';
import type { Caller, Organization } from '../../organizations/index.ts';
import type { AdminDependencies } from '../dependencies.ts';
import { keepAdministrator } from '../keep-administrator.ts';
import { requireStillValid } from '../requirements.ts';
import { rightsHolders } from '../rights-version.ts';
import { OrganizationTransaction, Transaction } from './transaction.ts';

/**
 * Runs a transaction in one snapshot and commits it with its audit entries, as one command. Where its preconditions no
 * longer hold when the command is applied, it is run anew: `run` judges rights and input each time, by throwing
 * `ProblemError`. Without a change there is nothing to do, and nothing is put on record.
 * @throws ProblemError 401 where the credential has ended meanwhile; 422 where no administrator would remain
 */
export function transact<T, Dependencies extends AdminDependencies>(
  dependencies: Dependencies,
  caller: Caller,
  facts: RequestFacts,
  run: (transaction: Transaction<Dependencies>) => T,
): Promise<T> {
  const by: Author = {
    holders: rightsHolders(caller),
    write: (auditEvent) => audited(dependencies.audit, caller, facts, auditEvent),
    credentialPreconditions: () => [
      ...(caller.credentialPreconditions?.() ?? []),
      ...(facts.credentialPreconditions?.() ?? []),
    ],
  };
  const begin = (now: number) => {
    requireStillValid(caller);
    return new Transaction(dependencies, caller, now);
  };
  return committed(dependencies, caller.organization, by, begin, run);
}

/** The same where nobody has been let in by the guard: who signs in, who follows a link, the service itself. */
export function transactAs<T, Dependencies extends AdminDependencies>(
  dependencies: Dependencies,
  organization: Organization,
  actor: Actor,
  facts: RequestFacts | undefined,
  run: (transaction: OrganizationTransaction<Dependencies>) => T,
): Promise<T> {
  const by: Author = {
    holders: [],
    write: (auditEvent) =>
      auditedAs(dependencies.audit, organization, known(dependencies, organization, actor), facts, auditEvent),
    credentialPreconditions: () => facts?.credentialPreconditions?.() ?? [],
  };
  const begin = (now: number) => new OrganizationTransaction(dependencies, organization, now);
  return committed(dependencies, organization, by, begin, run);
}

/** The actor with the address that it had before the change, as entries of callers have theirs. */
function known({ actors }: AdminDependencies, { store }: Organization, actor: Actor): Actor {
  return { ...actor, email: actor.email ?? actors.email(store, actor.type, actor.id) };
}

/** Who changes something. */
interface Author {
  /** Whose rights it rests on. */
  readonly holders: readonly string[];
  /** How the audit log names them. */
  readonly write: (auditEvent: AuditEvent) => readonly Change[];
  /** That their credential has not ended. */
  readonly credentialPreconditions: () => readonly Precondition[];
}

function committed<T, Begun extends OrganizationTransaction>(
  dependencies: AdminDependencies,
  organization: Organization,
  { holders, write, credentialPreconditions }: Author,
  begin: (now: number) => Begun,
  run: (transaction: Begun) => T,
): Promise<T> {
  const { engine, clock, audit } = dependencies;
  const { store } = organization;
  return commit(engine, store, (gathered) => {
    const transaction = begin(clock.now());
    const result = run(transaction);
    const { now, changes, preconditions, limited, entries, events } = transaction;
    if (changes.length === 0) return result;
    // nothing may remove the last administrator, nor outlive the rights of its caller
    const kept = keepAdministrator(dependencies, organization, { changes, limited, holders, now });
    const told = [...entries.flatMap(write), ...events.map((event) => recordEvent(audit, store, event))];
    gathered.change([...changes, ...kept.changes, ...told]);
    gathered.expect([...preconditions, ...kept.preconditions, ...credentialPreconditions()]);
    return result;
  });
}
