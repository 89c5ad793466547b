import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Change, sequenceId } from '../../../engine/index.ts';
import { defineEvent, EventFeed, eventRecords, recordEvent, sweepEvents } from '../../../src/kernel/events/index.ts';
import {
  Background,
  createLog,
  type LogFields,
  type ManualClock,
  manualClock,
  uuidGenerator,
} from '../../../src/platform/index.ts';
import { damages } from '../../engine/plant-record.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

const START = 1_800_000_000_000;
const HOUR_MS = 3_600_000;
const WRITERS = 32;
const EACH = 12;

const counted = defineEvent({
  type: 'test.counted',
  data: z.strictObject({ n: z.number() }),
  example: { n: 1 },
  about: () => [],
  becomes: {},
});

let scratch: ScratchEngine;
let clock: ManualClock;
let lines: LogFields[];
let feed: EventFeed;

beforeEach(async () => {
  clock = manualClock(START);
  lines = [];
  scratch = await ScratchEngine.open({ clock: () => clock.now() });
  for (const slug of ['acme', 'other']) await scratch.engine.createStore(`org:${slug}`);
  feed = new EventFeed({ engine: scratch.engine });
});
afterEach(() => scratch.close());

const storeOf = (slug = 'acme') => scratch.engine.store(`org:${slug}`);
const submit = (...changes: Change[]) => scratch.engine.submit(scratch.engine.command(changes));
const auditEvent = (n: number, slug = 'acme'): Change =>
  recordEvent({ newId: uuidGenerator(clock), now: () => clock.now() }, storeOf(slug), counted.of({ n }));

async function happen(count: number, slug = 'acme'): Promise<void> {
  for (let n = 1; n <= count; n++) await submit(auditEvent(n, slug));
}

/** What a page says, in short. */
function read(after: number, limit?: number, slug = 'acme') {
  const page = feed.read(storeOf(slug), after, limit);
  if (page.kind === 'behind') return { behind: page.oldest };
  const { position, unreadable } = page;
  return { positions: page.events.map((each) => each.position), position, unreadable };
}

const dependencies = () => {
  const log = createLog({ level: 'debug', write: (line) => lines.push(JSON.parse(line) as LogFields) });
  return { engine: scratch.engine, clock, background: new Background({ log }), records: [] };
};
const bounds = { eventRetentionMs: HOUR_MS, eventsPerOrganization: 1000 };

async function sweep(retention = bounds, limit = 100): Promise<number> {
  const step = sweepEvents(dependencies(), retention);
  let steps = 0;
  while (await step(limit)) if (++steps > 1000) throw new Error('the sweep never ends');
  return steps;
}

describe('the feed', () => {
  it('is read in pages from where one stopped, and each event once', async () => {
    expect(read(0)).toEqual({ positions: [], position: 0, unreadable: [] });
    await happen(5);
    expect(read(0, 2)).toEqual({ positions: [1, 2], position: 2, unreadable: [] });
    expect(read(2, 2)).toEqual({ positions: [3, 4], position: 4, unreadable: [] });
    expect(read(4, 2)).toEqual({ positions: [5], position: 5, unreadable: [] });
    expect(read(5, 2)).toEqual({ positions: [], position: 5, unreadable: [] });
    expect(feed.latest(storeOf())).toBe(5);
    const page = feed.read(storeOf(), 0, 1);
    const event = { id: expect.any(String), type: 'test.counted', createdAt: START, data: { n: 1 } };
    expect(page).toMatchObject({ events: [{ position: 1, event }] });
  });

  it.each([-1, 0.5, Number.NaN, 6])('has no position %s', async (position) => {
    await happen(5);
    expect(() => feed.read(storeOf(), position)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });

  it('has bounds on a page', async () => {
    for (let from = 0; from < 600; from += 100) {
      await submit(...Array.from({ length: 100 }, (_, i) => auditEvent(from + i)));
    }
    expect(read(0, 1_000_000).positions).toHaveLength(500);
    expect(read(0, -3).positions).toHaveLength(1);
  });

  it('is in the order of commits, whoever writes at once', async () => {
    const commits: { n: number; revision: number }[] = [];
    const writer = async (number: number) => {
      for (let i = 0; i < EACH; i++) {
        const n = number * EACH + i;
        const { revision } = await submit(auditEvent(n));
        commits.push({ n, revision });
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
    const byRevision = commits.toSorted((one, other) => one.revision - other.revision).map(({ n }) => n);
    const page = feed.read(storeOf(), 0);
    expect(page.kind === 'page' && page.events.map(({ event }) => event.data.n)).toEqual(byRevision);
  });

  it('goes on from a position after a restart, too', async () => {
    await happen(4);
    await scratch.reopen();
    feed = new EventFeed({ engine: scratch.engine });
    await submit(auditEvent(5));
    expect(read(2)).toEqual({ positions: [3, 4, 5], position: 5, unreadable: [] });
  });

  it('does not depend on the change log', async () => {
    await happen(3);
    clock.advance(HOUR_MS);
    while (await scratch.engine.trimLog(clock.now(), 100));
    expect(() => storeOf().changes(0, 10)).toThrow(expect.objectContaining({ code: 'revision_compacted' }));
    expect(read(0).positions).toEqual([1, 2, 3]);
  });

  it('is of one organization', async () => {
    await happen(3);
    await happen(2, 'other');
    expect(read(0).positions).toEqual([1, 2, 3]);
    expect(read(0, 9, 'other').positions).toEqual([1, 2]);
  });

  it.each(damages)('tells of an event that is damaged (%s), and goes on past it', async (damage) => {
    await happen(3);
    await scratch.damage({ store: 'org:acme', collection: 'events', id: sequenceId(2) }, damage);
    expect(read(0)).toEqual({ positions: [1, 3], position: 3, unreadable: [2] });
  });
});

describe('the sweep of events', () => {
  it('keeps them for their time, and removes the oldest first in bounded steps', async () => {
    await happen(25);
    clock.advance(HOUR_MS / 2);
    await happen(2);
    expect(await sweep(bounds, 10)).toBe(0);
    clock.advance(HOUR_MS / 2 + 1);
    const step = sweepEvents(dependencies(), bounds);
    expect(await step(10)).toBe(true);
    expect(read(10).positions?.[0]).toBe(11);
    expect(await sweep(bounds, 10)).toBe(2);
    expect(read(25).positions).toEqual([26, 27]);
  });

  it('tells who has come too late from where there is something, also when nothing is left', async () => {
    await happen(4);
    clock.advance(HOUR_MS + 1);
    await happen(1);
    await sweep();
    expect(read(0)).toEqual({ behind: 5 });
    expect(read(3)).toEqual({ behind: 5 });
    expect(read(4).positions).toEqual([5]);
    clock.advance(HOUR_MS + 1);
    await sweep();
    expect(read(4)).toEqual({ behind: 6 });
    expect(read(5)).toEqual({ positions: [], position: 5, unreadable: [] });
    await happen(1);
    expect(read(5).positions).toEqual([6]);
  });

  it('bounds how many there are, of each organization for itself', async () => {
    await happen(12);
    await happen(3, 'other');
    await sweep({ ...bounds, eventsPerOrganization: 5 });
    expect(read(7).positions).toEqual([8, 9, 10, 11, 12]);
    expect(read(6)).toEqual({ behind: 8 });
    expect(read(0, 9, 'other').positions).toEqual([1, 2, 3]);
  });

  it('does not wait for whoever is behind', async () => {
    await happen(2);
    clock.advance(HOUR_MS + 1);
    await sweep();
    expect(read(1)).toEqual({ behind: 3 });
  });

  it.each(damages)(
    'goes on past an event that is damaged (%s), tells of it once, and followers do not stop at it',
    async (damage) => {
      await happen(4);
      await scratch.damage({ store: 'org:acme', collection: 'events', id: sequenceId(2) }, damage);
      clock.advance(HOUR_MS + 1);
      await submit(auditEvent(5));
      await sweep();
      const ids = eventRecords.index(storeOf()).ids(undefined, '', { limit: 10 });
      expect(ids.map(Number)).toEqual([2, 5]);
      expect(lines).toMatchObject([{ store: 'org:acme', record: `events/${sequenceId(2)}` }]);
      expect(read(0)).toEqual({ behind: 2 });
      expect(read(1)).toEqual({ positions: [], position: 2, unreadable: [2] });
      expect(read(2)).toEqual({ behind: 5 });
      expect(read(4).positions).toEqual([5]);
    },
  );
});
