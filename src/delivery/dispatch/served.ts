import type { RecordEntry } from '#engine';
import type { StoredEvent } from '../../kernel/events/index.ts';
import type { Organization } from '../../kernel/organizations/index.ts';
import type { AnyRecordKind } from '../../kernel/records/index.ts';
import type { Transaction } from '../../kernel/transactions/index.ts';
import type { AttemptRequest, ChannelKind, EndReason, Message, Sending } from './channel.ts';
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
  /** Turns it off, if it is still on. Answers whether it was. */
  end(transaction: Transaction, reason: EndReason): boolean;
  ended(reason: EndReason): Promise<void>;
}

/** A channel with the services that its requests are made with. */
export interface ServedChannel {
  readonly name: string;
  readonly collection: string;
  /** To be called inside `Engine.read`. */
  active(organization: Organization): Subscription[];
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
      active: (organization) =>
        kind.active(organization.store).map((entry) => subscriptionOf(kind, services, organization, entry)),
    }),
  };
}

function subscriptionOf<Document extends object, Services>(
  kind: ChannelKind<Document, Services>,
  services: Services,
  organization: Organization,
  entry: RecordEntry<Document>,
): Subscription {
  const { store } = organization;
  const found = () => kind.records.get(store, entry.id);
  return {
    key: subscriptionKey(kind.name, entry.id),
    organization,
    isCurrent: () => found()?.version === entry.version,
    isThere: () => found() !== undefined,
    message: (event) => kind.message(organization, entry, event),
    request: (sending) => kind.request(services, { ...sending, organization, subscription: entry }),
    end(transaction, reason) {
      const active = kind.active(transaction.store).find(({ id }) => id === entry.id);
      if (active === undefined) return false;
      kind.end(transaction, transaction.rely(kind.records, active), reason);
      return true;
    },
    ended: async (reason) => kind.ended?.(services, organization, entry, reason),
  };
}
