import { z } from 'zod';
import { isoTime, isoTimeOrNull } from '../../../platform/index.ts';
import type { Attempt, DeliveryEntry } from '../../dispatch/index.ts';

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;

const answer = {
  statusCode: z.int().nullable().describe('Null where nothing answered'),
  duration: z.int().nullable().describe('Of the attempt, in milliseconds'),
  error: z
    .string()
    .nullable()
    .describe(
      'Why nothing answered: `unreachable` (the host has no address on the public network), `timeout`, `failed`',
    ),
  response: z.strictObject({ body: z.string() }).nullable().describe('The begin of it'),
};

/** specification, "Webhook, org family": the delivery record. Of the last attempt, where there are several. */
export const deliverySchema = z.strictObject({
  id: z.string(),
  event: z.string(),
  eventId: z.string(),
  resources: z.array(z.string()),
  status: z.enum(deliveryStates),
  ...answer,
  request: z.strictObject({ payload: z.string() }),
  attemptCount: z.int(),
  createdAt: z.string(),
  deliveredAt: z.string().nullable().describe('Null where it has not arrived'),
  nextAttemptAt: z.string().nullable(),
});

export const deliveryWithAttemptsSchema = deliverySchema.extend({
  attempts: z
    .array(z.strictObject({ at: z.string(), round: z.int().describe('Above 1 of redeliveries'), ...answer }))
    .describe('The last of them, the oldest first'),
});

export function deliveryView({ id, document }: DeliveryEntry): z.output<typeof deliverySchema> {
  const { type, eventId, resources, status, payload, attempts, attempted, createdAt, dueAt } = document;
  const last = attempts.at(-1);
  return {
    id,
    event: type,
    eventId,
    resources: [...resources],
    status,
    ...answerOf(last),
    request: { payload },
    attemptCount: attempted,
    createdAt: isoTime(createdAt),
    deliveredAt: status === 'delivered' && last !== undefined ? isoTime(last.at + last.durationMs) : null,
    nextAttemptAt: isoTimeOrNull(dueAt),
  };
}

export function deliveryWithAttempts(entry: DeliveryEntry): z.output<typeof deliveryWithAttemptsSchema> {
  const attempts = entry.document.attempts.map((attempt) => ({
    at: isoTime(attempt.at),
    round: attempt.round ?? 1,
    ...answerOf(attempt),
  }));
  return { ...deliveryView(entry), attempts };
}

function answerOf(attempt: Attempt | undefined) {
  const { status, durationMs, error, response } = attempt ?? {};
  return {
    statusCode: status ?? null,
    duration: durationMs === undefined ? null : Math.round(durationMs),
    error: error ?? null,
    // a receiver may answer with what it was sent
    response: response === undefined ? null : { body: response },
  };
}
