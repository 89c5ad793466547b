import type { Change, Precondition } from '#engine';
import { userActing } from '../../directory/records/index.ts';
import type { OrganizationMailer, OrganizationSms } from '../../directory/settings/index.ts';
import type { FailureLog, RequestFacts } from '../../kernel/audit/index.ts';
import type { Organization } from '../../kernel/organizations/index.ts';
import { type AdminDependencies, type OrganizationTransaction, transactAs } from '../../kernel/transactions/index.ts';
import type { Log, Sealer } from '../../platform/index.ts';
import type { Lockout } from '../limits/index.ts';

export interface MfaDependencies extends AdminDependencies {
  readonly sealer: Sealer;
  readonly log: Log;
  /** Without a trailing slash. Its host and origin are those that WebAuthn credentials are made for. */
  readonly baseUrl: string;
  readonly mailer: OrganizationMailer;
  readonly sms: OrganizationSms;
  readonly lockout: Lockout;
  readonly failures: FailureLog;
}

/** Whose factor it is, and where it is dealt with. */
export interface Whose {
  readonly organization: Organization;
  readonly userId: string;
  /** The flow or session in which something was begun: a code or challenge works in no other one. */
  readonly binding: string;
  /** What else must hold when a factor is added: that the sign-in or session which adds it goes on. */
  readonly rests?: readonly Precondition[] | undefined;
}

/** Why a factor was not proven. */
export type Refusal =
  /** The code or the answer of the authenticator is not the right one. */
  | { readonly ok: false; readonly reason: 'wrong' }
  /** There is nothing, or no longer anything, that it could be the answer to. */
  | { readonly ok: false; readonly reason: 'expired' }
  /** It is there already. */
  | { readonly ok: false; readonly reason: 'known' }
  /** Not before `until`, in milliseconds since the epoch. */
  | { readonly ok: false; readonly reason: 'wait'; readonly until: number };

/** A factor was proven: by what means, in the words of RFC 8176. */
export interface Proven {
  readonly ok: true;
  readonly amr: readonly string[];
}

/** A factor was registered. */
export interface Enrolled {
  readonly ok: true;
  readonly factorId: string;
  readonly amr: readonly string[];
  /** With the first factor: to be shown once. */
  readonly recoveryCodes?: readonly string[] | undefined;
}

/** What belongs to a commit beside what it is about. */
export type Also = readonly Change[];

/** What a user changes of the own factors, as one command. */
export function transactByUser<T>(
  dependencies: MfaDependencies,
  { organization, userId }: Pick<Whose, 'organization' | 'userId'>,
  facts: RequestFacts,
  run: (transaction: OrganizationTransaction) => T,
): Promise<T> {
  return transactAs(dependencies, organization, userActing(userId), facts, run);
}
