import type { Parameters, TextKey } from './catalogue.ts';

/** A text that is not yet in any language: plain data, to be said to whoever reads it. */
export interface Said {
  readonly key: TextKey;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** `said('problems.linkOverText')`: see `Texts.said`. */
export function said<K extends TextKey>(key: K, ...[values]: Parameters<K, string | number>): Said {
  return values === undefined ? { key } : { key, values };
}
