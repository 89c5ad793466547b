import { expect, vi } from 'vitest';
import { emittingOperations } from '../../../../src/delivery/catalog/index.ts';
import { catalogs, type StoredEvent } from '../../../../src/kernel/events/index.ts';
import { eventsOf, modules } from '../../../../src/server/modules.ts';
import { Arrivals } from '../../../delivery/arrivals.ts';
import type { InProcessOrganization } from '../../../identity/sessions/in-process-service.ts';

const types = new Map(eventsOf(modules).map((type) => [type.type, type]));

/** Type and data of the events that one operation is to cause, in order. */
export type Expected = readonly (readonly [type: string, data: Readonly<Record<string, unknown>>])[];

const receivers = new WeakMap<InProcessOrganization, Promise<Arrivals>>();

function receiversOf(org: InProcessOrganization): Promise<Arrivals> {
  const known = receivers.get(org) ?? Arrivals.of(org);
  receivers.set(org, known);
  return known;
}

/**
 * What happens while something is done: these events and no others, with data that fit their types. Each arrives at
 * webhooks of all forms.
 * @param operations what does it: the table of operations must have each event at one of them
 */
export async function expectEvents(
  org: InProcessOrganization,
  act: () => Promise<unknown>,
  expected: Expected,
  ...operations: readonly (keyof typeof emittingOperations)[]
): Promise<readonly StoredEvent[]> {
  const arrivals = await receiversOf(org);
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
  const rows: readonly string[] = operations.flatMap((operation) => emittingOperations[operation]);
  if (operations.length > 0) expect(events.map(({ type }) => type).filter((type) => !rows.includes(type))).toEqual([]);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  await arrivals.expect(events);
  org.service.ledger.check();
  return events;
}
