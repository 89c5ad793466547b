import type { RecordEntry, Tuple } from '#engine';
import type { Actor, AuditEvent, RequestFacts } from '../../audit/index.ts';
import { StoreChanges } from '../../commits/index.ts';
import type { DomainEvent } from '../../events/index.ts';
import type { Caller, Organization } from '../../organizations/index.ts';
import type { RecordKind } from '../../records/index.ts';
import type { SystemPermission } from '../../rights/index.ts';
import type { AdminDependencies } from '../dependencies.ts';
import { existing, refused } from '../problems.ts';
import { requirePermission, revokeTuples } from '../requirements.ts';
import { commitPlan, commitPlanAs, type Part, type Plan } from './commit-plan.ts';

/** What is done in an organization, with its audit entries and events. */
export class OrganizationTransaction<Dependencies extends AdminDependencies = AdminDependencies> extends StoreChanges {
  readonly dependencies: Dependencies;
  /** Milliseconds since the epoch. */
  readonly now: number;
  #limited: string | undefined;
  readonly #entries: AuditEvent[] = [];
  readonly #events: DomainEvent[] = [];

  constructor(dependencies: Dependencies, organization: Organization, now: number) {
    super(organization.store);
    this.dependencies = dependencies;
    this.now = now;
  }

  newId(): string {
    return this.dependencies.audit.newId();
  }

  /** A record that must be there, and that the rest depends on. @throws ProblemError 404 */
  existing<Document>(records: RecordKind<Document>, id: string): RecordEntry<Document> {
    return existing(this.get(records, id));
  }

  /**
   * One more record of a kind is to be put, and there may be so many. Of those who make one at the same moment, the
   * last ones are refused too. @throws ProblemError 422 with the refusal
   */
  requireFewer(records: Pick<RecordKind<unknown>, 'areAsMany' | 'fewerThan'>, count: number, refusal: string): void {
    if (records.areAsMany(this.store, count)) throw refused(refusal);
    this.expect([records.fewerThan(this.store, count)]);
  }

  /** Tuples that must be there. */
  revoke(tuples: readonly Tuple[]): void {
    this.add(revokeTuples(this.store, tuples));
  }

  /** A subject that stops being an administrator for good, without a change of tuples. */
  limit(subject: string): void {
    this.#limited = subject;
  }

  audit(...entries: readonly AuditEvent[]): void {
    this.#entries.push(...entries);
  }

  emit(...events: readonly DomainEvent[]): void {
    this.#events.push(...events);
  }

  /** What was worked out elsewhere. */
  override add(part: Part): void {
    super.add(part);
    this.audit(...(part.entries ?? []));
    this.emit(...(part.events ?? []));
  }

  /** The same of a plan, for its result. */
  include<T>(plan: Plan<T>): T {
    this.add(plan);
    if (plan.limited !== undefined) this.limit(plan.limited);
    return plan.result;
  }

  plan<T>(result: T): Plan<T> {
    return {
      changes: this.changes,
      preconditions: this.preconditions,
      entries: this.#entries,
      events: this.#events,
      ...(this.#limited === undefined ? {} : { limited: this.#limited }),
      result,
    };
  }
}

/** The same by a caller, whom the guard has let in. */
export class Transaction<
  Dependencies extends AdminDependencies = AdminDependencies,
> extends OrganizationTransaction<Dependencies> {
  readonly caller: Caller;

  constructor(dependencies: Dependencies, caller: Caller, now: number) {
    super(dependencies, caller.organization, now);
    this.caller = caller;
  }

  /** @throws ProblemError 403 */
  require(permission: SystemPermission): void {
    requirePermission(this.caller, permission);
  }
}

/**
 * Runs a transaction and commits it. `run` may be called several times; it judges rights and input by throwing
 * `ProblemError`. Without a change, nothing is committed.
 * @throws ProblemError 401 where the credential has ended meanwhile; 422 where no administrator would remain
 */
export function transact<T, Dependencies extends AdminDependencies>(
  dependencies: Dependencies,
  caller: Caller,
  facts: RequestFacts,
  run: (transaction: Transaction<Dependencies>) => T,
): Promise<T> {
  return commitPlan(dependencies, caller, facts, (now) => {
    const transaction = new Transaction(dependencies, caller, now);
    return transaction.plan(run(transaction));
  });
}

/** The same where nobody has been let in by the guard: who signs in, who follows a link, the service itself. */
export function transactAs<T, Dependencies extends AdminDependencies>(
  dependencies: Dependencies,
  organization: Organization,
  actor: Actor,
  facts: RequestFacts | undefined,
  run: (transaction: OrganizationTransaction<Dependencies>) => T,
): Promise<T> {
  return commitPlanAs(dependencies, organization, actor, facts, (now) => {
    const transaction = new OrganizationTransaction(dependencies, organization, now);
    return transaction.plan(run(transaction));
  });
}
