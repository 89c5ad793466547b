import { z } from 'zod';
import type { Precondition, RecordEntry, Store } from '#engine';
import { defineEvent, resourceNames } from '../../../kernel/events/index.ts';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';
import type { Transaction } from '../../../kernel/transactions/index.ts';
import { timeKey } from '../../../platform/index.ts';

/** How the events of a stream get to its receiver: RFC 8935 and RFC 8936. */
export const deliveryMethods = { push: 'urn:ietf:rfc:8935', poll: 'urn:ietf:rfc:8936' } as const;

export const streamStatuses = ['enabled', 'paused', 'disabled'] as const;

/** A stream of security events to one client (SSF 1.0, 8.1.1). Times are in milliseconds. */
export const streamRecords = defineRecord({
  collection: 'signal_streams',
  holds: 'a stream of security events to a client, with the credential for its receiver sealed',
  schema: z.strictObject({
    clientId: z.string(),
    method: z.enum(['push', 'poll']),
    /** Of its receiver; present where events are pushed. */
    endpointUrl: z.string().exactOptional(),
    /** The `Authorization` header for it, sealed. */
    sealedAuthorization: z.string().exactOptional(),
    /** As the receiver asked; all that there are where it did not say. */
    eventsRequested: z.array(z.string()).readonly().exactOptional(),
    description: z.string().exactOptional(),
    status: z.enum(streamStatuses),
    reason: z.string().exactOptional(),
    /** When its last verification was asked for. */
    verifiedAt: z.number().exactOptional(),
    /** Of a stream that was disabled here: how long its receiver is still told so. */
    announcedUntil: z.number().exactOptional(),
    createdAt: z.number(),
    updatedAt: z.number(),
  }),
  indexes: ({ clientId, method, status, announcedUntil }) => ({
    client: clientId,
    ...(method === 'push' ? { pushed: announcedUntil === undefined ? status : 'enabled' } : {}),
    ...(announcedUntil === undefined ? {} : { announced: timeKey(announcedUntil) }),
  }),
});

export type StreamRecord = DocumentOf<typeof streamRecords>;
export type StreamEntry = RecordEntry<StreamRecord>;

/** Of one client. */
export const STREAMS_MAX = 10;

/** In the order in which they were made. To be called inside `Engine.read`. */
export function streamsOf(store: Store, clientId: string): StreamEntry[] {
  const ids = streamRecords.index(store).ids('client', clientId, { limit: STREAMS_MAX });
  return ids.flatMap((id) => streamRecords.get(store, id) ?? []);
}

/** That a client has room for one more: also where two are made at once. */
export function fewerStreams(store: Pick<Store, 'name'>, clientId: string): Precondition {
  return streamRecords.fewerWith(store, ['client', clientId], STREAMS_MAX);
}

export function authorizationBinding(organization: string, record: string) {
  return { organization, record, field: 'authorization' };
}

/** First part of the keys of streams where the dispatcher keeps how they fare. */
export const channelName = 'signals';

/** The receiver of a stream wants to see that events arrive (SSF 1.0, 8.1.4). */
export const streamVerification = defineEvent({
  type: 'signals.verification',
  data: z.strictObject({ streamId: z.string(), clientId: z.string(), state: z.string().nullable() }),
  example: {
    streamId: '01920000-0000-7000-8000-00000000000e',
    clientId: '01920000-0000-7000-8000-00000000000f',
    state: null,
  },
  about: ({ clientId }) => resourceNames({ client: clientId }),
  becomes: {},
});

/** The audit entry of a change. Its answers and addresses stay out. */
export function tellOfStream(
  transaction: Pick<Transaction, 'audit'>,
  verb: string,
  { id, document: { clientId, method, status } }: Pick<StreamEntry, 'id' | 'document'>,
  more: Readonly<Record<string, unknown>> = {},
): void {
  transaction.audit({
    eventType: 'admin.action',
    action: `signal_stream.${verb}`,
    targetType: 'signal_stream',
    targetId: id,
    metadata: { clientId, method, status, ...more },
  });
}
