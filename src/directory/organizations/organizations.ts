import { type Change, type Engine, EngineError } from '#engine';
import { commit } from '../../kernel/commits/index.ts';
import {
  type OrganizationRecord,
  organizationEntry,
  organizationRecords,
  platformStore,
  putOrganization,
  storeOf,
} from '../../kernel/organizations/index.ts';
import { adminRole, type SystemModel, systemDigest, systemTuples } from '../../kernel/rights/index.ts';
import { type Clock, isUnreadable } from '../../platform/index.ts';
import {
  keyRecords,
  markAdopted,
  markGroupNamesIndexed,
  markSystem,
  mintKey,
  systemRecords,
} from '../records/index.ts';

const PAGE = 1000;

export interface CreatedOrganization {
  readonly record: OrganizationRecord;
  /** Shown once. */
  readonly adminApiKey: string;
}

/** Who asked for an organization, as the audit log wants to know it. */
export interface CreationFacts {
  readonly requestId: string;
  header(name: string): string;
  clientAddress(): string;
}

type Recorder = (
  organization: { readonly id: string; readonly slug: string; readonly store: { readonly name: string } },
  facts: CreationFacts,
) => readonly Change[];

export interface OrganizationsDependencies {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly systemModel: SystemModel;
  /** The first entry of the new organization's log: features see organizations, and not the other way round. */
  readonly recordCreation?: Recorder;
  /** The entry of a reading by the super administrator. */
  readonly recordReading?: Recorder;
}

/** Makes, lists and removes organizations. */
export class Organizations {
  readonly #dependencies: OrganizationsDependencies;
  readonly #systemDigest: string;

  constructor(dependencies: OrganizationsDependencies) {
    this.#dependencies = dependencies;
    this.#systemDigest = systemDigest(dependencies.systemModel);
  }

  /** The platform's own store, made at the first start. */
  async prepare(): Promise<void> {
    await this.#dependencies.engine.openStore(platformStore);
  }

  /**
   * One command: the record, the store, the system model as its first version, the administrators' role with every
   * system permission, and an API key that has the role. `undefined` where the slug is or was in use.
   */
  async create(slug: string, name: string, facts?: CreationFacts): Promise<CreatedOrganization | undefined> {
    const { engine, clock, newId, systemModel, recordCreation } = this.#dependencies;
    const store = storeOf(slug);
    const at = { name: store };
    const createdAt = clock.now();
    const record: OrganizationRecord = { id: newId(), slug, name, createdAt, systemModelId: newId() };
    const key = mintKey(newId(), { name: 'Administration', createdAt, createdBy: 'platform' });
    const tuples = [...systemTuples(), { object: `role:${adminRole}`, relation: 'assignee', subject: key.subject }];
    const model = { id: record.systemModelId, source: systemModel.source, ...systemModel.prepared };
    const entry = (facts && recordCreation?.({ id: record.id, slug, store: at }, facts)) ?? [];
    try {
      return await commit(engine, platformStore, (changes) => {
        if (changes.get(organizationRecords, slug.toLowerCase()) !== undefined) return undefined;
        changes.change([
          putOrganization(record),
          { op: 'create_store', store },
          { op: 'write_model', store, model },
          { op: 'write_tuples', store, tuples },
          keyRecords.put(at, key.id, key.document),
          ...systemRecords(at, newId, createdAt),
          markAdopted(at, createdAt),
          markGroupNamesIndexed(at, createdAt),
          markSystem(at, this.#systemDigest, record.systemModelId, createdAt),
          ...entry,
        ]);
        return { record, adminApiKey: key.key };
      });
    } catch (error) {
      if (error instanceof EngineError && error.code === 'store_exists') return undefined;
      throw error;
    }
  }

  /** `undefined` where there is none, or no longer. */
  get(slug: string): OrganizationRecord | undefined {
    return organizationEntry(this.#dependencies.engine, slug)?.document;
  }

  /** The same for the super administrator: the organization's log says so first. */
  async read(slug: string, facts: CreationFacts): Promise<OrganizationRecord | undefined> {
    const { engine, recordReading } = this.#dependencies;
    const record = this.get(slug);
    if (record === undefined) return undefined;
    const store = { name: storeOf(record.slug) };
    const entry = recordReading?.({ id: record.id, slug: record.slug, store }, facts) ?? [];
    try {
      await commit(engine, store.name, (changes) => changes.change(entry));
    } catch (error) {
      // deleted meanwhile
      if (error instanceof EngineError && error.code === 'unknown_store') return undefined;
      throw error;
    }
    return record;
  }

  /** Whether there is one that is not deleted, or whose record cannot be read. */
  hasAny(): boolean {
    let unreadable = 0;
    const found = this.all(() => {
      unreadable++;
    });
    return unreadable + found.length > 0;
  }

  /** Those that are not deleted. Of a record that cannot be read, `onUnreadable` gets the slug in lower case. */
  all(onUnreadable: (slug: string, error: unknown) => void): OrganizationRecord[] {
    const { engine } = this.#dependencies;
    return engine.read(() => {
      const store = engine.store(platformStore);
      const found: OrganizationRecord[] = [];
      for (const id of this.#ids()) {
        try {
          const record = organizationRecords.get(store, id)?.document;
          if (record !== undefined && record.deletedAt === undefined) found.push(record);
        } catch (error) {
          if (!isUnreadable(error)) throw error;
          onUnreadable(id, error);
        }
      }
      return found;
    });
  }

  #ids(): string[] {
    const index = organizationRecords.index(this.#dependencies.engine.store(platformStore));
    const found: string[] = [];
    for (;;) {
      const page = index.ids(undefined, '', { skip: found.length, limit: PAGE });
      found.push(...page);
      if (page.length < PAGE) return found;
    }
  }

  /** Unreachable for every request from the answer on; its data is swept in steps. False where there is none. */
  async delete(slug: string): Promise<boolean> {
    const { engine, clock } = this.#dependencies;
    return await commit(engine, platformStore, (changes) => {
      const entry = changes.rely(organizationRecords, organizationEntry(engine, slug));
      if (entry === undefined) return false;
      const { metadata: _, ...kept } = entry.document;
      changes.put(organizationRecords, entry.id, { ...kept, deletedAt: clock.now() });
      changes.change([{ op: 'delete_store', store: storeOf(slug) }]);
      return true;
    });
  }
}
