import { EngineError } from '../../errors.ts';
import type { ListPage, PageRequest } from '../../requests.ts';
import { type Paged, readCursor, writeCursor } from '../page-cursor.ts';
import { ALLOWED, CONDITIONAL, FAILED, type Verdict } from '../verdict.ts';
import type { Run } from '../walk/run.ts';

export const PAGE_DEFAULT = 1_000;
export const PAGE_MAX = 10_000;
/** A page whose candidates must be checked ends, short of its limit and with a cursor, after this time. */
const CHECKING_MAX_MS = 1_000;

export interface PageBounds {
  /** Only ids above this. */
  readonly after: number;
  readonly limit: number;
  /** What is listed: a cursor of another list is refused. */
  readonly paged: Paged;
}

export function pageBounds(request: PageRequest, paged: Paged, max = PAGE_MAX): PageBounds {
  const limit = request.limit ?? Math.min(PAGE_DEFAULT, max);
  if (!Number.isInteger(limit) || limit < 1 || limit > max) {
    throw new EngineError('invalid_argument', `limit must be a whole number from 1 to ${max}`, { path: 'limit' });
  }
  const [after = -1] = request.cursor === undefined ? [] : readCursor(paged, request.cursor, 1);
  return { after, limit, paged };
}

export interface Candidates {
  /** The smallest candidates above an id, at most so many; sorted and distinct. */
  next(after: number, limit: number): Float64Array;
  /** What a check of this candidate says; undefined where every candidate is a result. */
  readonly check: ((id: number) => Verdict) | undefined;
  name(id: number): string;
  /** Told of each candidate that does not hold: does it stand on the page all the same? */
  readonly refused?: ((id: number) => boolean) | undefined;
  /** Told of each candidate that stands on the page. */
  readonly listed?: ((id: number) => void) | undefined;
}

/**
 * One page of candidates that hold, in the order of their ids. An id never changes its position, so that whatever stays
 * listed while pages are read one after another appears exactly once.
 */
export function fillPage(run: Run, candidates: Candidates, bounds: PageBounds): ListPage {
  const items: string[] = [];
  const conditional: { item: string; missing: string[] }[] = [];
  const { check, refused, listed } = candidates;
  let { after } = bounds;
  let found = 0;
  const deadline = performance.now() + CHECKING_MAX_MS;
  for (;;) {
    const wanted = bounds.limit - found;
    const batch = candidates.next(after, wanted + 1);
    if (batch.length === 0) return { items, conditional };
    for (const id of batch) {
      if (found === bounds.limit) return { items, conditional, cursor: writeCursor(bounds.paged, [after]) };
      const verdict = check === undefined ? ALLOWED : check(id);
      if (verdict === FAILED) throw run.error ?? new EngineError('condition_failed', 'a condition failed');
      if (verdict === ALLOWED) items.push(candidates.name(id));
      else if (verdict === CONDITIONAL) conditional.push({ item: candidates.name(id), missing: run.missingNames() });
      if (verdict === ALLOWED || verdict === CONDITIONAL || refused?.(id) === true) {
        found += 1;
        listed?.(id);
      }
      after = id;
      if (check !== undefined && performance.now() > deadline) {
        return { items, conditional, cursor: writeCursor(bounds.paged, [after]) };
      }
    }
    if (batch.length <= wanted) return { items, conditional };
  }
}
