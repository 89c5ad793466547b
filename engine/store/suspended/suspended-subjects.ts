import type { SuspensionChange } from '../change-log.ts';
import type { Tables } from '../environment.ts';
import { emptyPage, hasBit, isEmptyPage, type Page, pageOf, readPages, setBit } from './pages.ts';

/** The suspended subjects of one store, in the memory of one thread. */
export class SuspendedSubjects {
  /** None where nobody is, as in most stores. */
  #pages: Map<number, Page> | undefined;
  /** Nobody is suspended: all that a question of most stores looks at. */
  isEmpty = true;

  /** Reads all of a store again, and replaces what was known before. */
  read(tables: Tables, store: number): void {
    this.#pages = undefined;
    for (const { page, bits } of readPages(tables, store)) this.#put(page, bits);
    this.isEmpty = this.#pages === undefined;
  }

  has(node: number): boolean {
    const page = this.#pages?.get(pageOf(node));
    return page !== undefined && hasBit(page, node);
  }

  set(node: number, isSuspended: boolean): void {
    const number = pageOf(node);
    const page = this.#pages?.get(number) ?? emptyPage();
    setBit(page, node, isSuspended);
    if (isEmptyPage(page)) this.#pages?.delete(number);
    else this.#put(number, page);
    this.isEmpty = (this.#pages?.size ?? 0) === 0;
  }

  #put(number: number, page: Page): void {
    this.#pages ??= new Map();
    this.#pages.set(number, page);
  }
}

/**
 * Of every store that a thread has looked at, read inside a snapshot and from then on following the log. What `of` gave
 * belongs to the snapshot: it must be asked for again after `clear`.
 */
export class SuspendedByStore {
  readonly #tables: Tables;
  readonly #stores = new Map<number, SuspendedSubjects>();

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  of(store: number): SuspendedSubjects {
    let subjects = this.#stores.get(store);
    if (subjects === undefined) {
      subjects = new SuspendedSubjects();
      subjects.read(this.#tables, store);
      this.#stores.set(store, subjects);
    }
    return subjects;
  }

  follow(changes: readonly SuspensionChange[]): void {
    for (const { store, node, op } of changes) this.#stores.get(store)?.set(node, op === 'suspend');
  }

  /** Used when the log no longer tells what changed for a store's subjects. */
  readAgain(store: number): void {
    this.#stores.get(store)?.read(this.#tables, store);
  }

  forget(store: number): void {
    this.#stores.delete(store);
  }

  clear(): void {
    this.#stores.clear();
  }
}
