import type { Store, StoreChangeEntry } from '#engine';
import { type RenderedEvent, renderEvent, type ServerEvent } from '../../../http/index.ts';
import { isoTime } from '../../../platform/index.ts';
import type { RevisionTokens } from '../context/revision-tokens.ts';
import { tupleForm } from '../context/tuple-form.ts';

/** What happened to an organization's tuples and models after one revision and up to another, as it is sent. */
export interface RenderedPage {
  readonly events: readonly RenderedEvent[];
  readonly revision: number;
}

/** Commits of one page. */
const PAGE = 16;
/** Pages that streams at the same position share; a stream that is far behind makes its own. */
const PAGES_MAX = 256;
const BYTES_MAX = 8 * 2 ** 20;

/**
 * Pages of changes, each read and written once for all streams of one thread that want it. Commits never change, so that
 * a page stays right for as long as it is kept.
 */
export class ChangePages {
  /** By store and the revision that it follows; the oldest first. */
  readonly #pages = new Map<string, RenderedPage & { readonly bytes: number }>();
  readonly #tokens: RevisionTokens;
  #bytes = 0;

  constructor(tokens: RevisionTokens) {
    this.#tokens = tokens;
  }

  /** To be called inside `Engine.read`. @throws EngineError as `Store.changes` */
  after(store: Store, revision: number): RenderedPage {
    const key = `${store.name}\n${revision}`;
    const known = this.#pages.get(key);
    if (known !== undefined) return known;
    const { changes, revision: reached } = store.changes(revision, PAGE);
    const events = changes.filter(isShown).map((change) => renderEvent(eventOf(this.#tokens, change)));
    const bytes = events.reduce((sum, event) => sum + event.bytes.length, 0);
    const page = { events, revision: reached, bytes };
    // a page that ends at the latest revision is right only until the next commit
    if (reached > revision) this.#keep(key, page);
    return page;
  }

  #keep(key: string, page: RenderedPage & { readonly bytes: number }): void {
    this.#pages.set(key, page);
    this.#bytes += page.bytes;
    for (const [oldest, { bytes }] of this.#pages) {
      if ((this.#pages.size <= PAGES_MAX && this.#bytes <= BYTES_MAX) || oldest === key) return;
      this.#pages.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}

function isShown({ tuples, models }: StoreChangeEntry): boolean {
  return tuples.length > 0 || models.length > 0;
}

function eventOf(tokens: RevisionTokens, { revision, time, tuples, models }: StoreChangeEntry): ServerEvent {
  const token = tokens.of(revision);
  return {
    id: token,
    event: 'change',
    data: {
      revision: token,
      time: isoTime(time),
      changes: tuples.map(({ op, tuple }) => ({ op, tuple: tupleForm(tuple) })),
      ...(models.length === 0 ? {} : { models }),
    },
  };
}
