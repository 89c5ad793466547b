import type { RecordEntry } from '#engine';
import { eventRecords, type StoredEvent } from '../../kernel/events/index.ts';
import type { Organization } from '../../kernel/organizations/index.ts';
import type { AnyRecordKind } from '../../kernel/records/index.ts';
import type { Transaction } from '../../kernel/transactions/index.ts';
import type { SetAside } from '../../platform/index.ts';
import type { AttemptRequest, ChannelKind, EndReason, Message, Sending } from './channel.ts';
import type { Attempt } from './records/delivery-record.ts';
import { readAside } from './records/read-aside.ts';
import { subscriptionKey } from './records/subscription-state.ts';

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
  end(transaction: Transaction, reason: EndReason): boolean;
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
