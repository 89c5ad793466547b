import { type AuditEvent, diff, type RequestFacts } from '../../../kernel/audit/index.ts';
import {
  type Caller,
  type Organization,
  type OrganizationRecord,
  organizationEntry,
  putOrganization,
  sameOrganization,
} from '../../../kernel/organizations/index.ts';
import { type AdminDependencies, existing, rightsEnded, transact } from '../../../kernel/transactions/index.ts';
import type { OutboundGuard, Sealer } from '../../../platform/index.ts';
import { maskedScimToken, newestScimToken } from '../../records/index.ts';
import {
  fieldAt,
  groups,
  putSettings,
  requiredSinceChanges,
  type Settings,
  sameSettings,
  secretBinding,
  settingsEntry,
} from '../truth/settings.ts';
import type { Draft } from '../views/view.ts';
import type { Profile, Truth } from '../views/view-field.ts';
import { applyDraft } from './apply-draft.ts';
import { requireReachable, requireSound } from './rules.ts';

export interface SettingsDependencies extends AdminDependencies {
  readonly sealer: Sealer;
  readonly outbound: OutboundGuard;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

/** The truth, and the organization's record that a part of it stands in. */
export interface WholeTruth extends Truth {
  readonly record: OrganizationRecord;
}

/** What one request asks to be changed. */
export interface Wish {
  readonly draft: Draft;
  readonly metadata?: (before: Profile['metadata']) => Profile['metadata'];
  /** For the audit log: what was written to. */
  readonly auditEvent: Pick<AuditEvent, 'action' | 'targetType' | 'targetId'>;
}

type Reading = Pick<AdminDependencies, 'engine' | 'clock'>;

/** To be called inside `Engine.read`. */
export function readTruth({ engine, clock }: Reading, organization: Organization): WholeTruth {
  const { store } = organization;
  const { document: record } = existing(organizationEntry(engine, organization.slug));
  const { name, metadata = {} } = record;
  const token = newestScimToken(store, clock.now());
  return {
    settings: settingsEntry(store).settings,
    profile: { name, metadata },
    record,
    scimToken: token && maskedScimToken(token),
  };
}

/** Writes settings: one commit of whatever records they stand in. Answers what they are after it. */
export async function writeSettings(
  dependencies: SettingsDependencies,
  caller: Caller,
  facts: RequestFacts,
  { draft, metadata, auditEvent }: Wish,
): Promise<WholeTruth> {
  const { engine, outbound, sealer } = dependencies;
  const { organization } = caller;
  const { store, id, slug } = organization;
  await transact(dependencies, caller, facts, (transaction) => {
    transaction.require('settings.manage');
    const before = readTruth(dependencies, organization);
    const settings = applyDraft(before.settings, draft, (group, name, plain) =>
      sealer.seal(plain, secretBinding(id, group, name)),
    );
    requireSound(before.settings, settings, draft);
    requireReachable(outbound, before.settings, settings);
    const profile: Profile = {
      name: draft.name ?? before.profile.name,
      metadata: metadata?.(before.profile.metadata) ?? before.profile.metadata,
    };
    const changes = changesBetween(before, { settings, profile });
    if (Object.keys(changes).length === 0) return;
    const { now } = transaction;
    const record: OrganizationRecord = { ...before.record, ...profile, updatedAt: now };
    transaction.expect([
      sameSettings(store, settingsEntry(store)),
      sameOrganization(existing(organizationEntry(engine, slug))),
    ]);
    transaction.change([putOrganization(record), putSettings(store, settings)]);
    transaction.change(requiredSinceChanges(store, before.settings, settings, now));
    // what credentials of SCIM may do is said here alone
    if (Object.keys(changes).some((name) => name.startsWith('scim.'))) transaction.change([rightsEnded(store)]);
    transaction.audit({ eventType: 'admin.action', ...auditEvent, metadata: { changes } });
  });
  return engine.read(() => readTruth(dependencies, organization));
}

/** For the audit log, by setting. Of secrets only that they changed. */
function changesBetween(before: Truth, after: Truth): Record<string, unknown> {
  const changes: [string, unknown][] = groups.flatMap((group) =>
    Object.entries(diff(before.settings[group], after.settings[group], secretsOf(group, after.settings))).map(
      ([name, change]): [string, unknown] => [`${group}.${name}`, change],
    ),
  );
  return Object.fromEntries([...changes, ...Object.entries(diff(before.profile, after.profile))]);
}

function secretsOf(group: (typeof groups)[number], settings: Settings): string[] {
  return Object.keys(settings[group]).filter((name) => fieldAt(group, name).isSecret);
}
