import type { View, Views } from './views.ts';

/** Finds the view of one store, mostly without looking for its name. */
export class Viewer {
  readonly #views: Views;
  readonly #store: string;
  #last: View | undefined;

  constructor(views: Views, store: string) {
    this.#views = views;
    this.#store = store;
  }

  /** To be called inside the snapshot. @throws EngineError `unknown_store` */
  get view(): View {
    const view = this.#last;
    if (view === undefined || !view.isKept) return this.#find();
    if (!view.isUsed) view.isUsed = true;
    return view;
  }

  /** The view that was found last, which may have been dropped: to be looked at, and not to be used. */
  get last(): View | undefined {
    return this.#last;
  }

  #find(): View {
    const view = this.#views.of(this.#store);
    this.#last = view;
    return view;
  }
}
