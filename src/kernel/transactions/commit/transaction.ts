import type { RecordEntry, Tuple } from '#engine';
import type { AuditEvent } from '../../audit/index.ts';
import { type GatheredChanges, StoreChanges } from '../../commits/index.ts';
import type { DomainEvent } from '../../events/index.ts';
import type { Caller, Organization } from '../../organizations/index.ts';
import type { RecordKind } from '../../records/index.ts';
import type { SystemPermission } from '../../rights/index.ts';
import type { AdminDependencies } from '../dependencies.ts';
import { existing, refused } from '../problems.ts';
import { requirePermission } from '../requirements.ts';

/** A part of what a request changes, and what is told of it. */
export interface Part extends Partial<GatheredChanges> {
  readonly entries?: readonly AuditEvent[];
  readonly events?: readonly DomainEvent[];
}

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
   * Requires room for one more record of a kind. If several are made at the same moment, the last ones are refused too.
   * @throws ProblemError 422 with the refusal
   */
  requireFewer(records: Pick<RecordKind<unknown>, 'areAsMany' | 'fewerThan'>, count: number, refusal: string): void {
    if (records.areAsMany(this.store, count)) throw refused(refusal);
    this.expect([records.fewerThan(this.store, count)]);
  }

  /** Tuples that must be there. */
  revoke(tuples: readonly Tuple[]): void {
    const { name: store } = this.store;
    this.expect(tuples.map((tuple) => ({ require: 'tuple_exists', store, tuple })));
    this.erase(tuples);
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
  override add({ entries = [], events = [], ...gathered }: Part): void {
    super.add(gathered);
    this.audit(...entries);
    this.emit(...events);
  }

  get limited(): string | undefined {
    return this.#limited;
  }

  get entries(): readonly AuditEvent[] {
    return this.#entries;
  }

  get events(): readonly DomainEvent[] {
    return this.#events;
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
