import { z } from 'zod';
import type { Engine, Precondition } from '#engine';
import { endpointFor, type Problem, problem } from '../../http/index.ts';
import type { SystemPermission } from '../rights/index.ts';
import type { Organization } from './organization.ts';

/** A credential that was accepted, by its record: whether it is still good can be asked again. */
export type CredentialReference =
  | { readonly kind: 'scim_token'; readonly id: string; readonly version: number }
  | { readonly kind: 'access_token'; readonly id: string; readonly keyId: string; readonly clientId: string };

/**
 * Why an agent may act for a user with a token: the user has delegated to it, or has lent it something for a task.
 * Names a record that is read again for each decision.
 */
export const agencySchema = z.strictObject({ kind: z.enum(['delegation', 'elevation']), id: z.string() });

export type Agency = Readonly<z.output<typeof agencySchema>>;

/** What was lent, as the engine knows it; absent where a user has delegated. */
export function lentSubject({ kind, id }: Agency): string | undefined {
  return kind === 'elevation' ? `elevation:${id}` : undefined;
}

/** Who makes a request of an organization. */
export interface Caller {
  readonly organization: Organization;
  /** As the engine knows it; `undefined` is the super administrator, who may do everything and is nobody's subject. */
  readonly subject: string | undefined;
  /** Who acts for the subject with its token (RFC 8693): what the subject may is done only where this one may, too. */
  readonly actor?: string | undefined;
  /** Why the actor, an agent, may act for the subject: bounds what it may with it. */
  readonly agency?: Agency | undefined;
  /** Objects (`type:id`) beyond which the agency does not reach; absent: all. */
  readonly resources?: ReadonlySet<string> | undefined;
  /** Whether it came with a token of an application that administrators have registered. */
  readonly isFirstParty?: boolean | undefined;
  /** Of its access token, in milliseconds. Absent where the credential is no token. */
  readonly expiresAt?: number | undefined;
  /** Of its access token: it may and gives only what these cover. Absent where the credential is no token. */
  readonly scopes?: readonly string[] | undefined;
  /** Whether the caller may see what its subject may do, as decisions about oneself do. */
  readonly seesRights: boolean;
  /** The user's address, where the credential tells it: for audit entries alone. */
  readonly email?: string | undefined;
  /** What people call the credential, where it is one of a kind that has no other name: for audit entries alone. */
  readonly name?: string | undefined;
  /**
   * What it may give, and may change for those who have it. Absent where that is what its subject holds in the engine.
   * Decided in the snapshot of the surrounding `Engine.read`, as `may`.
   */
  readonly holds?: ((permission: string) => boolean) | undefined;
  /** Where its rights come from the credential and not from its subject: what another thread knows it by. */
  readonly credential?: CredentialReference | undefined;
  /**
   * Whether the engine allows it, now: decided in the snapshot of the surrounding `Engine.read`, by the system model
   * alone and by the merged one.
   */
  may(permission: SystemPermission): boolean;
  /** Reads what `may` looks at first, so that its memory is on the way by then. The result says nothing. */
  touch?(): number;
  /** Whether the request's credential would still be accepted: for work that goes on long after the request. */
  isStillValid(): boolean;
  /**
   * What a command of the caller must require, so that its credential has not ended when the command is applied. Absent
   * where only the configuration can end it, or what `subject` has in the engine. To be called inside `Engine.read`.
   */
  credentialPreconditions?(): readonly Precondition[];
}

/** How long a caller's credential counts. */
export type Validity = Pick<Caller, 'isStillValid' | 'credentialPreconditions'>;

/** An endpoint of an organization, for callers whom the guard lets in. */
export const endpoint = endpointFor<Caller>();

/**
 * Runs a read in the snapshot in which the right to it is decided. The guard has decided before, but a commit may have
 * come between: newer data must not be shown by an older right.
 */
export function answerIfMay<T>(
  engine: Engine,
  caller: Caller,
  permission: SystemPermission,
  read: () => T,
): T | Problem {
  return engine.read(() =>
    caller.may(permission) ? read() : problem('forbidden', `This needs the permission ${permission}.`),
  );
}

/**
 * A node of a cluster that hears nothing of the log does not know what was revoked. Access tokens and sessions are refused
 * after a short time, keys of programs after a longer one. @throws ProblemError 503
 */
export type RequireHeard = (kind: 'token' | 'key') => void;
