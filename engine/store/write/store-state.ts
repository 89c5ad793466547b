import { EngineError } from '../../errors.ts';
import { Kinds, loadKinds, type StoreHead, storeKey } from '../catalog.ts';
import { KIND_MAX, QUALIFIED } from '../edge-key.ts';
import type { Tables } from '../environment.ts';
import { kindKey, pack, passingNameKey, shapeKey, u32Key } from '../layout.ts';
import type { NameTable } from '../name-table.ts';
import { readShapes } from '../shapes.ts';

const NODE_MAX = 0xff000000;
const IF_ABSENT = { noOverwrite: true } as const;

/** A name that got its id in this batch; other threads may learn it once the batch is durable. */
export interface NewName {
  readonly store: number;
  readonly name: string;
  readonly node: number;
}

/**
 * The writer's memory of one store: what it would otherwise read again for every tuple. It is thrown away whenever a
 * transaction is rolled back.
 */
export class StoreState {
  readonly kinds = new Kinds();
  head: StoreHead;
  readonly #tables: Tables;
  readonly #names: NameTable;
  readonly #fresh: NewName[];
  /** Bytes of the id that is given out now. */
  readonly #id = Buffer.alloc(4);
  readonly #pending = new Map<string, number>();
  /** Tuples by shape: kinds without the qualified bit, then condition name. */
  readonly #shapes = new Map<number, Map<string, number>>();
  readonly #dirtyShapes = new Set<string>();
  readonly #qualified = new Map<number, number>();
  readonly #plain = new Map<number, number>();
  #nextNode: number;
  #nextKind: number;
  #tuples: number;
  #dirty = false;

  constructor(tables: Tables, names: NameTable, head: StoreHead, fresh: NewName[]) {
    this.#tables = tables;
    this.#names = names;
    this.#fresh = fresh;
    this.head = head;
    this.#nextNode = head.nextNode;
    this.#nextKind = head.nextKind;
    this.#tuples = head.tuples;
    loadKinds(tables, head.number, this.kinds, head.nextKind);
    this.#loadShapes();
  }

  get number(): number {
    return this.head.number;
  }

  /** The node id of a name, given out now where the store has not seen it. */
  intern(name: string): number {
    const known = this.#remembered(name);
    if (known !== 0) return known;
    const node = this.#nextNode;
    if (node >= NODE_MAX) return this.#require(name);
    this.#id.writeUInt32BE(node, 0);
    // most names that are not in memory are new, and are searched for once and not twice; lmdb copies both at once
    const isNew = this.#tables.names.putSync(passingNameKey(this.number, name), this.#id, IF_ABSENT);
    if (!isNew) return this.#require(name);
    this.#nextNode++;
    this.#dirty = true;
    this.#tables.nodes.putSync(u32Key(this.number, node), Buffer.from(name, 'utf8'));
    this.#learn(name, node);
    return node;
  }

  /** The node id of a name, or 0. */
  find(name: string): number {
    const known = this.#remembered(name);
    if (known !== 0) return known;
    const stored = this.findStored(name);
    if (stored !== 0) this.#learn(name, stored);
    return stored;
  }

  /** The same, for a caller with so many names that remembering them would cost more than it saves. */
  findStored(name: string): number {
    return this.#tables.names.getBinaryFast(passingNameKey(this.number, name))?.readUInt32BE(0) ?? 0;
  }

  /** Has no name an id yet? */
  get isUnnamed(): boolean {
    return this.#nextNode === 1;
  }

  /** The first of `count` ids in a row, for names that the caller stores. Throws `too_large` before anything is written. */
  reserveNodes(count: number): number {
    const first = this.#nextNode;
    if (first + count > NODE_MAX) throw new EngineError('too_large', 'the store has no node ids left');
    this.#nextNode += count;
    this.#dirty ||= count > 0;
    return first;
  }

  internKind(type: string, relation: string): number {
    const known = this.kinds.number(type, relation);
    if (known !== 0) return known;
    const kind = this.#nextKind++;
    if (kind > KIND_MAX) throw new EngineError('too_large', 'the store has no kinds left');
    const text = `${type}#${relation}`;
    this.kinds.add(kind, text);
    this.#tables.kinds.putSync(kindKey(this.number, kind), Buffer.from(text));
    this.#dirty = true;
    return kind;
  }

  /** The kind of a model's (type, relation), or the error that names what is not there. */
  requireKind(type: string, relation: string, where: string): number {
    const kind = this.kinds.number(type, relation);
    if (kind !== 0) return kind;
    if (this.kinds.number(type, '') === 0) {
      throw new EngineError('unknown_type', `no model of this store has the type ${type}`, { path: where, type });
    }
    throw new EngineError('unknown_relation', `no model of this store has ${type}#${relation}`, {
      path: where,
      type,
      relation,
    });
  }

  hasPlain(kinds: number): boolean {
    return (this.#plain.get(kinds) ?? 0) > 0;
  }

  hasQualified(kinds: number): boolean {
    return (this.#qualified.get(kinds) ?? 0) > 0;
  }

  /** Counts tuples of a shape in or, below zero, out. `kinds` has the qualified bit where the tuples have. */
  count(kinds: number, condition: string, by: number): void {
    const bare = kinds & ~QUALIFIED;
    const side = bare === kinds ? this.#plain : this.#qualified;
    side.set(bare, (side.get(bare) ?? 0) + by);
    let conditions = this.#shapes.get(kinds);
    if (conditions === undefined) {
      conditions = new Map();
      this.#shapes.set(kinds, conditions);
    }
    conditions.set(condition, (conditions.get(condition) ?? 0) + by);
    this.#dirtyShapes.add(`${kinds}/${condition}`);
    this.#tuples += by;
    this.#dirty = true;
  }

  changeHead(change: Partial<Pick<StoreHead, 'models' | 'deletedAt'>>): void {
    this.head = { ...this.head, ...change };
    this.#dirty = true;
  }

  /** Writes what changed in memory. Belongs to the end of every transaction. */
  flush(): void {
    if (!this.#dirty) return;
    for (const entry of this.#dirtyShapes) {
      const slash = entry.indexOf('/');
      const kinds = Number(entry.slice(0, slash));
      const condition = entry.slice(slash + 1);
      const count = this.#shapes.get(kinds)?.get(condition) ?? 0;
      const key = shapeKey(this.number, kinds, condition);
      if (count === 0) this.#tables.shapes.removeSync(key);
      else this.#tables.shapes.putSync(key, pack(count));
    }
    this.#dirtyShapes.clear();
    this.head = { ...this.head, nextNode: this.#nextNode, nextKind: this.#nextKind, tuples: this.#tuples };
    this.#tables.stores.putSync(storeKey(this.head.name), pack(this.head));
    this.#dirty = false;
  }

  /** After a durable batch: other threads know the new names now. */
  forgetPending(): void {
    this.#pending.clear();
  }

  #remembered(name: string): number {
    return this.#names.get(this.number, name) || this.#pending.get(name) || 0;
  }

  /** Of a name that must be stored where no other one can be. */
  #require(name: string): number {
    const stored = this.find(name);
    if (stored === 0) throw new EngineError('too_large', 'the store has no node ids left');
    return stored;
  }

  /** A stored name may still be rolled back: other threads hear of it when the batch is durable. */
  #learn(name: string, node: number): void {
    this.#pending.set(name, node);
    this.#fresh.push({ store: this.number, name, node });
  }

  #loadShapes(): void {
    for (const shape of readShapes(this.#tables, this.number)) {
      const side = shape.kinds & QUALIFIED ? this.#qualified : this.#plain;
      const bare = shape.kinds & ~QUALIFIED;
      side.set(bare, (side.get(bare) ?? 0) + shape.count);
      let conditions = this.#shapes.get(shape.kinds);
      if (conditions === undefined) {
        conditions = new Map();
        this.#shapes.set(shape.kinds, conditions);
      }
      conditions.set(shape.condition, shape.count);
    }
  }
}
