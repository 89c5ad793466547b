import { EngineError } from '../errors.ts';

/** An order of the records of a collection. */
export interface ListingOrder {
  readonly name: string;
  /** Where its value stands in a document: the first of these paths that has one. Names are joined by dots. */
  readonly paths: readonly string[];
  /** Whether letters of different case differ. */
  readonly isExact?: boolean;
}

/** A record is the subject `subjectType:<its id>` of tuples of these relations, each written `type#relation`. */
export interface ListingMemberships {
  readonly subjectType: string;
  readonly relations: readonly string[];
}

/**
 * How the records of one collection are listed: what the writer keeps beside them. It is plain data, so that every node
 * makes the same of the same documents.
 */
export interface ListingDefinition {
  readonly collection: string;
  readonly orders: readonly ListingOrder[];
  /** Names of the orders whose texts a search looks through. */
  readonly text: readonly string[];
  /** Fields of documents that are true or false, and that lists filter by. */
  readonly flags: readonly string[];
  /** Tuples whose subjects are the records, and whose objects lists filter by. */
  readonly memberships?: ListingMemberships;
  /** How many records a block of counts has on average: a power of two. */
  readonly blockSize?: number;
  /** How many records are looked at one by one before they are put into the sets of filters and search. */
  readonly recentMax?: number;
}

export const BLOCK_SIZE = 4_096;
export const RECENT_MAX = 2_048;

const ORDERS_MAX = 32;
const FLAGS_MAX = 32;
const MEMBERSHIPS_MAX = 16;

const isType = /^[^:#@\s]+$/;
const isRelation = /^[^:#@\s]+#[^:#@\s]+$/;

/** @throws EngineError `invalid_argument`, with the path of what is wrong */
export function requireDefinition({ collection, orders, text, flags, ...sizes }: ListingDefinition): void {
  const { blockSize = BLOCK_SIZE, recentMax = RECENT_MAX } = sizes;
  const names = orders.map(({ name }) => name);
  require(collection !== '', 'collection', 'is empty');
  require(orders.length <= ORDERS_MAX, 'orders', `has more than ${ORDERS_MAX}`);
  require(flags.length <= FLAGS_MAX, 'flags', `has more than ${FLAGS_MAX}`);
  require(new Set(names).size === names.length, 'orders', 'has a name twice');
  require(!names.includes(''), 'orders', 'has an order without a name');
  require(orders.every(({ paths }) => paths.length > 0), 'orders', 'has an order without a path');
  for (const name of text) {
    const order = orders.find((each) => each.name === name);
    require(order !== undefined && order.isExact !== true, 'text', `names no order of folded texts: ${name}`);
  }
  const { subjectType = 'none', relations = [] } = sizes.memberships ?? {};
  require(relations.length <= MEMBERSHIPS_MAX, 'memberships', `has more than ${MEMBERSHIPS_MAX} relations`);
  require(isType.test(subjectType), 'memberships', 'has no type of subjects');
  require(relations.every((each) => isRelation.test(each)), 'memberships', 'has what is no type#relation');
  require(new Set(relations).size === relations.length, 'memberships', 'has a relation twice');
  require((blockSize & (blockSize - 1)) === 0 && blockSize > 0, 'blockSize', 'is no power of two');
  require(Number.isInteger(recentMax) && recentMax > 0, 'recentMax', 'is no whole number above 0');
}

function require(condition: boolean, path: string, problem: string): void {
  if (!condition) throw new EngineError('invalid_argument', `the listing's ${path} ${problem}`, { path });
}
