import { z } from 'zod';
import { issuerUrls } from '../../../protocols/oauth/index.ts';
import { eventsDelivered, eventsSupported } from '../events/event-uris.ts';
import { deliveryMethods, type StreamEntry, streamStatuses } from '../records/stream-record.ts';

/** Between two verifications of a stream. */
export const VERIFICATION_GAP_S = 30;

const texts = z.array(z.string());

/** A stream as its receiver sees it (SSF 1.0, 8.1.1). The header that it has given is not shown again. */
export const streamSchema = z.strictObject({
  stream_id: z.string(),
  iss: z.string(),
  aud: z.string(),
  events_supported: texts,
  events_requested: texts.optional(),
  events_delivered: texts,
  delivery: z.strictObject({ method: z.enum(Object.values(deliveryMethods)), endpoint_url: z.string() }),
  min_verification_interval: z.int(),
  description: z.string().optional(),
});

export type StreamView = z.output<typeof streamSchema>;

export function streamView(baseUrl: string, slug: string, { id, document }: StreamEntry): StreamView {
  const { clientId, method, endpointUrl, eventsRequested, description } = document;
  const { issuer, api } = issuerUrls(baseUrl, slug);
  return {
    stream_id: id,
    iss: issuer,
    aud: clientId,
    events_supported: [...eventsSupported],
    ...(eventsRequested === undefined ? {} : { events_requested: [...eventsRequested] }),
    events_delivered: [...eventsDelivered(eventsRequested)],
    delivery: { method: deliveryMethods[method], endpoint_url: endpointUrl ?? `${api}/ssf/poll/${id}` },
    min_verification_interval: VERIFICATION_GAP_S,
    ...(description === undefined ? {} : { description }),
  };
}

export const statusSchema = z.strictObject({
  stream_id: z.string(),
  status: z.enum(streamStatuses),
  reason: z.string().optional(),
});

export function statusView({ id, document: { status, reason } }: StreamEntry): z.output<typeof statusSchema> {
  return { stream_id: id, status, ...(reason === undefined ? {} : { reason }) };
}
