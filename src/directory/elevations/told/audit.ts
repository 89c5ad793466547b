import type { AuditEvent } from '../../../kernel/audit/index.ts';
import type { TaskEntry } from '../../records/index.ts';

type Verb = 'request' | 'add_scope' | 'approve' | 'deny' | 'expire' | 'revoke' | 'end';

const SHOWN_MAX = 20;

/** How the audit log tells of a task: with the agent, and whoever lends. */
export function auditOf(
  verb: Verb,
  { id, document }: Pick<TaskEntry, 'id' | 'document'>,
  details: Readonly<Record<string, unknown>> = {},
): AuditEvent {
  const { agentId, delegationId, approverId, scopes, resources, seconds, grant } = document;
  const lent = grant && { lenderId: grant.lenderId, lentScopes: grant.scopes, ...shortened('lent', grant.resources) };
  return {
    eventType: 'admin.action',
    action: `elevation.${verb}`,
    targetId: id,
    targetType: 'elevation',
    metadata: {
      agentId,
      ...(delegationId === undefined ? {} : { delegationId }),
      ...(approverId === undefined ? {} : { approverId }),
      scopes,
      ...shortened('asked', resources),
      seconds,
      ...lent,
      ...details,
    },
  };
}

/** A task can name more objects than an entry can: the first of them, and how many there are. */
function shortened(prefix: 'asked' | 'lent', resources: readonly string[] | undefined) {
  if (resources === undefined) return {};
  const shown = resources.slice(0, SHOWN_MAX);
  return {
    [`${prefix}Resources`]: shown,
    ...(resources.length > shown.length ? { [`${prefix}Count`]: resources.length } : {}),
  };
}
