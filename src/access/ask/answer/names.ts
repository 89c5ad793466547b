import type { Store } from '#engine';
import {
  actors,
  agentRecords,
  findGroup,
  findRole,
  policyRecords,
  taskRecords,
} from '../../../directory/records/index.ts';
import type { ActorKind } from '../../../kernel/actors/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import type { SystemPermission } from '../../../kernel/rights/index.ts';
import { visibleText } from '../../../platform/index.ts';

const LENGTH_MAX = 100;

interface NamedType {
  /** Who may read it of others. */
  readonly right: SystemPermission;
  readonly nameOf: (store: Store, id: string) => string | undefined;
}

const types: Readonly<Record<string, NamedType>> = {
  ...Object.fromEntries(actors.kinds.flatMap(namedActors)),
  role: { right: 'roles.read', nameOf: (store, id) => findRole(store, id)?.document.name },
  group: { right: 'groups.read', nameOf: (store, id) => findGroup(store, id)?.document.displayName },
  policy: { right: 'policies.read', nameOf: (store, id) => policyRecords.get(store, id)?.document.name },
  // the words of the task are the agent's own
  elevation: {
    right: 'agents.manage',
    nameOf: (store, id) => {
      const task = taskRecords.get(store, id)?.document;
      const agent = task && agentRecords.get(store, task.agentId)?.document;
      return agent && `of ${agent.name}`;
    },
  },
};

function namedActors({ type, nameOf, managedBy, readBy = managedBy }: ActorKind): [string, NamedType][] {
  return nameOf === undefined ? [] : [[type, { right: readBy, nameOf }]];
}

/**
 * What people call an object (`role:editor`), in one line: that of the caller itself, and what the caller may read.
 * `undefined` where that is nothing. To be called inside `Engine.read`.
 */
export function nameFor(caller: Caller, object: string): string | undefined {
  const colon = object.indexOf(':');
  const type = types[object.slice(0, colon)];
  const isOwn = object === (caller.actor ?? caller.subject);
  if (type === undefined || !(isOwn || caller.may(type.right))) return undefined;
  const name = type.nameOf(caller.organization.store, object.slice(colon + 1));
  if (name === undefined) return undefined;
  const line = visibleText(name).replace(/\s+/gu, ' ').trim();
  return line.length > LENGTH_MAX ? `${[...line].slice(0, LENGTH_MAX).join('')}…` : line;
}
