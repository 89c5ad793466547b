import { type Engine, SecondChanceCache } from '#engine';
import { type Organization, organizationRecords, platformStore, storeOf, writtenAt } from './organization.ts';

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
    const organization = { id, slug, systemModelId, store: this.#engine.store(storeOf(slug)), calls: undefined };
    this.#known.set(slug, { organization, revision });
    return organization;
  }
}
