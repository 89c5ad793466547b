import { EngineError } from '../../errors.ts';
import { parseObject, parseSubject, requireRelation, type Tuple } from '../../tuple.ts';
import { type ChangeBuffer, DELETED, type Qualifier, WRITTEN } from '../change-log.ts';
import { edgeKey, QUALIFIED, WILDCARD_NODE } from '../edge-key.ts';
import type { Tables } from '../environment.ts';
import { expiryKey, pack, unpack } from '../layout.ts';
import type { ListingWriter } from '../listing/listing-writer.ts';
import type { StoreState } from './store-state.ts';

const EMPTY = Buffer.alloc(0);
const IF_ABSENT = { noOverwrite: true };

/** A tuple whose kinds are known to exist; its names get their ids when it is written. */
export interface ResolvedTuple {
  readonly object: string;
  readonly subject: string;
  /** Without the qualified bit. */
  readonly kinds: number;
  readonly qualifier?: Qualifier;
}

/** Parses a tuple and finds its kinds. Throws before anything is written. */
export function resolveTuple(state: StoreState, tuple: Tuple): ResolvedTuple {
  const object = parseObject(tuple.object);
  requireRelation(tuple.relation);
  const subject = parseSubject(tuple.subject);
  const objectKind = state.requireKind(object.type, tuple.relation, 'relation');
  const subjectKind = state.requireKind(subject.type, subject.relation, 'subject');
  const qualifier = qualifierOf(tuple);
  return {
    object: tuple.object,
    subject: subject.relation === '*' ? '' : `${subject.type}:${subject.id}`,
    kinds: (objectKind << 16) | subjectKind,
    ...(qualifier === undefined ? {} : { qualifier }),
  };
}

export function qualifierOf(tuple: Pick<Tuple, 'condition' | 'expiresAt'>): Qualifier | undefined {
  if (tuple.condition === undefined && tuple.expiresAt === undefined) return undefined;
  const { condition, expiresAt } = tuple;
  return {
    ...(condition === undefined ? {} : { condition: condition.name }),
    ...(condition?.context === undefined ? {} : { context: condition.context }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

/** A context comes from outside. If it did not come from a JSON parser, it may not be plain data. */
function packQualifier(qualifier: Qualifier): Buffer {
  try {
    return pack(qualifier);
  } catch (cause) {
    throw new EngineError('invalid_argument', "a tuple's context cannot be stored: it is not plain data", {}, cause);
  }
}

/** Puts tuples into both indexes, and out of them; the one place that keeps them, the counts and the log in step. */
export class TupleWriter {
  readonly #tables: Tables;
  readonly #changes: ChangeBuffer;
  readonly #qualifiers: Record<number, Qualifier>;
  readonly #listings: Pick<ListingWriter, 'followerOf'>;
  readonly #forward = edgeKey();
  readonly #reverse = edgeKey();

  constructor(
    tables: Tables,
    listings: Pick<ListingWriter, 'followerOf'>,
    changes: ChangeBuffer,
    qualifiers: Record<number, Qualifier>,
  ) {
    this.#tables = tables;
    this.#listings = listings;
    this.#changes = changes;
    this.#qualifiers = qualifiers;
  }

  write(state: StoreState, tuple: ResolvedTuple): void {
    const object = state.intern(tuple.object);
    const subject = tuple.subject === '' ? WILDCARD_NODE : state.intern(tuple.subject);
    if (tuple.qualifier === undefined) this.writePlain(state, object, tuple.kinds, subject);
    else this.writeQualified(state, object, tuple.kinds, subject, tuple.qualifier);
  }

  writePlain(state: StoreState, object: number, kinds: number, subject: number): void {
    if (state.hasQualified(kinds)) this.#remove(state, object, kinds | QUALIFIED, subject, false);
    this.#aim(state.number, object, kinds, subject);
    if (!this.#tables.forward.putSync(this.#forward, EMPTY, IF_ABSENT)) return;
    this.#tables.reverse.putSync(this.#reverse, EMPTY);
    state.count(kinds, '', 1);
    this.#written(state, object, kinds, subject);
  }

  delete(state: StoreState, tuple: ResolvedTuple): void {
    const object = state.find(tuple.object);
    const subject = tuple.subject === '' ? WILDCARD_NODE : state.find(tuple.subject);
    if (object === 0 || (subject === 0 && tuple.subject !== '')) return;
    this.deleteEdge(state, object, tuple.kinds, subject);
  }

  /** `kinds` without the qualified bit: whichever form is stored goes. */
  deleteEdge(state: StoreState, object: number, kinds: number, subject: number): void {
    if (state.hasPlain(kinds)) this.#remove(state, object, kinds, subject, true);
    if (state.hasQualified(kinds)) this.#remove(state, object, kinds | QUALIFIED, subject, true);
  }

  /** Why the condition and expiry of a tuple cannot be read; undefined where they can, or where there is no such tuple. */
  unreadable(state: StoreState, object: number, kinds: number, subject: number): EngineError | undefined {
    try {
      this.#qualifier(state.number, object, kinds | QUALIFIED, subject);
      return undefined;
    } catch (cause) {
      const name = `${state.number}/${object}/${kinds}/${subject}`;
      return new EngineError('corrupt', `the expired tuple ${name} cannot be read, and stays`, {}, cause);
    }
  }

  exists(state: StoreState, tuple: ResolvedTuple, time: number): boolean {
    const object = state.find(tuple.object);
    const subject = tuple.subject === '' ? WILDCARD_NODE : state.find(tuple.subject);
    if (object === 0 || (subject === 0 && tuple.subject !== '')) return false;
    this.#aim(state.number, object, tuple.kinds, subject);
    if (this.#tables.forward.doesExist(this.#forward)) return true;
    const stored = this.#qualifier(state.number, object, tuple.kinds | QUALIFIED, subject);
    return stored !== undefined && (stored.expiresAt === undefined || time < stored.expiresAt);
  }

  writeQualified(state: StoreState, object: number, kinds: number, subject: number, qualifier: Qualifier): void {
    const marked = kinds | QUALIFIED;
    if (state.hasPlain(kinds)) this.#remove(state, object, kinds, subject, false);
    const value = packQualifier(qualifier);
    this.#aim(state.number, object, marked, subject);
    const before = this.#tables.forward.getBinary(this.#forward) as Buffer | undefined;
    if (before?.equals(value)) return;
    if (before !== undefined) this.#remove(state, object, marked, subject, false);
    this.#aim(state.number, object, marked, subject);
    this.#tables.forward.putSync(this.#forward, value);
    this.#tables.reverse.putSync(this.#reverse, EMPTY);
    if (qualifier.expiresAt !== undefined) {
      this.#tables.expiry.putSync(expiryKey(qualifier.expiresAt, this.#forward), EMPTY);
    }
    state.count(marked, qualifier.condition ?? '', 1);
    this.#qualifiers[this.#changes.count] = qualifier;
    this.#written(state, object, marked, subject);
  }

  #remove(state: StoreState, object: number, kinds: number, subject: number, logged: boolean): void {
    const qualifier = kinds & QUALIFIED ? this.#qualifier(state.number, object, kinds, subject) : undefined;
    this.#aim(state.number, object, kinds, subject);
    if (!this.#tables.forward.removeSync(this.#forward)) return;
    this.#tables.reverse.removeSync(this.#reverse);
    if (qualifier?.expiresAt !== undefined) {
      this.#tables.expiry.removeSync(expiryKey(qualifier.expiresAt, this.#forward));
    }
    state.count(kinds, qualifier?.condition ?? '', -1);
    if (!logged) return;
    this.#listings.followerOf(state.number, kinds)?.(object, subject, false);
    this.#changes.add(DELETED, state.number, object, kinds, subject);
  }

  #written(state: StoreState, object: number, kinds: number, subject: number): void {
    this.#listings.followerOf(state.number, kinds)?.(object, subject, true);
    this.#changes.add(WRITTEN, state.number, object, kinds, subject);
  }

  #qualifier(store: number, object: number, kinds: number, subject: number): Qualifier | undefined {
    this.#aim(store, object, kinds, subject);
    const bytes = this.#tables.forward.getBinaryFast(this.#forward);
    return bytes === undefined ? undefined : unpack<Qualifier>(bytes);
  }

  #aim(store: number, object: number, kinds: number, subject: number): void {
    const forward = this.#forward;
    const reverse = this.#reverse;
    forward.store = store;
    forward.node = object;
    forward.kinds = kinds;
    forward.other = subject;
    reverse.store = store;
    reverse.node = subject;
    reverse.kinds = ((kinds << 16) | (kinds >>> 16)) >>> 0;
    reverse.other = object;
  }
}
