import type { AnyEventType } from '../kernel/events/index.ts';
import type { AnyRecordKind } from '../kernel/records/index.ts';
import type { SystemModel } from '../kernel/rights/index.ts';

/** What commands know of the service whose data they work on. */
export interface ServiceDescription {
  /** Every kind of record that a store may have. */
  readonly records: readonly AnyRecordKind[];
  /** Every type of events. */
  readonly events: readonly AnyEventType[];
  readonly systemModel: SystemModel;
}

/** Loaded at its first use: most commands need nothing of it. */
export type LoadDescription = () => Promise<ServiceDescription>;
