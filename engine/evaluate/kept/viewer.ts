import type { View, Views } from './views.ts';

/**
 * Finds the view of one store, mostly without looking for its name. It is a base class and not a field: with many stores
 * that is one object less to look at.
 */
export class Viewer {
  readonly #views: Views;
  readonly #store: string;
  // what a check looks at stands last: beside what it looks at in the store
  #last: View | undefined;

  protected constructor(views: Views, store: string) {
    this.#views = views;
    this.#store = store;
  }

  /** To be called inside the snapshot. @throws EngineError `unknown_store` */
  static viewOf(viewer: Viewer): View {
    const view = viewer.#last;
    if (view === undefined || !view.isKept) return viewer.#find();
    if (!view.isUsed) view.isUsed = true;
    return view;
  }

  /** The view that was found last, which may have been dropped: to be looked at, and not to be used. */
  static lastOf(viewer: Viewer): View | undefined {
    return viewer.#last;
  }

  #find(): View {
    const view = this.#views.of(this.#store);
    this.#last = view;
    return view;
  }
}
