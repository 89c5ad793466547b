import {
  type Change,
  type Precondition,
  parseObject,
  parseSubject,
  type RecordEntry,
  type Store,
  type Tuple,
} from '#engine';
import type { RecordKind } from '../records/index.ts';
import type { SystemPermission } from '../rights/index.ts';
import type { Asking } from '../transactions/index.ts';
import {
  type AnyMaker,
  type Assignment,
  type AssignmentDescription,
  completeAssignment,
  type Direction,
  type MadeRecords,
  type Maker,
  type RequireHeld,
} from './assignment.ts';
import { type AnyChanged, anyChanged, ChangedHolders, type RawTelling, type TupleChange } from './changed-holders.ts';
import { type Telling, telling, toldRaw } from './telling.ts';

/** What can be given, whatever its records are; it is known by its slug. Called inside the snapshot that judges. */
export interface AnyAssignable {
  readonly type: string;
  readonly relation: string;
  readonly right: SystemPermission;
  readonly isOpenToAll: boolean;
  readonly source: (slug: string) => string;
  /** What must still stand when something is given; undefined where there is nothing of this slug. */
  readonly expectedVersions: (store: Store, slug: string) => readonly Precondition[] | undefined;
  readonly isKnown: (store: Store, slug: string) => boolean;
  readonly requireHeld: RequireHeld;
  /** Absent where a tuple makes no record of what it names. */
  readonly maker: AnyMaker | undefined;
}

/** An assignment, whatever is given to whomever. Called inside the snapshot before the change. */
export interface AnyAssignment {
  readonly erased: {
    readonly assignable: AnyAssignable;
    /** All that give and take it. */
    readonly rights: readonly SystemPermission[];
    /** Of its subjects: `group` and `member` of `group:eng#member`. */
    readonly holder: { readonly type: string; readonly relation: string };
    /** Undefined where there is no such holder, neither in the store nor among the records that the commit makes. */
    readonly tell: (
      store: Store,
      direction: Direction,
      slug: string,
      holder: string,
      made: MadeRecords,
    ) => Telling | undefined;
    readonly refusal: (store: Store, slug: string, holder: string) => string | undefined;
    /** @throws ProblemError 403 where what the holder has is not the caller’s to change */
    readonly requireChangeable: (asking: Asking, holder: string) => void;
    /** Where it is told as a change of the holder. */
    readonly changed: AnyChanged | undefined;
    /** The holder's record as it is written beside the tuple. */
    readonly touch: (store: Store, holder: string, now: number) => Change | undefined;
  };
}

export function defineAssignment<Thing extends object, Document extends object>(
  description: AssignmentDescription<Thing, Document>,
): Assignment<Thing, Document> & AnyAssignment {
  const assignment = completeAssignment(description);
  const { assignable, holder, rights, refusal } = assignment;
  const { type, relation, right, isOpenToAll, source, requireHeld, bySlug } = assignable;
  const { records, byName, touched, requireChangeable } = holder;
  return {
    ...assignment,
    erased: {
      assignable: {
        type,
        relation,
        right,
        isOpenToAll,
        source,
        requireHeld,
        maker: assignable.maker && anyMaker(assignable.records, assignable.maker),
        isKnown: (store, slug) => bySlug(store, slug) !== undefined,
        expectedVersions(store, slug) {
          const entry = bySlug(store, slug);
          return entry && assignable.expectedVersions(store, entry);
        },
      },
      rights,
      holder: { type: holder.type, relation: holder.relation ?? '' },
      requireChangeable: (asking, name) => requireChangeable?.(asking, name),
      changed: anyChanged(holder),
      tell(store, direction, slug, name, made) {
        // records of one type are of one kind
        const entry = (made.get(`${holder.type}:${name}`) as RecordEntry<Document> | undefined) ?? byName(store, name);
        const id = (made.get(`${type}:${slug}`) ?? bySlug(store, slug))?.id ?? null;
        return entry && telling(assignment, direction, { id, slug }, entry);
      },
      refusal(store, slug, name) {
        const entry = bySlug(store, slug);
        const to = holder.refusal && byName(store, name);
        return (entry && refusal(entry.document)) ?? (to && holder.refusal?.(to.document));
      },
      touch(store, name, now) {
        const entry = touched && byName(store, name);
        return entry && records.put(store, entry.id, touched(entry.document, now));
      },
    },
  };
}

function anyMaker<Document extends object>(
  records: RecordKind<Document>,
  { right, refusal, make }: Maker<Document>,
): AnyMaker {
  return {
    right,
    refusal,
    make(at, slug) {
      const { entry, telling } = make(at, slug);
      return { entry, telling, change: records.put(at.store, entry.id, entry.document) };
    },
  };
}

type Erased = AnyAssignment['erased'];

const noneMade: MadeRecords = new Map();

/** Every assignment that there is, found by its tuples. */
export class Assignments {
  /** By `role#assignee@group#member`. */
  readonly #byPattern = new Map<string, Erased>();
  readonly #assignable = new Map<string, AnyAssignable>();

  constructor(all: readonly AnyAssignment[]) {
    for (const { erased } of all) {
      const { assignable, holder } = erased;
      this.#byPattern.set(`${assignable.type}#${assignable.relation}@${holder.type}#${holder.relation}`, erased);
      this.#assignable.set(assignable.type, assignable);
    }
  }

  /** What objects of a type give. */
  assignable(type: string): AnyAssignable | undefined {
    return this.#assignable.get(type);
  }

  /** The assignment that a tuple is one of. */
  of({ object, relation, subject }: Tuple): Erased | undefined {
    const holder = parseSubject(subject);
    return this.#byPattern.get(`${parseObject(object).type}#${relation}@${holder.type}#${holder.relation}`);
  }

  /** All the rights that give and take what a tuple says; none where its object gives nothing. */
  rightsOf(tuple: Tuple): readonly SystemPermission[] {
    const assignment = this.of(tuple);
    if (assignment !== undefined) return assignment.rights;
    const right = this.assignable(parseObject(tuple.object).type)?.right;
    if (right === undefined) return [];
    // whoever gives something to all of a type may also give it to one
    const { type, relation } = parseSubject(tuple.subject);
    const toOne = relation === '*' ? this.of({ ...tuple, subject: `${type}:one` }) : undefined;
    return [...new Set([right, ...(toOne?.rights ?? [])])];
  }

  /**
   * How raw tuples of rights are told, and what changes with them. To be called in the snapshot before the change.
   * @param made records that the commit begins with
   */
  told(store: Store, changes: readonly TupleChange[], now: number, made: MadeRecords = noneMade): RawTelling {
    const holders = new ChangedHolders(store, now);
    const tellings = changes.flatMap(({ tuple, op }): Telling[] => {
      const assignment = this.of(tuple);
      if (holders.take(assignment?.changed, tuple, op)) return [];
      return toldRaw(store, tuple, op, now, (direction) =>
        assignment?.tell(store, direction, parseObject(tuple.object).id, parseSubject(tuple.subject).id, made),
      );
    });
    const changed = holders.told();
    return { ...changed, tellings: [...tellings, ...changed.tellings] };
  }
}
