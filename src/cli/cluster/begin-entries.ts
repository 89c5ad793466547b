import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type PackedCommand, packCommand, walkRecords } from '#engine';
import { auditedAs, operatorActor } from '../../kernel/audit/index.ts';
import {
  type OrganizationRecord,
  organizationRecords,
  platformStore,
  storeOf,
} from '../../kernel/organizations/index.ts';
import { systemClock, uuidGenerator } from '../../platform/index.ts';

/** What is put on record in the log of each organization: the cluster has these data from now on. */
export async function beginEntries(
  path: string,
  { kind, force }: { readonly kind: 'init' | 'repair'; readonly force: boolean },
): Promise<PackedCommand[]> {
  const maker = { newId: uuidGenerator(systemClock), now: () => systemClock.now() };
  const organizations = await organizationsOf(path);
  return organizations.map(({ id, slug }) => {
    const entry = auditedAs(maker, { id, store: { name: storeOf(slug) } }, operatorActor, undefined, {
      eventType: 'admin.action',
      action: `cluster.${kind}`,
      // what other nodes had beyond these data is lost
      severity: 'warning',
      targetId: id,
      targetType: 'organization',
      metadata: { host: hostname(), force },
    });
    return packCommand({ id: randomUUID(), time: maker.now(), changes: entry });
  });
}

async function organizationsOf(path: string): Promise<OrganizationRecord[]> {
  const found: OrganizationRecord[] = [];
  await walkRecords(path, ({ store, collection, document }) => {
    if (store !== platformStore || collection !== organizationRecords.collection) return;
    const record = organizationRecords.schema.parse(document);
    if (record.deletedAt === undefined) found.push(record);
  });
  return found;
}
