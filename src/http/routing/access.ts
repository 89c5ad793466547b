import type { Problem } from '../problems/problem.ts';
import type { Foreseen, HeadNotes } from '../transport/transport.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Who may call an endpoint. `public`: anyone, no credential is looked at. `authenticated`: any valid caller of the
 * organization in the path. `platform`: the super administrator. A scope: credentials that were made for it, and no
 * others; what each request needs is decided behind it. A resource: as `authenticated`, and tokens that are for that part
 * of the API alone. Otherwise the permission that the engine must allow.
 */
export type Access =
  | 'public'
  | 'authenticated'
  | 'platform'
  | { readonly scope: 'scim' | 'ssf.read' | 'ssf.manage' }
  | { readonly resource: 'mcp' }
  | { readonly permission: string };

/** What the guard sees of a request. */
export interface Visit {
  readonly endpoint: Endpoint;
  /** Decoded, not yet validated. */
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** As sent: not decoded, without the query. Not to be read once something was waited for. */
  readonly path: string;
  /** For what is read of the head alone, where it is one that has come before. */
  readonly notes?: HeadNotes | undefined;
  /** What was given to `Guard.foresee`, if this request was, and was not put off since. */
  readonly foreseen?: Foreseen | undefined;
  /** `''` where absent. */
  header(name: string): string;
  /** Behind trusted proxies the client's; `''` where unknown. */
  clientAddress(): string;
}

type Awaitable<T> = T | Promise<T>;

/**
 * The seam to authentication and authorization, given by a feature. For every endpoint that is not public, in this
 * order: `authenticate`, then `authorize`, and only then is the input read. Both answer in the same turn where they
 * can, and that is the fast path.
 */
export interface Guard<Caller> {
  /** Some requests are about to be judged: see `Listener.foresee`. */
  foresee?(requests: readonly Foreseen[]): void;
  /** The caller, or a 401; a 403 where the credential is good, and was made for something else. */
  authenticate(visit: Visit): Awaitable<Caller | Problem>;
  /** `undefined` where the caller may, else a 403 or 404. */
  authorize(caller: Caller, access: Access, visit: Visit): Awaitable<Problem | undefined>;
}
