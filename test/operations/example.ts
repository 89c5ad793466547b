import type { Organization, RunningService } from '../server/running-service.ts';

/** One request that an operation answers well. */
export interface Example {
  /** Parameters of the path beside the organization. */
  readonly params?: Readonly<Record<string, string>>;
  /** With the question mark. */
  readonly query?: string;
  readonly body?: unknown;
  /** Sent as a form instead. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** What it names is made on the pages of a person: it is not found here. The tests of those pages have its good answers. */
  readonly needsSignIn?: boolean;
  /** It is for people or agents, and refuses the administrator's key. The tests of those have its good answers. */
  readonly needsPerson?: boolean;
  /** It is there to say that there is no such thing: 501. */
  readonly isUnsupported?: boolean;
  /** The answer sends a browser on. */
  readonly isRedirect?: boolean;
  /** The answer never ends: its head is enough. */
  readonly isEndless?: boolean;
}

/** Where examples are played: an organization of their own, in which each makes what it needs. */
export interface World {
  readonly service: Pick<RunningService, 'call' | 'url'>;
  readonly organization: Organization;
  readonly family: 'tenant' | 'org';
  /** A name that nothing else in this run has. */
  fresh(prefix: string): string;
  /** Calls the same family as the administrator, requires a 2xx, and answers what is inside of the envelope. */
  make(method: string, path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** The same over SCIM. */
  provision(path: string, body: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** A stream of security events, of a client of its own, by its id. */
  stream(): Promise<string>;
}

/** By the name of the operation; a name may begin with `tenant ` or `org ` where the families differ. */
export type Examples = Readonly<Record<string, (world: World) => Example | Promise<Example>>>;
