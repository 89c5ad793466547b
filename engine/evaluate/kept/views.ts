import { EngineError } from '../../errors.ts';
import { SecondChanceCache } from '../../memory/second-chance-cache.ts';
import { Kinds, readHead, readKinds, type StoreHead } from '../../store/catalog.ts';
import type { StoreChange } from '../../store/change-log.ts';
import type { Tables } from '../../store/environment.ts';
import type { NameTable } from '../../store/name-table.ts';
import type { SuspendedByStore, SuspendedSubjects } from '../../store/suspended/suspended-subjects.ts';
import type { Plan } from '../plan/plan.ts';
import type { StoreView } from '../question.ts';
import { Numbered } from './numbered.ts';

export interface View extends StoreView {
  readonly head: StoreHead;
  readonly kinds: Kinds;
  /** The plan of the latest model, once it was asked for. A view is dropped when a model is written. */
  latest: Plan | undefined;
  /** The plan of the first other version that was asked for: in many stores such a version decides rights. */
  other: Plan | undefined;
  /** What is kept with it, as it is estimated. */
  bytes: number;
  /** Whether it still is the view of its store. */
  isKept: boolean;
  /** Whether it was used since the cache asked last. */
  isUsed: boolean;
}

/** Kinds are read when they are asked for: most callers need only a store's records or its plan. */
class KeptView implements View {
  // what a check looks at stands together
  isKept = true;
  isUsed = false;
  readonly number: number;
  readonly suspended: SuspendedSubjects;
  latest: Plan | undefined = undefined;
  readonly tables: Tables;
  readonly names: NameTable;
  readonly head: StoreHead;
  other: Plan | undefined = undefined;
  bytes: number;
  readonly #kindsOf: (head: StoreHead) => Kinds;

  constructor(of: Omit<StoreView, 'number'>, head: StoreHead, kindsOf: (head: StoreHead) => Kinds) {
    this.tables = of.tables;
    this.names = of.names;
    this.number = head.number;
    this.suspended = of.suspended;
    this.head = { ...head, models: head.models.map(ownText) };
    this.bytes = VIEW_BYTES + head.models.length * MODEL_ID_BYTES;
    this.#kindsOf = kindsOf;
  }

  /** Those that the head counts: a kind never changes, so that a later snapshot has the same. */
  get kinds(): Kinds {
    return this.#kindsOf(this.head);
  }
}

/** A text without the record that it was read from, of which V8 makes it a slice. */
function ownText(id: string): string {
  return Buffer.from(id, 'latin1').toString('latin1');
}

/** In bytes, as they are estimated. */
const VIEW_BYTES = 800;
const MODEL_ID_BYTES = 60;
/** Different lists of kinds. Stores with the same one share it: nearly all stores whose models are alike. */
const KINDS_BYTES_MAX = 4 * 2 ** 20;
const KIND_BYTES = 80;
/** Stores whose kinds are at hand. Each has some that no other store has. */
const STORES_MAX = 1_024;
/** Kinds that are shared together. */
const PIECE = 16;

/** Views of stores in one thread: made when a store is looked at, dropped with its next model and by use. */
export class Views {
  readonly #tables: Tables;
  readonly #names: NameTable;
  readonly #suspended: SuspendedByStore;
  readonly #views: SecondChanceCache<string, View>;
  readonly #kinds = new SecondChanceCache<string, Kinds>(KINDS_BYTES_MAX);
  /** By store. */
  readonly #kindsOfStores = new SecondChanceCache<number, Kinds>(STORES_MAX);
  readonly #numbered = new Numbered();
  /** Names of the stores whose views are kept, by number. */
  readonly #kept = new Map<number, string>();

  /**
   * @param bytesMax of all views together, with the plans of their latest models
   * @param dropped called with the number of a store whose view goes: then nobody asks for what is kept of it
   */
  constructor(
    tables: Tables,
    names: NameTable,
    suspended: SuspendedByStore,
    bytesMax: number,
    dropped: (store: number) => void,
  ) {
    this.#tables = tables;
    this.#names = names;
    this.#suspended = suspended;
    this.#views = new SecondChanceCache<string, View>(bytesMax, {
      dropped: (view) => {
        view.isKept = false;
        this.#kept.delete(view.number);
        suspended.forget(view.number);
        dropped(view.number);
      },
      takeUse(view) {
        const { isUsed } = view;
        view.isUsed = false;
        return isUsed;
      },
    });
  }

  /** To be called inside the snapshot. @throws EngineError `unknown_store` */
  of(store: string): View {
    return this.#views.get(store) ?? this.#load(store);
  }

  /** Adds the bytes of a plan that the view got. */
  weigh(view: View, bytes: number): void {
    view.bytes += bytes;
    this.#views.set(view.head.name, view, view.bytes);
  }

  follow(changes: readonly StoreChange[]): void {
    for (const { store } of changes) {
      const name = this.#kept.get(store);
      if (name !== undefined) this.#views.delete(name);
    }
  }

  clear(): void {
    this.#views.clear();
  }

  #load(store: string): View {
    const head = readHead(this.#tables, store);
    if (head === undefined || head.deletedAt !== undefined) {
      throw new EngineError('unknown_store', `there is no store ${store.slice(0, 128)}`, {
        store: store.slice(0, 128),
      });
    }
    const basis = { tables: this.#tables, names: this.#names, suspended: this.#suspended.of(head.number) };
    const view = new KeptView(basis, head, this.#kindsOf);
    this.#views.set(head.name, view, view.bytes);
    this.#kept.set(head.number, head.name);
    return view;
  }

  /** A store only ever gets more kinds. */
  readonly #kindsOf = ({ number, nextKind }: StoreHead): Kinds => {
    const known = this.#kindsOfStores.get(number);
    if (known?.size === nextKind - 1) return known;
    const kinds = this.#readKinds(number, nextKind);
    this.#kindsOfStores.set(number, kinds);
    return kinds;
  };

  #readKinds(number: number, nextKind: number): Kinds {
    const texts = readKinds(this.#tables, number, nextKind);
    let kinds: Kinds | undefined;
    for (let from = 0; kinds === undefined || from < texts.length; from += PIECE) {
      kinds = this.#piece(kinds, from, texts.slice(from, from + PIECE));
    }
    return kinds;
  }

  /** The kinds behind a base. Stores whose models begin alike share these pieces. */
  #piece(base: Kinds | undefined, from: number, texts: readonly string[]): Kinds {
    const key = `${base === undefined ? 0 : this.#numbered.of(base)}\n${texts.join('\n')}`;
    const known = this.#kinds.get(key);
    if (known !== undefined) return known;
    const kinds = new Kinds(base);
    for (const [index, text] of texts.entries()) kinds.add(from + index + 1, text);
    this.#kinds.set(key, kinds, (1 + texts.length) * KIND_BYTES);
    return kinds;
  }
}
