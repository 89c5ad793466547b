import type { Store } from '#engine';
import type { UserEntry } from '../../../directory/records/index.ts';
import type { Settings } from '../../../directory/settings/index.ts';
import type { AuditEvent } from '../../../kernel/audit/index.ts';
import type { DomainEvent } from '../../../kernel/events/index.ts';
import type { FlowEntry, Proven } from '../flow/flow-record.ts';

/** What a step is judged by, in one snapshot. */
export interface StepState {
  readonly store: Store;
  readonly settings: Settings;
  readonly user: UserEntry;
  readonly flow: FlowEntry;
  readonly proven: Proven;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The page that a step asks on. */
export interface Due {
  /** Below `{issuer}`; `?flow=` is added. */
  readonly path: `/signin/${string}`;
  /** Put on record when the browser is sent there. */
  readonly entries?: readonly AuditEvent[];
  readonly events?: readonly DomainEvent[];
}

/** Something between the first proof and the session. */
export interface Step {
  readonly name: string;
  /** `undefined` where nothing is left to be done. */
  due(state: StepState): Due | undefined;
}
