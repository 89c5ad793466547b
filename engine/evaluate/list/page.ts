import { EngineError } from '../../errors.ts';
import type { ListPage, PageRequest } from '../../requests.ts';
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
}

export function pageBounds(request: PageRequest): PageBounds {
  const limit = request.limit ?? PAGE_DEFAULT;
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX) {
    throw new EngineError('invalid_argument', `limit must be a whole number from 1 to ${PAGE_MAX}`, { path: 'limit' });
  }
  if (request.cursor === undefined) return { after: -1, limit };
  const bytes = Buffer.from(request.cursor, 'base64url');
  if (bytes.length !== 5 || bytes[0] !== 1 || bytes.toString('base64url') !== request.cursor) {
    throw new EngineError('invalid_cursor', 'the cursor was not given out by this list', { path: 'cursor' });
  }
  return { after: bytes.readUInt32BE(1), limit };
}

function cursorAt(id: number): string {
  const bytes = Buffer.alloc(5);
  bytes[0] = 1;
  bytes.writeUInt32BE(id, 1);
  return bytes.toString('base64url');
}

export interface Candidates {
  /** The smallest candidates above an id, at most so many; sorted and distinct. */
  next(after: number, limit: number): Float64Array;
  /** What a check of this candidate says; undefined where every candidate is a result. */
  readonly check: ((id: number) => Verdict) | undefined;
  name(id: number): string;
}

/**
 * One page of candidates that hold, in the order of their ids. An id never changes its place, so that whatever stays
 * listed while pages are read one after another appears exactly once.
 */
export function fillPage(run: Run, candidates: Candidates, bounds: PageBounds): ListPage {
  const items: string[] = [];
  const conditional: { item: string; missing: string[] }[] = [];
  let { after } = bounds;
  const deadline = performance.now() + CHECKING_MAX_MS;
  for (;;) {
    const wanted = bounds.limit - items.length - conditional.length;
    const batch = candidates.next(after, wanted + 1);
    if (batch.length === 0) return { items, conditional };
    for (const id of batch) {
      if (items.length + conditional.length === bounds.limit) return { items, conditional, cursor: cursorAt(after) };
      const verdict = candidates.check === undefined ? ALLOWED : candidates.check(id);
      if (verdict === FAILED) throw run.error ?? new EngineError('condition_failed', 'a condition failed');
      if (verdict === ALLOWED) items.push(candidates.name(id));
      else if (verdict === CONDITIONAL) conditional.push({ item: candidates.name(id), missing: run.missingNames() });
      after = id;
      if (candidates.check !== undefined && performance.now() > deadline) {
        return { items, conditional, cursor: cursorAt(after) };
      }
    }
    if (batch.length <= wanted) return { items, conditional };
  }
}
