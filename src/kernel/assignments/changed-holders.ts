import { type Change, type Precondition, parseObject, parseSubject, type Store, type Tuple } from '#engine';
import { type AuditEvent, diffOfSets } from '../audit/index.ts';
import { isLimited } from '../rights/index.ts';
import type { Holder } from './assignment.ts';
import { currentTuple, isPlain } from './stored-tuple.ts';
import type { Telling } from './telling.ts';

/** A tuple that is written or deleted. */
export interface TupleChange {
  readonly tuple: Tuple;
  readonly op: 'write' | 'delete';
}

/** How raw tuples are told, and what goes with them. */
export interface RawTelling {
  readonly tellings: readonly Telling[];
  readonly changes: readonly Change[];
  readonly preconditions: readonly Precondition[];
}

/** A holder with a record, which changes with what it is given. */
interface OneChanged {
  readonly given: (type: string) => readonly string[];
  readonly audit: (changes: object) => AuditEvent;
  readonly preconditions: readonly Precondition[];
  readonly change: Change | undefined;
}

/** Such holders of one type, whatever their records are. Undefined where there is no such record. */
export type AnyChanged = (store: Store, name: string, now: number) => OneChanged | undefined;

export function anyChanged<Document extends object>(holder: Holder<Document>): AnyChanged | undefined {
  const { records, byName, changed } = holder;
  if (changed === undefined) return undefined;
  return (store, name, now) => {
    const entry = byName(store, name);
    if (entry === undefined) return undefined;
    const document = changed.document?.(entry.document, now);
    return {
      given: (type) => changed.given(store, entry.id, type),
      audit: (changes) => changed.audit(entry, changes),
      preconditions: [records.same(store, entry)],
      change: document && records.put(store, entry.id, document),
    };
  };
}

interface Gathered {
  readonly holder: OneChanged;
  /** Slugs, by the type of what is given or taken. */
  readonly sets: Map<string, { readonly written: Set<string>; readonly deleted: Set<string> }>;
}

/**
 * Raw tuples that give something to holders, or take it, whose own endpoints tell it as a change of the holder. They are
 * told as those tell it: all changes of one holder in one entry.
 */
export class ChangedHolders {
  readonly #store: Store;
  readonly #now: number;
  readonly #bySubject = new Map<string, Gathered>();

  constructor(store: Store, now: number) {
    this.#store = store;
    this.#now = now;
  }

  /** Whether a tuple is told so: one that is limited, and what replaces it, the endpoints never write. */
  take(changed: AnyChanged | undefined, tuple: Tuple, op: 'write' | 'delete'): boolean {
    if (changed === undefined || (op === 'write' && this.#isLimited(tuple))) return false;
    const gathered = this.#of(changed, tuple.subject);
    if (gathered === undefined) return false;
    const { type, id } = parseObject(tuple.object);
    const set = gathered.sets.get(type) ?? { written: new Set(), deleted: new Set() };
    gathered.sets.set(type, set);
    (op === 'write' ? set.written : set.deleted).add(id);
    return true;
  }

  /** What goes with the tuples. */
  told(): RawTelling {
    const tellings: Telling[] = [];
    const changes: Change[] = [];
    const preconditions: Precondition[] = [];
    for (const { holder, sets } of this.#bySubject.values()) {
      const difference = differenceOf(holder, sets);
      if (Object.keys(difference).length === 0) continue;
      preconditions.push(...holder.preconditions);
      tellings.push({ entry: holder.audit(difference), event: undefined });
      if (holder.change !== undefined) changes.push(holder.change);
    }
    return { tellings, changes, preconditions };
  }

  #isLimited(tuple: Tuple): boolean {
    const stored = currentTuple(this.#store, tuple, this.#now);
    return isLimited(tuple) || (stored !== undefined && !isPlain(stored));
  }

  #of(changed: AnyChanged, subject: string): Gathered | undefined {
    const known = this.#bySubject.get(subject);
    if (known !== undefined) return known;
    const holder = changed(this.#store, parseSubject(subject).id, this.#now);
    if (holder === undefined) return undefined;
    const gathered: Gathered = { holder, sets: new Map() };
    this.#bySubject.set(subject, gathered);
    return gathered;
  }
}

function differenceOf(holder: OneChanged, sets: Gathered['sets']) {
  const before: Record<string, readonly string[]> = {};
  const after: Record<string, readonly string[]> = {};
  for (const [type, { written, deleted }] of sets) {
    const given = holder.given(type);
    before[`${type}s`] = given;
    after[`${type}s`] = [...new Set([...given.filter((slug) => !deleted.has(slug)), ...written])];
  }
  return diffOfSets(before, after);
}
