import { type Store, sequenceId } from '#engine';
import { eventRecords } from '../../../kernel/events/index.ts';
import { isUnreadable } from '../../../platform/index.ts';

/** Numbers of events: the last before those that are meant, and the last of them. */
export interface ReplayRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The events of a span of time, as far as they are kept, found by halving. To be called inside `Engine.read`.
 * @param until the last moment; without it, up to the last event
 */
export function replayRange(store: Store, since: number, until = Number.POSITIVE_INFINITY): ReplayRange {
  const latest = eventRecords.appended(store);
  const [first] = eventRecords.index(store).ids(undefined, '', { limit: 1 });
  const oldest = first === undefined ? latest + 1 : Number(first);
  const isAtOrAfter = (moment: number) => (position: number) => timeFrom(store, position, latest) >= moment;
  const from = firstThat(oldest, latest, isAtOrAfter(since)) - 1;
  const to = firstThat(oldest, latest, (position) => timeFrom(store, position, latest) > until) - 1;
  return { from, to: Math.max(from, to) };
}

/** The first number of a range of which something is true that is so of all after it; the one past the end if of none. */
function firstThat(first: number, last: number, isSo: (position: number) => boolean): number {
  let from = first;
  let to = last + 1;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (isSo(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Of the first event from a number on that can be read. */
function timeFrom(store: Store, position: number, latest: number): number {
  for (let each = position; each <= latest; each++) {
    try {
      // one that is damaged can be null
      const event = eventRecords.get(store, sequenceId(each))?.document ?? undefined;
      if (event !== undefined) return event.createdAt;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
    }
  }
  return Number.POSITIVE_INFINITY;
}
