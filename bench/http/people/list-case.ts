import { isDeepStrictEqual } from 'node:util';

/** One item of a list, as the service shows it. */
export type Item = Readonly<Record<string, unknown>>;

/** What must come back: a page of a list. */
export interface ExpectedPage {
  readonly total: number;
  readonly items: number;
  /** What is true of each item. */
  readonly each?: (item: Item) => boolean;
  /** By what items are in order, none of which comes before the one ahead of it. */
  readonly order?: { readonly by: string; readonly descending: boolean };
}

/** Or one thing, exactly. */
export interface ExpectedValue {
  readonly value: unknown;
}

/** One way to ask for a list, or for counts. */
export interface ListCase {
  readonly name: string;
  /** The path behind that of the organization, and what must come back, in one turn after the other. */
  turn(turn: number): { readonly path: string; readonly expected: ExpectedPage | ExpectedValue };
}

export function isExpected(text: string, expected: ExpectedPage | ExpectedValue): boolean {
  return 'value' in expected
    ? isDeepStrictEqual((JSON.parse(text) as { readonly data: unknown }).data, expected.value)
    : isExpectedPage(text, expected);
}

/** Both envelopes that the tenant family has for lists are known. */
function isExpectedPage(text: string, { total, items, each, order }: ExpectedPage): boolean {
  const reply = JSON.parse(text) as {
    readonly data: readonly Item[];
    readonly meta?: { readonly total: number };
    readonly pagination?: { readonly total: number };
  };
  if ((reply.meta ?? reply.pagination)?.total !== total || reply.data.length !== items) return false;
  if (each !== undefined && !reply.data.every(each)) return false;
  return order === undefined || isInOrder(reply.data, order.by, order.descending);
}

function isInOrder(items: readonly Item[], by: string, descending: boolean): boolean {
  const values = items.map((item) => item[by] as string);
  return values.every((value, place) => {
    const before = values[place - 1];
    return place === 0 || (descending ? String(before) >= value : String(before) <= value);
  });
}
