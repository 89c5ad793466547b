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
    readonly refusal: (store: Store, slug: string) => string | undefined;
    /** The holder's record as it is written beside the tuple. */
    readonly touch: (store: Store, holder: string, now: number) => Change | undefined;
  };
}

export function defineAssignment<Thing extends object, Document extends object>(
  description: AssignmentDescription<Thing, Document>,
): Assignment<Thing, Document> & AnyAssignment {
  const assignment = completeAssignment(description);
  const { assignable, holder, right, refusal } = assignment;
  const { type, relation, isOpenToAll, source, requireHeld, bySlug } = assignable;
  const { records, byName, touched } = holder;
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
      holder: { type: holder.type, relation: holder.relation ?? '' },
      tell(store, direction, slug, name, made) {
        // records of one type are of one kind
        const entry = (made.get(`${holder.type}:${name}`) as RecordEntry<Document> | undefined) ?? byName(store, name);
        const id = (made.get(`${type}:${slug}`) ?? bySlug(store, slug))?.id ?? null;
        return entry && telling(assignment, direction, { id, slug }, entry);
      },
      refusal(store, slug) {
        const entry = bySlug(store, slug);
        return entry && refusal(entry.document);
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

  /** How a raw tuple of rights is told. To be called in the snapshot before the change. */
  told(store: Store, tuple: Tuple, op: 'write' | 'delete', now: number, made: MadeRecords = noneMade): Telling[] {
    return toldRaw(store, tuple, op, now, (direction) =>
      this.of(tuple)?.tell(store, direction, parseObject(tuple.object).id, parseSubject(tuple.subject).id, made),
    );
  }
}
