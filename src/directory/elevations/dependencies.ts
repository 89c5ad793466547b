import type { AdminDependencies } from '../../kernel/transactions/index.ts';
import type { Background, Sealer } from '../../platform/index.ts';
import type { OrganizationMailer } from '../settings/index.ts';

/** What may be done once in a while, in memory that all threads share. Times are in milliseconds since the epoch. */
export interface SpentKeys {
  spend(key: string, until: number, now: number): 'first' | 'again' | 'full';
  isSpent(key: string, now: number): boolean;
}

/** What elevations work with in one thread. */
export interface ElevationDependencies extends AdminDependencies {
  readonly background: Background;
  readonly mailer: Pick<OrganizationMailer, 'send' | 'canSend'>;
  readonly spent: SpentKeys;
  readonly sealer: Pick<Sealer, 'mac'>;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}
