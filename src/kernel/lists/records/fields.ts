import type { FilterValue, SortKey } from './definition.ts';

type Readers<Name extends string, Value> = {
  readonly [Field in Name]: (document: { readonly [Own in Field]?: Value }) => Value;
};

/** Sorts by fields of a document, each under the field's own name. */
export function sortFields<Name extends string>(...names: readonly Name[]): Readers<Name, SortKey> {
  return readers<Name, SortKey>(names);
}

/** Filters by fields of a document, each under the field's own name. */
export function filterFields<Name extends string>(...names: readonly Name[]): Readers<Name, FilterValue> {
  return readers<Name, FilterValue>(names);
}

function readers<Name extends string, Value>(names: readonly Name[]): Readers<Name, Value> {
  const all = names.map((name) => [name, (document: { readonly [Own in Name]?: Value }) => document[name]]);
  // one for each name
  return Object.fromEntries(all) as Readers<Name, Value>;
}
