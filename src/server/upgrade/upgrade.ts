import type { Change, Engine, Store } from '#engine';
import type { Organizations } from '../../directory/organizations/index.ts';
import {
  areGroupNamesIndexed,
  groupRecords,
  hasSystem,
  isAdopted,
  markAdopted,
  markGroupNamesIndexed,
  markSystem,
  permissionRecords,
} from '../../directory/records/index.ts';
import { commit, type GatheredChanges, type StoreChanges } from '../../kernel/commits/index.ts';
import {
  type OrganizationEntry,
  type OrganizationRecord,
  organizationEntry,
  putOrganization,
  sameOrganization,
  storeOf,
} from '../../kernel/organizations/index.ts';
import type { AnyRecordKind } from '../../kernel/records/index.ts';
import { type SystemModel, systemDigest } from '../../kernel/rights/index.ts';
import { NumbersInCommit } from '../../kernel/transactions/index.ts';
import { type Clock, isUnreadable, type Log } from '../../platform/index.ts';
import { defineListings } from '../listings.ts';
import { adoptedRecords, findOrphans } from './adopt.ts';
import { systemGaps } from './system-gaps.ts';
import { isMisfit, upgradeModel } from './system-model-upgrade.ts';

export interface UpgradeDependencies {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly organizations: Organizations;
  readonly systemModel: SystemModel;
  /** Every kind of record that there is. */
  readonly records: readonly AnyRecordKind[];
  readonly newId: () => string;
  readonly log: Log;
}

/** Organizations that are brought up at a time. */
const AT_ONCE = 50;

/**
 * Brings what another release has made up to this one before anything is served: how the store lists records; and
 * organizations, each in one command: the system model, the records and grants of system permissions, and records for what
 * tuples name. Run again, it finds nothing to do. One that has a record in its way that cannot be read is told, and stays as it is.
 */
export async function upgradeOrganizations(dependencies: UpgradeDependencies): Promise<void> {
  const { engine, organizations, records, log } = dependencies;
  await defineListings(engine, records, log);
  const skipped = (organization: string, err: unknown): void => {
    const message = 'an organization was not brought up to this release, because a record of it cannot be read';
    log.error({ organization, err }, `${message}: "relata verify" names it`);
  };
  const digest = systemDigest(dependencies.systemModel);
  const upgradeOrganization = async (record: OrganizationRecord): Promise<void> => {
    const { slug } = record;
    try {
      if (engine.read(() => isUpToDate(engine, record, digest))) return;
      const entry = engine.read(() => organizationEntry(engine, slug));
      if (entry !== undefined) await upgradeOne(dependencies, entry, digest);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      skipped(slug, error);
    }
  };
  const all = organizations.all(skipped);
  // their commits share one flush
  for (let from = 0; from < all.length; from += AT_ONCE) {
    await Promise.all(all.slice(from, from + AT_ONCE).map(upgradeOrganization));
  }
}

/** As its marks say. Whatever writes tuples without records takes the one of those away. */
function isUpToDate(engine: Engine, { slug, systemModelId }: OrganizationRecord, digest: string): boolean {
  const store = engine.store(storeOf(slug));
  return hasSystem(store, digest, systemModelId) && isAdopted(store) && areGroupNamesIndexed(store);
}

async function upgradeOne(
  dependencies: UpgradeDependencies,
  { document: { slug } }: OrganizationEntry,
  digest: string,
): Promise<void> {
  const { engine, clock, newId, log } = dependencies;
  const upgraded = await commit(engine, storeOf(slug), (changes) => {
    const { store } = changes;
    const entry = organizationEntry(engine, slug);
    if (entry === undefined) return undefined;
    const now = clock.now();
    const model = modelOf(dependencies, store, entry);
    const gaps = systemGaps(store, newId, now);
    if (model !== undefined && model !== 'misfit') {
      changes.add(model);
      changes.add(moveTo(entry, model.systemModelId));
    }
    changes.change(gaps.changes);
    adopt(changes, newId, now);
    changes.change(groupNameKeys(store, now));
    if (model !== 'misfit') {
      const systemModelId = model?.systemModelId ?? entry.document.systemModelId;
      if (!hasSystem(store, digest, systemModelId)) changes.change([markSystem(store, digest, systemModelId, now)]);
    }
    return { count: changes.changes.length, replaced: gaps.replaced };
  });
  if (upgraded === undefined || upgraded.count === 0) return;
  const { count, replaced } = upgraded;
  if (replaced.length > 0) {
    const message = 'permissions of an organization had slugs that are the system’s now: they were replaced';
    log.warn({ organization: slug, permissions: replaced }, message);
  }
  log.info({ organization: slug, changes: count }, 'an organization was brought up to this release');
}

function moveTo(entry: OrganizationEntry, systemModelId: string): GatheredChanges {
  return { changes: [putOrganization({ ...entry.document, systemModelId })], preconditions: [sameOrganization(entry)] };
}

/** An organization whose own model does not fit goes on with the system model that it has. */
function modelOf({ systemModel, newId, log }: UpgradeDependencies, store: Store, { document }: OrganizationEntry) {
  try {
    return upgradeModel(store, document.systemModelId, systemModel, newId);
  } catch (error) {
    if (!isMisfit(error)) throw error;
    const message =
      'the model of an organization does not fit the system model of this release: it keeps the earlier one, without ' +
      'attribute policies, until it writes a model that fits';
    log.warn({ organization: document.slug, reason: error.message }, message);
    return 'misfit';
  }
}

/** Records for what tuples name and has none. */
function adopt(changes: StoreChanges, newId: () => string, now: number): void {
  const { store } = changes;
  if (isAdopted(store)) return;
  const orphans = findOrphans(store);
  const numbers = new NumbersInCommit(store);
  const taken = orphans.permission.map(() => numbers.next(permissionRecords.collection));
  changes.change([...adoptedRecords(store, orphans, taken, newId, now), markAdopted(store, now)]);
  changes.add(numbers);
}

/** Groups made before they were found by their display name: written anew, once. To be called inside a snapshot. */
function groupNameKeys(store: Store, now: number): Change[] {
  if (areGroupNamesIndexed(store)) return [];
  const groups = [...groupRecords.all(store)];
  return [
    ...groups.map(({ id, document }) => groupRecords.put(store, id, document)),
    markGroupNamesIndexed(store, now),
  ];
}
