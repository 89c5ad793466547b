import { type AnyAssignment, type Assignment, defineAssignment, type Holder } from '../../kernel/assignments/index.ts';
import { auditEventOf, type Resource } from '../../kernel/resources/index.ts';
import type { SystemPermission } from '../../kernel/rights/index.ts';
import { requireRightsOf } from '../../kernel/transactions/index.ts';
import {
  type AgentEntry,
  type AgentRecord,
  agentActor,
  agentRecords,
  agentSubject,
  type KeyRecord,
  keyActor,
  keyRecords,
  keySubject,
  type PermissionRecord,
  type RoleRecord,
  slugsOf,
} from '../records/index.ts';
import { group, permission, role, toldOf } from './assignables.ts';

/** What a program has where it acts for itself. Whoever manages it gives and takes that, and nothing that they do not hold. */
export interface ProgramRights<Document extends object> {
  readonly roles: Assignment<RoleRecord, Document> & AnyAssignment;
  readonly permissions: Assignment<PermissionRecord, Document> & AnyAssignment;
}

export interface ProgramKind<Document extends object>
  extends Pick<Holder<Document>, 'type' | 'records' | 'requireChangeable' | 'refusal'> {
  readonly managedBy: SystemPermission;
  /** How the audit log tells of one. */
  readonly told: Pick<Resource<Document>, 'name' | 'audited' | 'auditTypes'>;
  /** Its record after a change of what it has; it stays as it is, if omitted. */
  readonly changed?: (document: Document, now: number) => Document;
}

/** A program as a holder. One without a record can be named by raw tuples alone. */
function programHolder<Document extends object>(kind: ProgramKind<Document>): Holder<Document> {
  const { type, told, records, requireChangeable, refusal } = kind;
  return {
    type,
    targetType: told.name,
    records,
    nameOf: ({ id }) => id,
    byName: (store, id) => records.get(store, id),
    audited: () => ({}),
    ...(requireChangeable === undefined ? {} : { requireChangeable }),
    ...(refusal === undefined ? {} : { refusal }),
  };
}

export function programRights<Document extends object>(kind: ProgramKind<Document>): ProgramRights<Document> {
  const { type, managedBy, told, changed } = kind;
  const holder: Holder<Document> = {
    ...programHolder(kind),
    changed: {
      given: (store, id, what) => slugsOf(store, `${type}:${id}`, what === 'role' ? what : 'permission'),
      audit: (entry, changes) => auditEventOf(told, 'update', entry, { changes }),
      ...(changed === undefined ? {} : { document: changed }),
    },
  };
  const rights = [managedBy];
  // what no endpoint gives, a limited tuple, is told as of users; no event tells it: those are of users and groups
  return {
    roles: defineAssignment({ assignable: role, holder, rights, told: toldOf.role }),
    permissions: defineAssignment({ assignable: permission, holder, rights, told: toldOf.permission }),
  };
}

const agentKind: ProgramKind<AgentRecord> = {
  ...agentActor,
  records: agentRecords,
  requireChangeable: (asking, id) => requireRightsOf(asking, agentSubject(id), 'agent'),
  told: { name: 'agent', audited: ({ document: { name, type } }: AgentEntry) => ({ metadata: { name, type } }) },
  changed: (document, now) => ({ ...document, updatedAt: now }),
};

const keyKind: ProgramKind<KeyRecord> = {
  ...keyActor,
  records: keyRecords,
  requireChangeable: (asking, id) => requireRightsOf(asking, keySubject(id), 'key'),
  told: { name: 'api_key', audited: () => ({ metadata: {} }) },
};

/** How the audit log tells of programs. */
export const toldAsProgram = { agent: agentKind.told, key: keyKind.told };

export const agentRights = programRights(agentKind);
export const keyRights = programRights(keyKind);

/** Whoever puts an agent into a group manages both. No event tells it: those of members are of users. */
export const agentGroup = defineAssignment({
  assignable: group,
  holder: programHolder(agentKind),
  rights: [group.right, agentKind.managedBy],
  told: toldOf.group,
});
