import type { Engine, RecordEntry, RecordWrite, Store } from '#engine';
import type { SystemPermission } from '../rights/index.ts';

/** The store of the service itself: organizations, and what belongs to none of them. */
export const platformStore = '$platform';

/** Collection of the platform's store; a record's id is the slug in lower case, because slugs differ in more than case. */
export const organizationCollection = 'organizations';

export interface OrganizationRecord {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Of its name or metadata; absent before the first change. */
  readonly updatedAt?: number;
  /** Whatever its administrators keep there. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The model version of its store that is the system's alone. */
  readonly systemModelId: string;
  /** Set when it was deleted: the record stays, so that the slug is never used again. */
  readonly deletedAt?: number;
}

export type OrganizationEntry = RecordEntry<OrganizationRecord>;

/** An organization as requests meet it. */
export interface Organization {
  readonly id: string;
  readonly slug: string;
  readonly store: Store;
  readonly systemModelId: string;
}

export function organizationWrite(document: OrganizationRecord): RecordWrite {
  return {
    collection: organizationCollection,
    id: document.slug.toLowerCase(),
    document,
    unique: { id: document.id },
  };
}

/** The record of an organization that is there. To be called inside `Engine.read`. */
export function organizationEntry(engine: Engine, slug: string): OrganizationEntry | undefined {
  const { records } = engine.store(platformStore);
  const entry = records.get<OrganizationRecord>(organizationCollection, slug.toLowerCase());
  return entry?.document.slug === slug && entry.document.deletedAt === undefined ? entry : undefined;
}

export function storeOf(slug: string): string {
  return `org:${slug}`;
}

/** Who makes a request of an organization. */
export interface Caller {
  readonly organization: Organization;
  /** As the engine knows it; `undefined` is the super administrator, who may do everything and is nobody's subject. */
  readonly subject: string | undefined;
  /** Who acts for the subject with its token (RFC 8693): what the subject may is done only where this one may, too. */
  readonly actor?: string | undefined;
  /** Of its access token: it may and gives only what these cover. Absent where the credential is no token. */
  readonly scopes?: readonly string[] | undefined;
  /** Whether the caller may see what its subject may do, as decisions about oneself do. */
  readonly seesRights: boolean;
  /** The user's address, where the credential tells it: for audit entries alone. */
  readonly email?: string | undefined;
  /**
   * Whether the engine allows it, now: decided in the snapshot of the surrounding `Engine.read`, by the system model
   * alone and by the merged one.
   */
  may(permission: SystemPermission): boolean;
  /** Whether the credential of the request would still be accepted: for what goes on long after it. */
  isStillValid(): boolean;
}
