import type { RecordEntry, Store } from '#engine';
import { systemActor } from '../../kernel/audit/index.ts';
import { eventRecords, type StoredEvent } from '../../kernel/events/index.ts';
import type { Organization } from '../../kernel/organizations/index.ts';
import type { AnyRecordKind, RecordKind } from '../../kernel/records/index.ts';
import { type AdminDependencies, type OrganizationTransaction, transactAs } from '../../kernel/transactions/index.ts';
import type { OutboundRequest, SetAside } from '../../platform/index.ts';
import type { Attempt, DeliveryRecord } from './records/delivery-record.ts';
import { readAside } from './records/read-aside.ts';
import { subscriptionKey } from './records/subscription-state.ts';

/** What an event becomes for a subscription: the same in each attempt. */
export interface Message {
  /** As the subscription's catalog names it. */
  readonly type: string;
  /** What the event is about: `user:<id>`. */
  readonly resources: readonly string[];
  readonly payload: string;
  readonly contentType: string;
}

/** What one attempt sends. How long it may take, and what is read of the answer, is the same for all. */
export type AttemptRequest = Omit<OutboundRequest, 'timeoutMs' | 'bodyMax' | 'longBody'>;

/** Why the service itself ends a subscription. */
export type EndReason =
  /** So many deliveries failed, for so long. */
  | 'failures'
  /** The receiver answered 410. */
  | 'gone';

/** A delivery, and which subscription it belongs to, as an attempt needs them. */
export interface Sending<Document> {
  readonly organization: Organization;
  readonly subscription: RecordEntry<Document>;
  readonly id: string;
  readonly delivery: DeliveryRecord;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * A kind of subscription that the dispatcher serves: webhooks, streams of security events that are pushed. `Services` is
 * what its requests are made with, in the delivery thread.
 */
export interface ChannelKind<Document extends object, in Services = unknown> {
  /** First part of its keys: `webhook`. */
  readonly name: string;
  readonly records: RecordKind<Document>;
  /** Ids of the subscriptions of an organization that are turned on. To be called inside `Engine.read`. */
  readonly active: (store: Store) => readonly string[];
  /** Whether one that is turned on may get events; all may where omitted. To be called inside `Engine.read`. */
  readonly mayGet?: (store: Store, subscription: RecordEntry<Document>) => boolean;
  /** What an event is to a subscription; undefined where it is not for it. To be called inside `Engine.read`. */
  readonly message: (
    organization: Organization,
    subscription: RecordEntry<Document>,
    event: StoredEvent,
  ) => Message | undefined;
  /** The request of one attempt, with its signature. */
  readonly request: (services: Services, sending: Sending<Document>) => Promise<AttemptRequest>;
  /** Whether a receiver has understood a delivery and says that it will never take it: then it is not sent again. */
  readonly refuses?: (attempt: Attempt) => boolean;
  /** Turns a subscription off, with its audit entry and event, in the transaction of the service itself. */
  readonly end: (transaction: OrganizationTransaction, subscription: RecordEntry<Document>, reason: EndReason) => void;
  /** Tells administrators of it, after the commit. */
  readonly ended?: (
    services: Services,
    organization: Organization,
    subscription: RecordEntry<Document>,
    reason: EndReason,
  ) => Promise<void>;
}

/** A subscription as it stood when it was read, whatever kind it is of. */
export interface Subscription {
  /** `subscriptionKey` of it. */
  readonly key: string;
  readonly organization: Organization;
  /** Whether its record still stands as it was read. To be called inside `Engine.read`. */
  isCurrent(): boolean;
  /** Whether its record is still there. To be called inside `Engine.read`. */
  isThere(): boolean;
  /** To be called inside `Engine.read`. */
  message(event: StoredEvent): Message | undefined;
  request(sending: Pick<Sending<object>, 'id' | 'delivery' | 'now'>): Promise<AttemptRequest>;
  /** Whether an attempt says that the receiver will never take the delivery. */
  refuses(attempt: Attempt): boolean;
  /** Turns it off, if it is still on. Answers whether it was. */
  end(transaction: OrganizationTransaction, reason: EndReason): boolean;
  ended(reason: EndReason): Promise<void>;
}

/** A channel with the services that its requests are made with. */
export interface ServedChannel {
  readonly name: string;
  readonly collection: string;
  /** Whether there is one that is turned on, read or not. To be called inside `Engine.read`. */
  hasActive(organization: Organization): boolean;
  /** Those that get events now, but for those that cannot be read. To be called inside `Engine.read`. */
  active(organization: Organization, aside: SetAside): Subscription[];
}

/** A channel, for the list of those that the dispatcher serves. */
export interface Channel<in Services> {
  readonly records: AnyRecordKind;
  readonly serve: (services: Services) => ServedChannel;
}

/** What the dispatcher needs to know of a channel, without the type of its records. */
export function served<Document extends object, Services>(kind: ChannelKind<Document, Services>): Channel<Services> {
  return {
    records: kind.records,
    serve: (services) => ({
      name: kind.name,
      collection: kind.records.collection,
      hasActive: ({ store }) => kind.active(store).length > 0,
      active: (organization, aside) =>
        kind.active(organization.store).flatMap((id) => {
          const entry = readAside(aside, kind.records, organization.store, id);
          const isLeft = entry !== undefined && kind.mayGet?.(organization.store, entry) !== false;
          return isLeft ? [subscriptionOf(kind, services, { organization, aside }, entry)] : [];
        }),
    }),
  };
}

function subscriptionOf<Document extends object, Services>(
  kind: ChannelKind<Document, Services>,
  services: Services,
  { organization, aside }: { readonly organization: Organization; readonly aside: SetAside },
  entry: RecordEntry<Document>,
): Subscription {
  const { store } = organization;
  const found = () => kind.records.get(store, entry.id);
  return {
    key: subscriptionKey(kind.name, entry.id),
    organization,
    isCurrent: () => found()?.version === entry.version,
    isThere: () => found() !== undefined,
    // one event that cannot be worded does not stand before all that follow
    message: (event) =>
      aside.attempt(eventRecords.collection, event.id, () => kind.message(organization, entry, event)),
    request: (sending) => kind.request(services, { ...sending, organization, subscription: entry }),
    refuses: (attempt) => kind.refuses?.(attempt) ?? false,
    end(transaction, reason) {
      const active = kind.active(transaction.store).includes(entry.id)
        ? transaction.get(kind.records, entry.id)
        : undefined;
      if (active === undefined || kind.mayGet?.(transaction.store, active) === false) return false;
      kind.end(transaction, active, reason);
      return true;
    },
    ended: async (reason) => kind.ended?.(services, organization, entry, reason),
  };
}

/** Turns a subscription off, and tells administrators of it; does nothing where it is off or gone. */
export async function endSubscription(
  dependencies: AdminDependencies,
  subscription: Subscription,
  reason: EndReason,
): Promise<void> {
  const { organization } = subscription;
  const isEnded = await transactAs(dependencies, organization, systemActor, undefined, (transaction) =>
    subscription.end(transaction, reason),
  );
  if (isEnded) await subscription.ended(reason);
}
