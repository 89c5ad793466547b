import { type Engine, EngineError, type Store, sequenceId } from '#engine';
import { isUnreadable } from '../../platform/index.ts';
import { eventRecords, type StoredEvent } from './event-record.ts';

/** An event, and its number: an organization's events are numbered from 1, without gaps, in the order of its commits. */
export interface FeedEvent {
  readonly position: number;
  readonly event: StoredEvent;
}

export type FeedPage =
  | {
      readonly kind: 'page';
      readonly events: readonly FeedEvent[];
      /** Where to go on from. Equal to the position that was asked for where nothing is left for now. */
      readonly position: number;
      /** Numbers of events that are damaged and left out; "relata verify" names them. */
      readonly unreadable: readonly number[];
    }
  /** Some of what follows is no longer kept. From `oldest - 1` on, what is kept can be read. */
  | { readonly kind: 'behind'; readonly oldest: number };

export const FEED_PAGE_MAX = 500;

/**
 * The events of each organization, in the order of its commits, for whoever follows them: in pages, from a position that
 * the follower keeps with what it did about them, so that it goes on where it stopped.
 */
export class EventFeed {
  readonly #engine: Engine;

  constructor({ engine }: { readonly engine: Engine }) {
    this.#engine = engine;
  }

  /** The position of the last event; 0 before the first. New followers begin here. */
  latest(store: Store): number {
    return this.#engine.read(() => eventRecords.appended(store));
  }

  /**
   * At most `limit` events after a position.
   * @param limit 1 to 500
   * @throws EngineError `invalid_argument` where the position is none, or none yet
   */
  read(store: Store, after: number, limit = FEED_PAGE_MAX): FeedPage {
    return this.#engine.read(() => {
      const latest = eventRecords.appended(store);
      if (!Number.isSafeInteger(after) || after < 0 || after > latest) {
        throw new EngineError('invalid_argument', `a position is a whole number from 0 to ${latest}`);
      }
      const bounded = Math.max(1, Math.min(limit, FEED_PAGE_MAX));
      const found = eventRecords
        .index(store)
        .ids(undefined, '', { from: sequenceId(after + 1), limit: bounded })
        .map(Number);
      const oldest = found[0] ?? latest + 1;
      if (oldest > after + 1) return { kind: 'behind', oldest };
      return pageOf(store, after, found);
    });
  }
}

/** The events up to the first gap: a damaged event may be left of those that are no longer kept. */
function pageOf(store: Store, after: number, found: readonly number[]): FeedPage {
  const events: FeedEvent[] = [];
  const unreadable: number[] = [];
  let position = after;
  for (const each of found) {
    if (each !== position + 1) break;
    position = each;
    const event = readEvent(store, each);
    if (event === undefined) unreadable.push(each);
    else events.push({ position: each, event });
  }
  return { kind: 'page', events, position, unreadable };
}

/** `undefined` where it is damaged. */
function readEvent(store: Store, position: number): StoredEvent | undefined {
  try {
    return eventRecords.get(store, sequenceId(position))?.document ?? undefined;
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}
