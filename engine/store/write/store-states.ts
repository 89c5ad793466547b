import { EngineError } from '../../errors.ts';
import { allHeads, nextStore, readHead, STORE_NAME_MAX, type StoreHead, storeKey, writeNextStore } from '../catalog.ts';
import type { Tables } from '../environment.ts';
import { pack } from '../layout.ts';
import type { NameTable } from '../name-table.ts';
import { type NewName, StoreState } from './store-state.ts';

const STATES_MAX = 256;

/** The stores that the writer has in memory, a bounded number of them. */
export class StoreStates {
  readonly #tables: Tables;
  readonly #names: NameTable;
  readonly #fresh: NewName[];
  readonly #states = new Map<string, StoreState>();

  constructor(tables: Tables, names: NameTable, fresh: NewName[]) {
    this.#tables = tables;
    this.#names = names;
    this.#fresh = fresh;
  }

  get(name: string): StoreState {
    const state = this.find(name);
    if (state === undefined) throw new EngineError('unknown_store', `there is no store ${name}`, { store: name });
    return state;
  }

  find(name: string): StoreState | undefined {
    const known = this.#states.get(name);
    if (known !== undefined) return known;
    const head = readHead(this.#tables, name);
    return head === undefined || head.deletedAt !== undefined ? undefined : this.#keep(head);
  }

  /** The live store with this number, if there is one. */
  byNumber(number: number): StoreState | undefined {
    for (const state of this.#states.values()) if (state.number === number) return state;
    const head = allHeads(this.#tables).find((each) => each.number === number && each.deletedAt === undefined);
    return head === undefined ? undefined : this.#keep(head);
  }

  create(name: string, time: number): StoreState {
    if (name.length === 0 || Buffer.byteLength(name) > STORE_NAME_MAX) {
      throw new EngineError('invalid_argument', `a store's name has 1 to ${STORE_NAME_MAX} bytes`, { path: 'store' });
    }
    if (readHead(this.#tables, name) !== undefined) {
      throw new EngineError('store_exists', `the name ${name} is or was in use`, { store: name });
    }
    const number = nextStore(this.#tables);
    writeNextStore(this.#tables, number + 1);
    const head: StoreHead = { number, name, createdAt: time, nextNode: 1, nextKind: 1, tuples: 0, models: [] };
    this.#tables.stores.putSync(storeKey(name), pack(head));
    return this.#keep(head);
  }

  /** Writes what changed, and lets go of stores beyond the bound. */
  flush(): void {
    for (const state of this.#states.values()) state.flush();
    for (const name of this.#states.keys()) {
      if (this.#states.size <= STATES_MAX) return;
      this.#states.delete(name);
    }
  }

  forget(name: string): void {
    this.#states.delete(name);
  }

  forgetPending(): void {
    for (const state of this.#states.values()) state.forgetPending();
  }

  #keep(head: StoreHead): StoreState {
    const state = new StoreState(this.#tables, this.#names, head, this.#fresh);
    this.#states.set(head.name, state);
    return state;
  }
}
