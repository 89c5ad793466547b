import { z } from 'zod';
import { descriptionSchema, idSchema } from '../../../kernel/transactions/index.ts';
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

/** RFC 9110, 5.5, without blanks around it. */
const headerValue = z
  .string()
  .max(4096)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be the value of a header in printable ASCII');

const delivery = z.strictObject({
  method: z.enum(Object.values(deliveryMethods)),
  endpoint_url: z.string().min(1).max(2048).optional().describe('Where events are pushed; not to be given for polling'),
  authorization_header: headerValue.optional().describe('Sent with every push. It is never shown'),
});

/** What a receiver says of its stream. */
const receiverSupplied = {
  delivery: delivery.optional().describe('Polling, if omitted'),
  events_requested: z.array(z.string().min(1).max(256)).max(50).optional().describe('All supported, if omitted'),
  description: descriptionSchema.optional(),
};

const { iss, aud, events_supported, events_delivered, min_verification_interval } = streamSchema.shape;
const listed = z.array(z.string().max(256)).max(50).optional();

/** What the transmitter says of it: accepted where it is as it is, so that what was read can be sent back. */
const transmitterSupplied = {
  iss: iss.max(2048).optional(),
  aud: aud.max(256).optional(),
  events_supported: listed.describe(events_supported.description ?? 'Read only'),
  events_delivered: listed.describe(events_delivered.description ?? 'Read only'),
  min_verification_interval: min_verification_interval.optional(),
};

export const newStreamBody = z.strictObject(receiverSupplied);
export const changedStreamBody = z.strictObject({ stream_id: idSchema, ...receiverSupplied, ...transmitterSupplied });

export type NewStream = z.output<typeof newStreamBody>;
export type ChangedStream = z.output<typeof changedStreamBody>;

export const statusBody = z.strictObject({
  stream_id: idSchema,
  status: z.enum(streamStatuses),
  reason: descriptionSchema.optional(),
});

/** RFC 9493, 3.2.2 and 3.2.3. */
const subject = z.discriminatedUnion('format', [
  z.strictObject({ format: z.literal('email'), email: z.string().min(3).max(254) }).meta({ id: 'EmailSubject' }),
  z
    .strictObject({ format: z.literal('iss_sub'), iss: z.string().min(1).max(2048), sub: idSchema })
    .meta({ id: 'IssuerSubject' }),
]);

export type Subject = z.output<typeof subject>;

export const removedSubjectBody = z.strictObject({ stream_id: idSchema, subject });
export const addedSubjectBody = removedSubjectBody.extend({
  verified: z.boolean().optional().describe('Whether the receiver has verified the subject; accepted and not used'),
});

export const verificationBody = z.strictObject({
  stream_id: idSchema,
  state: z.string().max(1024).optional().describe('Comes back in the event'),
});
