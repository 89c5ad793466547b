import type { Change, Precondition, RecordEntry, Store, Tuple } from '#engine';
import type { AuditEvent, RequestFacts } from '../../audit/index.ts';
import type { DomainEvent } from '../../events/index.ts';
import type { Caller } from '../../organizations/index.ts';
import type { RecordKind } from '../../records/index.ts';
import type { SystemPermission } from '../../rights/index.ts';
import type { AdminDependencies } from '../dependencies.ts';
import { existing, refused } from '../problems.ts';
import { requirePermission, revokeTuples } from '../requirements.ts';
import { commitPlan, type Plan } from './commit-plan.ts';

/**
 * What a caller's request does to its organization: gathered in one snapshot, committed as one command. What was read
 * through it must still stand when the command is applied; otherwise the request is worked out again.
 */
export class Transaction<Dependencies extends AdminDependencies = AdminDependencies> {
  readonly dependencies: Dependencies;
  readonly caller: Caller;
  readonly store: Store;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly #changes: Change[] = [];
  /** By what they say: several steps of one request may need the same. */
  readonly #preconditions = new Map<string, Precondition>();
  /** By collection and id of a record: the index of the change that puts it. */
  readonly #puts = new Map<string, number>();
  #limited: string | undefined;
  readonly #entries: AuditEvent[] = [];
  readonly #events: DomainEvent[] = [];

  constructor(dependencies: Dependencies, caller: Caller, now: number) {
    this.dependencies = dependencies;
    this.caller = caller;
    this.store = caller.organization.store;
    this.now = now;
  }

  newId(): string {
    return this.dependencies.audit.newId();
  }

  /** @throws ProblemError 403 */
  require(permission: SystemPermission): void {
    requirePermission(this.caller, permission);
  }

  /** A record that the rest depends on. */
  get<Document>(records: RecordKind<Document>, id: string): RecordEntry<Document> | undefined {
    return this.rely(records, records.get(this.store, id));
  }

  /** The same of one that must be there. @throws ProblemError 404 */
  existing<Document>(records: RecordKind<Document>, id: string): RecordEntry<Document> {
    return existing(this.get(records, id));
  }

  /** The rest depends on a record that was found some other way; at version 0, on there being none. */
  rely<Document, Entry extends RecordEntry<Document> | undefined>(records: RecordKind<Document>, entry: Entry): Entry {
    if (entry !== undefined)
      this.expect([entry.version === 0 ? records.absent(this.store, entry.id) : records.same(this.store, entry)]);
    return entry;
  }

  /**
   * One more record of a kind is to be put, and there may be so many. Of those who make one at the same moment, the
   * last ones are refused too. @throws ProblemError 422 with the refusal
   */
  requireFewer(records: Pick<RecordKind<unknown>, 'areAsMany' | 'fewerThan'>, count: number, refusal: string): void {
    if (records.areAsMany(this.store, count)) throw refused(refusal);
    this.expect([records.fewerThan(this.store, count)]);
  }

  /** Written once, however often it is put: as it was put last. */
  put<Document>(records: RecordKind<Document>, id: string, document: Document): void {
    const key = `${records.collection}/${id}`;
    const change = records.put(this.store, id, document);
    const earlier = this.#puts.get(key);
    if (earlier === undefined) this.#puts.set(key, this.#changes.push(change) - 1);
    else this.#changes[earlier] = change;
  }

  delete(records: Pick<RecordKind<unknown>, 'delete'>, id: string): void {
    this.#changes.push(records.delete(this.store, id));
  }

  write(tuples: readonly Tuple[]): void {
    if (tuples.length > 0) this.#changes.push({ op: 'write_tuples', store: this.store.name, tuples });
  }

  /** Tuples that may be there. */
  erase(tuples: readonly Tuple[]): void {
    if (tuples.length > 0) this.#changes.push({ op: 'delete_tuples', store: this.store.name, tuples });
  }

  /** Tuples that must be there. */
  revoke(tuples: readonly Tuple[]): void {
    const { changes, preconditions } = revokeTuples(this.store, tuples);
    this.#changes.push(...changes);
    this.expect(preconditions);
  }

  /** Every tuple that names an object, on either side. */
  deleteObject(object: string): void {
    this.#changes.push({ op: 'delete_object', store: this.store.name, object });
  }

  change(changes: readonly Change[]): void {
    this.#changes.push(...changes);
  }

  expect(preconditions: readonly Precondition[]): void {
    for (const each of preconditions) this.#preconditions.set(JSON.stringify(each), each);
  }

  /** A subject that stops being an administrator for good, without a change of tuples. */
  limit(subject: string): void {
    this.#limited = subject;
  }

  audit(entry: AuditEvent): void {
    this.#entries.push(entry);
  }

  emit(event: DomainEvent): void {
    this.#events.push(event);
  }

  /** Nothing is to be committed after all. */
  drop<T>(result: T): T {
    this.#changes.length = 0;
    this.#puts.clear();
    return result;
  }

  plan<T>(result: T): Plan<T> {
    return {
      changes: this.#changes,
      preconditions: [...this.#preconditions.values()],
      entries: this.#entries,
      events: this.#events,
      ...(this.#limited === undefined ? {} : { limited: this.#limited }),
      result,
    };
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
