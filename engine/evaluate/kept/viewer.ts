import type { CacheEntry } from '../../memory/second-chance-cache.ts';
import type { View, Views } from './views.ts';

/** Finds the view of one store, mostly without looking for its name. */
export class Viewer {
  readonly #views: Views;
  readonly #store: string;
  #entry: CacheEntry<View> | undefined;

  constructor(views: Views, store: string) {
    this.#views = views;
    this.#store = store;
  }

  /** To be called inside the snapshot. @throws EngineError `unknown_store` */
  get view(): View {
    const entry = this.#entry;
    const view = entry?.value;
    if (entry === undefined || view === undefined) return this.#find();
    if (!entry.isUsed) entry.isUsed = true;
    return view;
  }

  /** Reads what a check needs of the view, where it is kept. */
  touch(): number {
    const view = this.#entry?.value;
    if (view === undefined) return 0;
    return (view.suspended.isEmpty ? 1 : 0) ^ (view.latest?.types.touch() ?? 0);
  }

  #find(): View {
    const view = this.#views.of(this.#store);
    this.#entry = this.#views.entryOf(this.#store);
    return view;
  }
}
