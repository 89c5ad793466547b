import { z } from 'zod';
import { type Engine, EngineError } from '#engine';
import { ProblemError, problem } from '../../http/index.ts';
import type { EventFeed, EventTypes, StoredEvent } from '../../kernel/events/index.ts';
import type { Organization } from '../../kernel/organizations/index.ts';
import { isoTime } from '../../platform/index.ts';
import type { EventCursors } from './event-cursors.ts';

/** Which events are asked for; all where nothing is named. */
export interface EventFilter {
  readonly types: ReadonlySet<string>;
  /** `user:<id>`: what they are about. */
  readonly resource: string | undefined;
}

/** An event in the service's own form. */
export const eventSchema = z.strictObject({
  id: z.string().describe('The same however often it is read or delivered'),
  type: z.string(),
  createdAt: z.string(),
  data: z.record(z.string(), z.unknown()),
  cursor: z.string().describe('Where to go on after this event'),
});

export type EventView = z.output<typeof eventSchema>;

interface EventLogPage {
  readonly events: readonly EventView[];
  /** Where to go on from. */
  readonly position: number;
  readonly hasMore: boolean;
}

interface EventLogDependencies {
  readonly engine: Engine;
  readonly feed: EventFeed;
  readonly eventTypes: EventTypes;
  readonly cursors: EventCursors;
}

/** Events that are read in one snapshot, whether they are asked for or not. */
const READ_MAX = 500;

/** An organization's events as administrators read them, in the service's own form. */
export class EventLog {
  readonly #dependencies: EventLogDependencies;

  constructor(dependencies: EventLogDependencies) {
    this.#dependencies = dependencies;
  }

  latest({ store }: Organization): number {
    return this.#dependencies.feed.latest(store);
  }

  /** Where what is kept begins. To be called inside `Engine.read`. */
  begin({ store }: Organization): number {
    const page = this.#dependencies.feed.read(store, 0, 1);
    return page.kind === 'behind' ? page.oldest - 1 : 0;
  }

  /** @throws ProblemError where it is none of the organization's, or from before a restore */
  positionOf(organization: Organization, cursor: string): number {
    return this.#dependencies.cursors.positionOf(organization, cursor);
  }

  cursorOf(organization: Organization, position: number): string {
    return this.#dependencies.cursors.of(organization, position);
  }

  /**
   * At most `limit` events after a position, of the next 500. There may be fewer, or none, while more follow.
   * @throws ProblemError `revision_compacted`, with the cursor of the oldest that is kept
   */
  page(organization: Organization, after: number, limit: number, filter: EventFilter): EventLogPage {
    const { engine } = this.#dependencies;
    return engine.read(() => {
      const page = this.#read(organization, after);
      const events: EventView[] = [];
      const latest = this.latest(organization);
      for (const { position, event } of page.events) {
        if (!this.#isAsked(filter, event)) continue;
        events.push(this.#view(organization, position, event));
        if (events.length === limit) return { events, position, hasMore: position < latest };
      }
      return { events, position: page.position, hasMore: page.position < latest };
    });
  }

  #read(organization: Organization, after: number) {
    try {
      const page = this.#dependencies.feed.read(organization.store, after, READ_MAX);
      if (page.kind === 'page') return page;
      const oldest = this.cursorOf(organization, page.oldest - 1);
      throw new ProblemError(
        problem('revision_compacted', 'Events after this cursor are no longer kept. Continue from `oldest`.', {
          extra: { oldest },
        }),
      );
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'invalid_argument') throw error;
      throw new ProblemError(problem('invalid_cursor', 'The cursor is from the future: no event has reached it yet.'));
    }
  }

  #isAsked({ types, resource }: EventFilter, event: StoredEvent): boolean {
    if (types.size > 0 && !types.has(event.type)) return false;
    return resource === undefined || this.#dependencies.eventTypes.about(event).includes(resource);
  }

  #view(organization: Organization, position: number, { id, type, createdAt, data }: StoredEvent): EventView {
    return {
      id,
      type,
      createdAt: isoTime(createdAt),
      data: { ...data },
      cursor: this.cursorOf(organization, position),
    };
  }
}
