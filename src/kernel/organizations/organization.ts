import { z } from 'zod';
import {
  type Change,
  type Engine,
  EngineError,
  type Precondition,
  type RecordEntry,
  SecondChanceCache,
  type Store,
} from '#engine';
import { type DocumentOf, defineRecord } from '../records/index.ts';

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
  /** False once its thread has forgotten it. */
  isKept: boolean;
}

/** An organization as requests meet it. */
export interface Organization {
  readonly id: string;
  readonly slug: string;
  readonly store: Store;
  readonly systemModelId: string;
  /** Kept here by the counter: a look-up among thousands of organizations takes longer. */
  calls?: CallCount | undefined;
}

/**
 * A revision after which nothing of an organization was written; `undefined` where it was deleted. Its store is looked
 * up only where a commit has touched it. To be called inside `Engine.read`.
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

/** Requires that the record of an organization has not been written since it was read. */
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

interface Known {
  readonly organization: Organization;
  /** The revision at which its store was last seen. */
  revision: number;
}

/** Some 300 bytes each. */
const KNOWN_MAX = 32_768;

/** Finds organizations by their slug, in one thread. */
export class OrganizationDirectory {
  readonly #engine: Engine;
  readonly #known = new SecondChanceCache<string, Known>(KNOWN_MAX);

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Exact at the snapshot's revision: a deleted organization is not found. To be called inside `Engine.read`. */
  find(slug: string): Organization | undefined {
    const revision = this.#engine.revision();
    const known = this.#known.get(slug);
    if (known === undefined) return this.#load(slug, revision);
    if (known.revision === revision) return known.organization;
    if (writtenAt(known.organization) === undefined) {
      this.#known.delete(slug);
      return undefined;
    }
    known.revision = revision;
    return known.organization;
  }

  #load(slug: string, revision: number): Organization | undefined {
    const record = organizationRecords.get(this.#engine.store(platformStore), slug.toLowerCase())?.document;
    if (record === undefined || record.slug !== slug || record.deletedAt !== undefined) return undefined;
    const { id, systemModelId } = record;
    const organization = { store: this.#engine.store(storeOf(slug)), slug, calls: undefined, id, systemModelId };
    this.#known.set(slug, { organization, revision });
    return organization;
  }
}
