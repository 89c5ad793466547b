import { z } from 'zod';
import type { Store } from '#engine';
import { isoTime } from '../../../platform/index.ts';
import { clientRecords } from '../../../protocols/oauth/index.ts';
import { subscriptionKey, subscriptionStateRecords } from '../../dispatch/index.ts';
import { channelName } from '../channel/channel-name.ts';
import { eventsDelivered } from '../events/event-uris.ts';
import { type StreamEntry, streamStatuses } from '../records/stream-record.ts';
import { waitingRecords } from '../records/waiting-record.ts';

const moment = z.string().nullable();

/** A stream as administrators see it. */
export const adminStreamSchema = z.strictObject({
  id: z.string(),
  clientId: z.string(),
  clientName: z.string().nullable(),
  method: z.enum(['push', 'poll']),
  endpointUrl: z.string().nullable().describe('Where events are pushed'),
  status: z.enum(streamStatuses),
  reason: z.string().nullable(),
  events: z.array(z.string()).describe('What it delivers'),
  description: z.string().nullable(),
  waitingCount: z.int().describe('Events that wait to be polled'),
  deliveredCount: z.int().describe('Events that were pushed and taken'),
  failedCount: z.int(),
  failureCount: z.int().describe('Pushes that failed, one after the other, since the last that was taken'),
  lastDeliveredAt: moment,
  lastFailedAt: moment,
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** To be called inside `Engine.read`. */
export function adminStreamView(store: Store, { id, document }: StreamEntry): z.output<typeof adminStreamSchema> {
  const { clientId, method, endpointUrl, status, reason, eventsRequested, description } = document;
  const state = subscriptionStateRecords.get(store, subscriptionKey(channelName, id))?.document;
  return {
    id,
    clientId,
    clientName: clientRecords.get(store, clientId)?.document.name ?? null,
    method,
    endpointUrl: endpointUrl ?? null,
    status,
    reason: reason ?? null,
    events: [...eventsDelivered(eventsRequested)],
    description: description ?? null,
    waitingCount: waitingRecords.index(store).counted('#stream', id),
    deliveredCount: state?.delivered ?? 0,
    failedCount: state?.failed ?? 0,
    failureCount: state?.consecutiveFailures ?? 0,
    lastDeliveredAt: moments(state?.lastDeliveredAt),
    lastFailedAt: moments(state?.lastFailedAt),
    createdAt: isoTime(document.createdAt),
    updatedAt: isoTime(document.updatedAt),
  };
}

function moments(time: number | undefined): string | null {
  return time === undefined ? null : isoTime(time);
}
