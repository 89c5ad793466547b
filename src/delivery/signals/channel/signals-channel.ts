import type { Store } from '#engine';
import { signalScopes } from '../../../directory/permissions/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { OutboundError, type Sealer } from '../../../platform/index.ts';
import { clientRecords, SigningKeys } from '../../../protocols/oauth/index.ts';
import type { Attempt, AttemptRequest, ChannelKind, Sending } from '../../dispatch/index.ts';
import { eventForStream } from '../events/event-for-stream.ts';
import { securityEventSchema, signEvent } from '../events/security-event.ts';
import { announceStatus } from '../records/announce-status.ts';
import {
  authorizationBinding,
  channelName,
  type StreamEntry,
  type StreamRecord,
  streamRecords,
  tellOfStream,
} from '../records/stream-record.ts';

type KeyServices = ConstructorParameters<typeof SigningKeys>[0];

/** What events are pushed with. */
export type PushServices = KeyServices & { readonly baseUrl: string; readonly sealer: Pick<Sealer, 'open'> };

const STREAMS_MAX = 1_000;

/** Streams whose events are pushed (RFC 8935). A token is signed for each attempt, and is the same by its `jti`. */
export function signalsChannel(): ChannelKind<StreamRecord, PushServices> {
  const keys = new WeakMap<KeyServices, SigningKeys>();
  return {
    name: channelName,
    records: streamRecords,
    active: (store) => streamRecords.index(store).ids('pushed', 'enabled', { limit: STREAMS_MAX }),
    mayGet: isClientLeft,
    message(organization, stream, event) {
      // it is only told that it is disabled
      if (stream.document.status !== 'enabled') return undefined;
      // the list of active streams is not made anew when a client goes
      if (!isClientLeft(organization.store, stream)) return undefined;
      const said = eventForStream(organization, stream, event);
      if (said === undefined) return undefined;
      const resources = said.subject.kind === 'user' ? [`user:${said.subject.userId}`] : [];
      return { type: said.uri, resources, payload: JSON.stringify(said), contentType: 'application/secevent+jwt' };
    },
    request(services, sending) {
      const own = keys.get(services) ?? new SigningKeys(services);
      keys.set(services, own);
      return pushRequest(services, own, sending);
    },
    refuses: isRefusal,
    end(transaction, entry, reason) {
      // what it was told of its end could not be delivered, either
      if (entry.document.status === 'disabled') return;
      const document = { ...entry.document, status: 'disabled', reason: endings[reason] } as const;
      const updated = { ...document, updatedAt: transaction.now };
      transaction.put(streamRecords, entry.id, updated);
      if (reason !== 'gone') announceStatus(transaction, { ...entry, document: updated });
      tellOfStream(transaction, 'disable', { ...entry, document }, { reason });
    },
  };
}

const endings = {
  failures: 'Too many deliveries have failed, one after the other.',
  gone: 'The receiver has answered that it is gone (410).',
} as const;

/** RFC 8935, 2.4: the receiver says by a code what is wrong with the token, and it will be wrong again. */
function isRefusal({ status, response = '' }: Attempt): boolean {
  if (status !== 400) return false;
  try {
    const said: unknown = JSON.parse(response);
    return said !== null && typeof said === 'object' && 'err' in said && typeof said.err === 'string';
  } catch {
    return false;
  }
}

/** Whether the client of a stream is there, and still may have it. To be called inside `Engine.read`. */
function isClientLeft(store: Store, { document: { clientId } }: StreamEntry): boolean {
  const client = clientRecords.get(store, clientId)?.document;
  return client?.isActive === true && mayReceive(client.scopes);
}

function mayReceive(scopes: readonly string[]): boolean {
  return scopes.includes(signalScopes.read) || scopes.includes(signalScopes.manage);
}

/** @throws OutboundError where the client is gone */
async function pushRequest(
  { engine, baseUrl, sealer }: PushServices,
  keys: SigningKeys,
  { organization, subscription, delivery }: Sending<StreamRecord>,
): Promise<AttemptRequest> {
  if (!engine.read(() => isClientLeft(organization.store, subscription)))
    throw new OutboundError('failed', 'the client of the stream is gone');
  const event = securityEventSchema.parse(JSON.parse(delivery.payload));
  const { endpointUrl = '' } = subscription.document;
  return {
    url: endpointUrl,
    method: 'POST',
    headers: {
      'content-type': 'application/secevent+jwt',
      accept: 'application/json',
      ...authorizationOf(sealer, organization, subscription),
    },
    body: await signEvent({ keys, baseUrl }, organization, subscription, event),
  };
}

function authorizationOf(sealer: Pick<Sealer, 'open'>, organization: Organization, { id, document }: StreamEntry) {
  const { sealedAuthorization } = document;
  if (sealedAuthorization === undefined) return {};
  return { authorization: sealer.open(sealedAuthorization, authorizationBinding(organization.id, id)) };
}
