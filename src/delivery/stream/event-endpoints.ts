import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { Engine } from '#engine';
import type { FollowedStreams } from '../../access/follow/index.ts';
import {
  type Endpoint,
  json,
  type Problem,
  ProblemError,
  queryInteger,
  queryList,
  type Reply,
} from '../../http/index.ts';
import type { EventTypes } from '../../kernel/events/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../kernel/lists/index.ts';
import {
  answerIfMay,
  type Caller,
  endpoint,
  inBothFamilies,
  type Organization,
} from '../../kernel/organizations/index.ts';
import { type EventFilter, type EventLog, type EventView, eventSchema } from './event-log.ts';

const PAGE_MAX = 200;
/** Events that are looked at for one page, whether they are asked for or not. */
const LOOKED_AT_MAX = 10_000;
const TYPES_MAX = 50;
const permission = 'audit.read';
/** In place of a cursor: what happens from now on. */
const LATEST = 'latest';

export interface EventLogServices {
  readonly engine: Engine;
  readonly eventTypes: EventTypes;
  readonly eventLog: EventLog;
  readonly streams: FollowedStreams;
}

const events = z.strictObject({
  events: z.array(eventSchema),
  cursor: z.string().describe('Where to go on after this page, also where the page has no event'),
  hasMore: z.boolean(),
});

/** `/admin/events`, in both families. */
export function eventEndpoints(services: EventLogServices): Endpoint[] {
  const known = new Set(services.eventTypes.all.map(({ type }) => type));
  const types = queryList(TYPES_MAX)
    .pipe(z.array(z.string().refine((type) => known.has(type), 'is no type of events')))
    .describe('Only these types, by the names of this service');
  const query = z.strictObject({
    after: z
      .string()
      .min(1)
      .max(128)
      .describe('A cursor: events after it. `latest`: after the last that there is')
      .optional(),
    limit: queryInteger({ min: 1, max: PAGE_MAX, default: 100 }),
    types: types.optional(),
    resource: z
      .string()
      .regex(/^[a-z_]{1,64}:.{1,256}$/su, 'must be a kind and an id, such as user:1234')
      .describe('Only events about this, such as `user:1234`')
      .optional(),
  });
  return inBothFamilies((base, family) => [
    endpoint({
      method: 'GET',
      path: `${base}/admin/events`,
      summary: 'List or follow events',
      description:
        'In the order of their commits. As pages: those after `after`, from the oldest kept if it is not given; go on with ' +
        `the \`cursor\` of the page as long as \`hasMore\`. A page looks at up to ${LOOKED_AT_MAX} events, so that one with ` +
        'a filter may be short or empty while more follow; its `cursor` is behind all that it has looked at. With ' +
        '`Accept: text/event-stream` as server-sent events without end: those after `after` (or `Last-Event-ID`), from ' +
        'now on if neither is given. The id of each is its cursor. Who must miss nothing, also where the connection is ' +
        'lost before the first event, asks for the page after `latest` first, and follows from its `cursor`. ' +
        'The stream ends when the right to read it ends, and counts among the change streams of the organization and of ' +
        'the credential. A cursor of events that are no longer kept is answered with 410 and `oldest`, the cursor to go ' +
        'on from.',
      tags: ['Events'],
      access: { permission },
      query,
      responses: { 200: singleSchema(events) },
      errors: ['invalid_cursor', 'log_replaced', 'revision_compacted'],
      handler: (call) => {
        const { caller } = call;
        const { after, limit, types: asked = [], resource } = call.query;
        const filter = { types: new Set(asked), resource };
        if (!/\btext\/event-stream\b/i.test(call.header('accept')))
          return page(services, caller, family, after, limit, filter);
        return follow(services, caller, call.header('last-event-id') || after, filter);
      },
    }),
  ]);
}

/** In several turns of the thread: events do not change, so that they need no common snapshot. */
async function page(
  { engine, eventLog }: EventLogServices,
  caller: Caller,
  family: Family,
  after: string | undefined,
  limit: number,
  filter: EventFilter,
) {
  const { organization } = caller;
  const events: EventView[] = [];
  let position: number | undefined;
  for (let looked = 0; ; await nextTurn()) {
    const found = answerIfMay(engine, caller, permission, () => {
      const from = position ?? startOf(eventLog, organization, after);
      return { from, ...eventLog.page(organization, from, limit - events.length, filter) };
    });
    if ('kind' in found) return found;
    events.push(...found.events);
    looked += found.position - found.from;
    position = found.position;
    const { hasMore } = found;
    if (!hasMore || events.length === limit || looked >= LOOKED_AT_MAX) {
      const cursor = eventLog.cursorOf(organization, position);
      return json(200, singleAnswer({ events, cursor, hasMore }, family));
    }
  }
}

/** To be called inside `Engine.read`. */
function startOf(eventLog: EventLog, organization: Organization, after: string | undefined): number {
  if (after === undefined) return eventLog.begin(organization);
  return after === LATEST ? eventLog.latest(organization) : eventLog.positionOf(organization, after);
}

/** Events of one turn of a stream. */
const TURN = 50;

function follow(
  { engine, eventLog, streams }: EventLogServices,
  caller: Caller,
  after: string | undefined,
  filter: EventFilter,
): Reply<never> | Problem {
  const refusal = streams.refusal(caller);
  if (refusal !== undefined) return refusal;
  const { organization } = caller;
  const start = engine.read(() => {
    const position = startOf(eventLog, organization, after ?? LATEST);
    // a cursor that cannot be followed is an error answer now, not a stream that breaks
    eventLog.page(organization, position, 1, filter);
    return position;
  });
  return streams.follow(caller, {
    permission,
    start,
    after: (position) => {
      try {
        const found = eventLog.page(organization, position, TURN, filter);
        const sent = found.events.map((each) => ({ id: each.cursor, event: each.type, data: each }));
        return { events: sent, position: found.position, isLast: !found.hasMore };
      } catch (error) {
        if (error instanceof ProblemError) return error.problem;
        throw error;
      }
    },
  });
}
