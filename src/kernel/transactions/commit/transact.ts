import type { Change, Precondition } from '#engine';
import { type Actor, type AuditEvent, audited, auditedAs, type RequestFacts } from '../../audit/index.ts';
import { commitGathered } from '../../commits/index.ts';
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
  return committed(new ByCaller(dependencies, caller, facts), run);
}

/** The same for whom the guard has not let in: who signs in, who follows a link, the service itself. */
export function transactAs<T, Dependencies extends AdminDependencies>(
  dependencies: Dependencies,
  organization: Organization,
  actor: Actor,
  facts: RequestFacts | undefined,
  run: (transaction: OrganizationTransaction<Dependencies>) => T,
): Promise<T> {
  return committed(new ByActor(dependencies, organization, actor, facts), run);
}

/** Who changes something, and where. One for each change under way, of which there may be many. */
interface Author<Begun extends OrganizationTransaction> {
  readonly dependencies: AdminDependencies;
  readonly organization: Organization;
  /** Whose rights the change depends on. */
  readonly holders: readonly string[];
  begin(now: number): Begun;
  /** How the audit log names them. */
  write(auditEvent: AuditEvent): readonly Change[];
  /** That their credential has not ended. */
  credentialPreconditions(): readonly Precondition[];
}

class ByCaller<Dependencies extends AdminDependencies> implements Author<Transaction<Dependencies>> {
  readonly dependencies: Dependencies;
  readonly #caller: Caller;
  readonly #facts: RequestFacts;

  constructor(dependencies: Dependencies, caller: Caller, facts: RequestFacts) {
    this.dependencies = dependencies;
    this.#caller = caller;
    this.#facts = facts;
  }

  get organization(): Organization {
    return this.#caller.organization;
  }

  get holders(): readonly string[] {
    return rightsHolders(this.#caller);
  }

  begin(now: number): Transaction<Dependencies> {
    requireStillValid(this.#caller);
    return new Transaction(this.dependencies, this.#caller, now);
  }

  write(auditEvent: AuditEvent): readonly Change[] {
    return audited(this.dependencies.audit, this.#caller, this.#facts, auditEvent);
  }

  credentialPreconditions(): readonly Precondition[] {
    return [...(this.#caller.credentialPreconditions?.() ?? []), ...(this.#facts.credentialPreconditions?.() ?? [])];
  }
}

class ByActor<Dependencies extends AdminDependencies> implements Author<OrganizationTransaction<Dependencies>> {
  readonly dependencies: Dependencies;
  readonly organization: Organization;
  readonly holders = [];
  readonly #actor: Actor;
  readonly #facts: RequestFacts | undefined;

  constructor(dependencies: Dependencies, organization: Organization, actor: Actor, facts: RequestFacts | undefined) {
    this.dependencies = dependencies;
    this.organization = organization;
    this.#actor = actor;
    this.#facts = facts;
  }

  begin(now: number): OrganizationTransaction<Dependencies> {
    return new OrganizationTransaction(this.dependencies, this.organization, now);
  }

  write(auditEvent: AuditEvent): readonly Change[] {
    const { dependencies, organization } = this;
    return auditedAs(dependencies.audit, organization, this.#known(), this.#facts, auditEvent);
  }

  /** The actor with the address that it had before the change, as entries of callers have theirs. */
  #known(): Actor {
    const { id, type, email } = this.#actor;
    return { id, type, email: email ?? this.dependencies.actors.email(this.organization.store, type, id) };
  }

  credentialPreconditions(): readonly Precondition[] {
    return this.#facts?.credentialPreconditions?.() ?? [];
  }
}

function committed<T, Begun extends OrganizationTransaction>(
  author: Author<Begun>,
  run: (transaction: Begun) => T,
): Promise<T> {
  const { engine, clock, audit } = author.dependencies;
  return commitGathered(engine, () => {
    const { dependencies, organization, holders } = author;
    const transaction = author.begin(clock.now());
    const result = run(transaction);
    const { now, changes, limited, entries, events } = transaction;
    if (changes.length > 0) {
      // nothing may remove the last administrator, nor outlive the rights of its caller
      transaction.add(keepAdministrator(dependencies, organization, { changes, limited, holders, now }));
      for (const entry of entries) transaction.change(author.write(entry));
      transaction.change(events.map((event) => recordEvent(audit, organization.store, event)));
      transaction.expect(author.credentialPreconditions());
    }
    return { gathered: transaction, result };
  });
}
