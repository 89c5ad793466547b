import { type Change, EngineError, type Precondition, parseObject, parseSubject, type Tuple } from '#engine';
import type { AnyAssignable, Telling } from '../../../kernel/assignments/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { forbidden, NumbersInCommit, refused } from '../../../kernel/transactions/index.ts';
import type { AuthzDependencies } from '../dependencies.ts';

/** A tuple, and where the request has it. */
export interface LocatedTuple {
  readonly tuple: Tuple;
  readonly path: string;
}

type Ref = { readonly type: string; readonly id: string };
type Maker = NonNullable<AnyAssignable['maker']>;

/**
 * Roles, groups and permissions are records: each one that a tuple of rights names has a record, or gets it with the
 * same commit where the caller may create it. A tuple of the organization's own types makes such records too, but needs
 * none. To be used inside the snapshot that judges.
 */
export class NamedRecords {
  readonly #dependencies: AuthzDependencies;
  readonly #caller: Caller;
  readonly #now: number;
  readonly #numbers: NumbersInCommit;
  readonly #preconditions = new Map<string, Precondition>();
  readonly #changes = new Map<string, Change>();
  readonly #tellings: Telling[] = [];
  readonly #made = new Map<string, ReturnType<Maker['make']>['entry']>();
  readonly #claimed = new Set<string>();
  /** Objects that own types name and that have been looked at. */
  readonly #seen = new Set<string>();

  constructor(dependencies: AuthzDependencies, caller: Caller, now: number) {
    this.#dependencies = dependencies;
    this.#caller = caller;
    this.#now = now;
    this.#numbers = new NumbersInCommit(caller.organization.store);
  }

  /**
   * A tuple of rights, which is written.
   * @throws ProblemError 403 where the caller may not create what it names; EngineError `invalid_tuple`; ProblemError 422
   */
  require({ tuple, path }: LocatedTuple): void {
    const { assignments } = this.#dependencies;
    const { store } = this.#caller.organization;
    const object = parseObject(tuple.object);
    const subject = parseSubject(tuple.subject);
    this.#requireKnown(object, `${path}.object`);
    this.#requireKnown(subject, `${path}.subject`);
    const assignment = assignments.of(tuple);
    const refusal = assignment?.refusal(store, object.id, subject.id);
    if (refusal !== undefined) throw refused(refusal);
    // what gets a permission or a role is written anew: whoever gives it at the same moment judges again
    const change = assignment?.touch(store, subject.id, this.#now);
    if (change !== undefined) this.#changes.set(tuple.subject, change);
  }

  /** A tuple of the organization's own types, which is written: as with users, what it names need not have a record. */
  meet({ subject }: Tuple): void {
    const { type, id, relation } = parseSubject(subject);
    const assignable = this.#dependencies.assignments.assignable(type);
    const object = `${type}:${id}`;
    if (assignable?.maker === undefined || relation === '*' || this.#seen.has(object)) return;
    this.#seen.add(object);
    const { store } = this.#caller.organization;
    if (this.#made.has(object) || assignable.isKnown(store, id) || !this.#caller.may(assignable.maker.right)) return;
    if (assignable.maker.refusal(store, id) === undefined) this.#make(assignable.maker, object, id);
  }

  /** The preconditions of the write, the records that it makes and changes, and how the new ones are told. */
  get passage() {
    return {
      preconditions: [...this.#preconditions.values(), ...this.#numbers.preconditions],
      changes: [...this.#changes.values(), ...this.#numbers.changes],
      tellings: this.#tellings,
      made: this.#made,
    };
  }

  /** Requires that the record is there, where its type has records. */
  #requireKnown({ type, id }: Ref, path: string): void {
    const assignable = this.#dependencies.assignments.assignable(type);
    const object = `${type}:${id}`;
    if (assignable === undefined || id === '*' || this.#made.has(object)) return;
    const { store } = this.#caller.organization;
    const known = assignable.expectedVersions(store, id);
    for (const each of known ?? []) this.#preconditions.set(JSON.stringify(each), each);
    if (known !== undefined) return;
    const { maker } = assignable;
    if (maker === undefined) {
      throw new EngineError('invalid_tuple', `there is no ${type} ${id}: create it first`, { path });
    }
    if (!this.#caller.may(maker.right)) {
      throw forbidden(`There is no ${type} ${id}, and creating it needs the permission ${maker.right}.`);
    }
    const refusal = maker.refusal(store, id);
    if (refusal !== undefined) throw refused(refusal, path);
    this.#make(maker, object, id);
  }

  #make(maker: Maker, object: string, id: string): void {
    const { audit } = this.#dependencies;
    const { entry, change, telling } = maker.make(
      {
        store: this.#caller.organization.store,
        now: this.#now,
        newId: () => audit.newId(),
        nextNumber: (sequence) => this.#numbers.next(sequence),
        claim: (name) => !this.#claimed.has(name) && this.#claimed.add(name) !== undefined,
      },
      id,
    );
    this.#made.set(object, entry);
    this.#changes.set(object, change);
    this.#tellings.push(telling);
  }
}
