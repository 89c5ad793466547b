import { expect, vi } from 'vitest';
import { catalogs, type StoredEvent } from '../../../../src/kernel/events/index.ts';
import { eventsOf, modules } from '../../../../src/server/modules.ts';
import type { InProcessOrganization } from '../../../identity/sessions/in-process-service.ts';

const types = new Map(eventsOf(modules).map((type) => [type.type, type]));

/** Type and data of the events that one operation is to cause, in order. */
export type Expected = readonly (readonly [type: string, data: Readonly<Record<string, unknown>>])[];

/** What happens while something is done: these events and no others, with data that fit their types. */
export async function expectEvents(
  org: InProcessOrganization,
  act: () => Promise<unknown>,
  expected: Expected,
): Promise<readonly StoredEvent[]> {
  const before = org.lastEvent();
  await act();
  // failures are put on record after they are answered
  await vi.waitFor(() => expect(org.lastEvent() - before).toBeGreaterThanOrEqual(expected.length), { timeout: 20_000 });
  const events = org.eventsAfter(before);
  expect(events.map(({ type }) => type)).toEqual(expected.map(([type]) => type));
  expect(events).toMatchObject(expected.map(([type, data]) => ({ type, data })));
  for (const { type, data } of events) {
    expect(types.get(type)?.data.safeParse(data).error).toBeUndefined();
    for (const catalog of catalogs) {
      const told = types.get(type)?.toldIn(catalog, data);
      if (told) expect(types.get(type)?.schemaIn(catalog)?.safeParse(told.data).error).toBeUndefined();
    }
  }
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  return events;
}
