import { z } from 'zod';
import { type Change, type Engine, EngineError, type Precondition, type RecordEntry, type Store } from '#engine';
import { type DocumentOf, defineRecord } from '../records/index.ts';
import type { SystemPermission } from '../rights/index.ts';

/** The store of the service itself: organizations, and what belongs to none of them. */
export const platformStore = '$platform';

/**
 * Organizations, in the platform's store. A record's id is the slug in lower case, because slugs differ in more than
 * case. Times are in milliseconds.
 */
export const organizationRecords = defineRecord({
  collection: 'organizations',
  holds: 'an organization; deleted ones stay, so that their slugs are never used again',
  schema: z.strictObject({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    createdAt: z.number(),
    /** Of its name or metadata; absent before the first change. */
    updatedAt: z.number().exactOptional(),
    /** Whatever its administrators keep there. */
    metadata: z.record(z.string(), z.unknown()).readonly().exactOptional(),
    /** The model version of its store that is the system's alone. */
    systemModelId: z.string(),
    /** Set when it was deleted: the record stays, so that the slug is never used again. */
    deletedAt: z.number().exactOptional(),
  }),
  unique: ({ id }) => ({ id }),
});

export type OrganizationRecord = DocumentOf<typeof organizationRecords>;
export type OrganizationEntry = RecordEntry<OrganizationRecord>;

/** Calls of an organization that its thread has not written down yet. */
export interface CallCount {
  calls: number;
  month: string;
  writtenAt: number;
  /** Not any more once its thread has forgotten it. */
  isKept: boolean;
}

/** An organization as requests meet it. */
export interface Organization {
  readonly id: string;
  readonly slug: string;
  readonly store: Store;
  readonly systemModelId: string;
  /** Kept here by who counts: to look it up among those of thousands of others takes longer. */
  calls?: CallCount | undefined;
}

/**
 * A revision after which nothing of an organization was written; `undefined` where it was deleted. Its store is looked up
 * only where a commit has touched what is kept of that. To be called inside `Engine.read`.
 */
export function writtenAt({ store }: Organization): number | undefined {
  try {
    return store.writtenAt();
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unknown_store') return undefined;
    throw error;
  }
}

export function putOrganization(document: OrganizationRecord): Change {
  return organizationRecords.put({ name: platformStore }, document.slug.toLowerCase(), document);
}

/** That the record of an organization has not been written since it was read. */
export function sameOrganization(entry: Pick<OrganizationEntry, 'id' | 'version'>): Precondition {
  return organizationRecords.same({ name: platformStore }, entry);
}

/** The record of an organization that is there. To be called inside `Engine.read`. */
export function organizationEntry(engine: Engine, slug: string): OrganizationEntry | undefined {
  const entry = organizationRecords.get(engine.store(platformStore), slug.toLowerCase());
  return entry?.document.slug === slug && entry.document.deletedAt === undefined ? entry : undefined;
}

export function storeOf(slug: string): string {
  return `org:${slug}`;
}

/** A credential that was accepted, by its record: whether it is still good can be asked again. */
export type CredentialReference =
  | { readonly kind: 'scim_token'; readonly id: string; readonly version: number }
  | { readonly kind: 'access_token'; readonly id: string; readonly keyId: string; readonly clientId: string };

/**
 * Why an agent may act for a user with a token: the user has delegated to it, or has lent it something for a task. Names
 * the record, which is read again for each decision.
 */
export const agencySchema = z.strictObject({ kind: z.enum(['delegation', 'elevation']), id: z.string() });

export type Agency = Readonly<z.output<typeof agencySchema>>;

/** What was lent, as the engine knows it; nothing was where a user has delegated. */
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
   * What it may give, and change of those who have it. Absent where that is what its subject holds in the engine.
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
  /** Reads what `may` looks at first, so that its memory is on the way when that is asked. The result says nothing. */
  touch?(): number;
  /** Whether the credential of the request would still be accepted: for what goes on long after it. */
  isStillValid(): boolean;
  /**
   * What must stand as it was read, where a command of the caller is applied, so that its credential has not ended by then.
   * Absent where only the configuration can end it, or what `subject` has in the engine. To be called inside `Engine.read`.
   */
  credentialPreconditions?(): readonly Precondition[];
}
