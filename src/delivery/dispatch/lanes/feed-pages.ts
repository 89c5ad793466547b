import { BoundedMap, type Store } from '#engine';
import { EventFeed, eventRecords } from '../../../kernel/events/index.ts';

type Page = ReturnType<EventFeed['read']>;

interface Read {
  readonly latest: number;
  readonly page: Page;
}

const PAGE = 100;
const PAGES_MAX = 256;

/** Pages of events. Many subscriptions are at the same position of a feed, so that one reads for all. */
export class FeedPages {
  readonly #feed: EventFeed;
  readonly #read = new BoundedMap<string, Read>(PAGES_MAX);

  constructor(dependencies: ConstructorParameters<typeof EventFeed>[0]) {
    this.#feed = new EventFeed(dependencies);
  }

  /** What follows a position; nothing where the position is the last. To be called inside `Engine.read`. */
  after(store: Store, position: number): Page {
    const latest = eventRecords.appended(store);
    if (position >= latest) return { kind: 'page', events: [], position: latest, unreadable: [] };
    const key = `${store.name} ${position}`;
    const known = this.#read.get(key);
    if (known !== undefined && (known.latest === latest || isFull(known.page, position))) return known.page;
    const page = this.#feed.read(store, position, PAGE);
    this.#read.set(key, { latest, page });
    return page;
  }
}

function isFull(page: Page, after: number): boolean {
  return page.kind === 'page' && page.position - after >= PAGE;
}
