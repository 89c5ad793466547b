import type { Place } from '../../memory/second-chance-cache.ts';
import type { View, Views } from './views.ts';

/** Finds the view of one store, mostly without looking for its name. */
export class Viewer {
  readonly #views: Views;
  readonly #store: string;
  #place: Place<View> | undefined;

  constructor(views: Views, store: string) {
    this.#views = views;
    this.#store = store;
  }

  /** To be called inside the snapshot. @throws EngineError `unknown_store` */
  get view(): View {
    const place = this.#place;
    const view = place?.value;
    if (place === undefined || view === undefined) return this.#find();
    if (!place.isUsed) place.isUsed = true;
    return view;
  }

  #find(): View {
    const view = this.#views.of(this.#store);
    this.#place = this.#views.placeOf(this.#store);
    return view;
  }
}
