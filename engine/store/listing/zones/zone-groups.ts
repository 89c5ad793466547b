import { comparedId } from '../listing-keys.ts';
import type { IdBounds, RowZone } from './row-zones.ts';

/** Zones of rows whose ids lie among each other: all ids of one group come before those of the next. */
export interface ZoneGroup {
  readonly ids: IdBounds;
  /** As ids are compared. */
  readonly least: string;
  readonly greatest: string;
  readonly zones: readonly Pick<RowZone, 'from' | 'to'>[];
  /** How many numbers of rows its zones have. */
  readonly span: number;
}

/** Groups of more than this share of all rows say too little of where a page is. */
const SHARE_MAX = 8;
/** But so many zones are looked through whatever their share is. */
const ZONES_MAX = 4;

/**
 * The groups in the order of their ids; `undefined` where they say little, or where rows are missing, which an earlier release
 * has written.
 * @param end the zones have all rows before this one, if none is missing
 */
export function groupsOf(zones: readonly RowZone[], end: number, tail: RowZone): readonly ZoneGroup[] | undefined {
  let reached = 0;
  for (const { from, to } of zones) {
    if (from !== reached) return undefined;
    reached = to;
  }
  if (reached !== end) return undefined;
  const groups: ZoneGroup[] = [];
  for (const zone of inOrder([...zones, tail])) {
    const last = groups.at(-1);
    if (last === undefined || last.greatest < zone.least) groups.push(zone);
    else groups[groups.length - 1] = joined(last, zone);
  }
  const all = groups.reduce((sum, { span }) => sum + span, 0);
  const isNarrow = ({ span, zones: { length } }: ZoneGroup): boolean => length <= ZONES_MAX || span * SHARE_MAX <= all;
  return groups.every(isNarrow) ? groups : undefined;
}

function inOrder(zones: readonly RowZone[]): ZoneGroup[] {
  const single = zones.flatMap(({ from, to, ids }): ZoneGroup[] => {
    if (ids === undefined) return [];
    const { least, greatest } = ids;
    const zone = { from, to };
    return [{ ids, least: comparedId(least), greatest: comparedId(greatest), zones: [zone], span: to - from }];
  });
  return single.sort((left, right) => (left.least < right.least ? -1 : 1));
}

function joined(first: ZoneGroup, second: ZoneGroup): ZoneGroup {
  const last = first.greatest < second.greatest ? second : first;
  return {
    ids: { least: first.ids.least, greatest: last.ids.greatest },
    least: first.least,
    greatest: last.greatest,
    zones: [...first.zones, ...second.zones],
    span: first.span + second.span,
  };
}

/** About how much memory groups take. */
export function groupsBytes(groups: readonly ZoneGroup[] | undefined): number {
  return (groups ?? []).reduce((sum, { least, greatest, zones }) => {
    return sum + GROUP_BYTES + 2 * (least.length + greatest.length) + zones.length * ZONE_BYTES;
  }, GROUP_BYTES);
}

const GROUP_BYTES = 200;
const ZONE_BYTES = 64;

/** To read and sort a row costs about as much as so many entries of the order of ids that are walked over. */
const SORT_COST = 3;

interface IdRow {
  readonly row: number;
  readonly id: string;
}

/** What a page of groups is read with. */
interface Ways {
  /** With ids as they are compared, in no order. */
  readonly read: (rows: readonly number[]) => (IdRow & { readonly text: string })[];
  /** Rows that match behind an id, some of them passed over, in the order of ids. */
  readonly walk: (after: string | undefined, offset: number) => readonly IdRow[];
}

/** By the numbers of rows, from one up to another. */
interface MatchingRows {
  readonly between: (from: number, to: number) => readonly number[];
  readonly countBetween: (from: number, to: number) => number;
}

interface PageOfIds {
  readonly offset: number;
  readonly limit: number;
  readonly after?: { readonly id: string } | undefined;
  readonly descending?: boolean | undefined;
}

/**
 * A page in the order of ids of the rows that match: groups ahead of it are counted. From there on its rows are read and
 * sorted, or where most rows match, the order is walked.
 */
export function pageOfGroups(
  all: readonly ZoneGroup[],
  matches: MatchingRows,
  { offset, limit, after, descending = false }: PageOfIds,
  { read, walk }: Ways,
): readonly IdRow[] {
  const start = after && comparedId(after.id);
  const sign = descending ? -1 : 1;
  const isBehind = (text: string): boolean => start === undefined || (descending ? text < start : text > start);
  const found: IdRow[] = [];
  let left = offset;
  let before: ZoneGroup | undefined;
  for (const group of descending ? all.toReversed() : all) {
    const ahead = before;
    before = group;
    if (found.length >= limit) break;
    if (!isBehind(descending ? group.least : group.greatest)) continue;
    const isWhole = isBehind(descending ? group.greatest : group.least);
    const count = group.zones.reduce((sum, { from, to }) => sum + matches.countBetween(from, to), 0);
    if (count === 0) continue;
    if (isWhole && count <= left) {
      left -= count;
      continue;
    }
    const wanted = left + limit;
    if (found.length === 0 && (wanted * group.span) / count <= SORT_COST * Math.max(count, wanted)) {
      const end = descending ? ahead?.ids.least : ahead?.ids.greatest;
      return walk(isWhole ? end : after?.id, left);
    }
    const rows = read(group.zones.flatMap(({ from, to }) => matches.between(from, to)));
    const sorted = rows
      .filter(({ text }) => isBehind(text))
      .sort((one, other) => (one.text < other.text ? -sign : sign));
    for (const row of sorted.slice(left, left + limit - found.length)) found.push(row);
    left = Math.max(0, left - sorted.length);
  }
  return found;
}
