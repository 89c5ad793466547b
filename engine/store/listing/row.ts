import type { ListingDefinition } from '../../command/listing-definition.ts';

/** A value that lists sort by. Records without one come last. */
export type ListingKey = string | number | null;

/** A position in an order: a value as it is compared, and the id of its record. */
export interface ListingPosition {
  readonly key: ListingKey;
  readonly id: string;
}

/** What lists look at of one record. */
export interface ListingRow {
  readonly id: string;
  /** By the index of the flag; `null` where the document has none. */
  readonly flags: readonly (boolean | null)[];
  /** By the index of the order; texts are folded as they are compared. */
  readonly keys: readonly ListingKey[];
}

export interface NumberedRow extends ListingRow {
  readonly number: number;
}

/** A text as it is searched and compared, whatever its case and however its letters are composed. */
export function folded(text: string): string {
  // most texts are ASCII, and are not looked at twice
  return isAscii.test(text) ? text.toLowerCase() : text.normalize('NFC').toLowerCase().normalize('NFC');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII
const isAscii = /^[\u0000-\u007f]*$/;

export function rowOf(definition: ListingDefinition, id: string, document: unknown): ListingRow {
  const { orders, flags } = pathsOf(definition);
  return {
    id,
    flags: flags.map((path) => {
      const value = valueAt(document, path);
      return typeof value === 'boolean' ? value : null;
    }),
    keys: orders.map((order) => keyOf(order, document)),
  };
}

/** Names of fields, one in the other. */
type Path = readonly string[];

interface Paths {
  readonly flags: readonly Path[];
  readonly orders: readonly { readonly paths: readonly Path[]; readonly isExact: boolean }[];
}

/** Taken apart once, and not for each record. */
const known = new WeakMap<ListingDefinition, Paths>();

function pathsOf(definition: ListingDefinition): Paths {
  let paths = known.get(definition);
  if (paths === undefined) {
    paths = {
      flags: definition.flags.map(pathOf),
      orders: definition.orders.map(({ paths: each, isExact = false }) => ({ paths: each.map(pathOf), isExact })),
    };
    known.set(definition, paths);
  }
  return paths;
}

const pathOf = (text: string): Path => text.split('.');

function keyOf({ paths, isExact }: Paths['orders'][number], document: unknown): ListingKey {
  for (const path of paths) {
    const value = valueAt(document, path);
    if (typeof value === 'number') return value;
    if (typeof value === 'string') return isExact ? value : folded(value);
  }
  return null;
}

function valueAt(document: unknown, path: Path): unknown {
  let value = document;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
