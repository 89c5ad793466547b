import type { SuspensionChange } from '../change-log.ts';
import type { Tables } from '../environment.ts';
import { emptyPage, hasBit, pageOf, readPage, setBit, writePage } from './pages.ts';

/** Suspends and restores subjects; what was so already is no change. */
export class SuspensionWriter {
  readonly #tables: Tables;
  readonly #changes: SuspensionChange[];

  constructor(tables: Tables, changes: SuspensionChange[]) {
    this.#tables = tables;
    this.#changes = changes;
  }

  suspend(store: number, node: number): void {
    const number = pageOf(node);
    const page = readPage(this.#tables, store, number) ?? emptyPage();
    if (hasBit(page, node)) return;
    setBit(page, node, true);
    writePage(this.#tables, store, number, page);
    this.#changes.push({ store, node, op: 'suspend' });
  }

  restore(store: number, node: number): void {
    const number = pageOf(node);
    const page = readPage(this.#tables, store, number);
    if (page === undefined || !hasBit(page, node)) return;
    setBit(page, node, false);
    writePage(this.#tables, store, number, page);
    this.#changes.push({ store, node, op: 'restore' });
  }
}
