import type * as english from './en/index.ts';

/** One form for each plural category of its language; `{count}` chooses. */
export type Plural = { readonly [category in Intl.LDMLPluralRule]?: string } & { readonly other: string };

/** The texts of one area. Parameters stand in braces: `Hello {name}`. */
export type Area = Readonly<Record<string, string | Plural>>;

/** The texts of an area in another language: the same keys, and plurals where English has them. */
type Translation<A extends Area> = { readonly [K in keyof A]: A[K] extends string ? string : Plural };

type English = typeof english;

/** All texts in one language. */
export type Catalogue = { readonly [A in keyof English]: Translation<English[A]> };

/** `area.name` */
export type TextKey = { [A in keyof English]: `${A}.${keyof English[A] & string}` }[keyof English];

type Entry<K extends TextKey> = K extends `${infer A extends keyof English}.${infer N}`
  ? N extends keyof English[A]
    ? English[A][N]
    : never
  : never;

type NamesIn<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

type Names<E> = E extends string ? NamesIn<E> : NamesIn<E[keyof E]> | 'count';

/** What a text is called with: nothing, or a value for each of its parameters. */
export type Parameters<K extends TextKey, V> = [Names<Entry<K>>] extends [never]
  ? []
  : [values: { readonly [Name in Names<Entry<K>>]: Name extends 'count' ? number : V }];

/** The texts without parameters: those that tables of texts are made of. */
export type PlainKey = {
  [K in TextKey]: [Names<Entry<K>>] extends [never] ? K : never;
}[TextKey];
