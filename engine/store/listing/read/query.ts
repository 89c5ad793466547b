import { EngineError } from '../../../errors.ts';
import type { ListingPosition } from '../row.ts';

/** Subjects of an object's tuples: `relation` as the definition names it, `type#relation`. */
export interface ListingMember {
  readonly relation: string;
  readonly object: string;
}

/** Numbers of an order: from one on where it is given, and below another. Records without a number are not meant. */
export interface ListingStretch {
  readonly order: string;
  readonly from?: number | undefined;
  readonly below?: number | undefined;
}

export interface ListingQuery {
  /** Must be contained in one of the texts, whatever the case. */
  readonly search?: string | undefined;
  /** By the name of a flag: what it must be. */
  readonly where?: Readonly<Record<string, boolean | undefined>> | undefined;
  /** Only records whose numbers lie in all of these. */
  readonly between?: readonly ListingStretch[] | undefined;
  /** Only records with these ids. */
  readonly within?: ReadonlySet<string> | undefined;
  /** Only records that are subjects of a tuple of each of these objects. */
  readonly memberOf?: readonly ListingMember[] | undefined;
  /** By the name of an order; in that of ids where omitted. */
  readonly order?: string | undefined;
  readonly descending?: boolean | undefined;
  /** Only what comes after it in the order. It need not be there any more. */
  readonly after?: ListingPosition | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** How many records are listed, and how many of them have a value in an order. */
export interface OrderCounts {
  readonly all: number;
  readonly valued: number;
}

export interface ListingPage {
  readonly ids: readonly string[];
  /** How many match, also before the page. */
  readonly total: number;
  /** False where a search matches more than were counted: then at least `total` match. */
  readonly totalIsExact: boolean;
  /** Where the page ends; none if it is empty. */
  readonly last: ListingPosition | undefined;
}

/** So many matches of a search are counted, and sorted. */
export const COUNTED_MAX = 10_000;

/** Where a name stands among others, from 1; 0 for none. */
export function indexIn(what: string, names: readonly string[], name: string | undefined): number {
  if (name === undefined || name === '') return 0;
  const at = names.indexOf(name);
  if (at < 0) throw new EngineError('invalid_argument', `the listing has no ${what} ${name}`, { path: what });
  return at + 1;
}
