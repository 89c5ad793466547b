import type { Organization } from '../../../kernel/organizations/index.ts';
import type { DeliveryRecord } from '../records/delivery-record.ts';
import type { Subscription } from '../served.ts';

/** Something that happened to a subscription, to be put on record. */
export interface Result {
  readonly subscription: Pick<Subscription, 'key' | 'isThere'>;
  /** The number of the last event that is done with; of a replay where there is one. */
  readonly position?: number;
  readonly delivery?: {
    readonly id: string;
    readonly document: DeliveryRecord;
    /** The version that was sent; absent where it was not on record before. */
    readonly version?: number;
  };
  /** What became of the delivery, for good. */
  readonly counted?: 'delivered' | 'failed';
  readonly pausedUntil?: number;
  readonly replay?: { readonly id: string; readonly sent: number; readonly status?: 'done' | 'ended' };
}

export interface OrganizationResults {
  readonly organization: Organization;
  readonly results: readonly Result[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}
