import type { Store } from '#engine';
import { digestOf } from '../../../platform/index.ts';
import { agentRecords, findPermission, getUser, type TaskEntry, type TaskRecord } from '../../records/index.ts';
import { isLent, type TaskStatus, taskStatus } from './standing-tasks.ts';

/** A scope as it is shown to whoever decides. */
export interface AskedScope {
  readonly slug: string;
  readonly name?: string;
  readonly description?: string;
  /** Why the agent needs it, in the agent's words. */
  readonly justification?: string;
}

/** A task as it is shown to people. Times are in milliseconds. */
export interface TaskView {
  readonly id: string;
  readonly agent: {
    readonly id: string;
    /** The id, where the agent is gone. */
    readonly name: string;
    readonly type?: string;
    readonly ownerName?: string;
  };
  /** What the agent wants to do, in its own words. */
  readonly description: string;
  readonly scopes: readonly AskedScope[];
  /** Objects (`type:id`); absent: all. */
  readonly resources?: readonly string[];
  readonly seconds: number;
  readonly status: TaskStatus;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly approverId?: string;
  readonly decided?: TaskRecord['decided'];
  readonly grant?: TaskRecord['grant'];
  readonly ended?: TaskRecord['ended'];
  /** Whether what was lent counts now. */
  readonly isActive: boolean;
  /** Of what is shown to whoever decides: an answer to something else is refused. */
  readonly digest: string;
}

/** To be called inside `Engine.read`. */
export function taskView(store: Store, entry: TaskEntry, now: number): TaskView {
  const { id, document } = entry;
  const { description, resources, seconds, createdAt, expiresAt, approverId, decided, grant, ended } = document;
  const shown = {
    id,
    agent: agentOf(store, document.agentId),
    description,
    scopes: document.scopes.map((slug) => scopeOf(store, slug, document)),
    ...(resources === undefined ? {} : { resources }),
    seconds,
  };
  return {
    ...shown,
    status: taskStatus(entry, now),
    createdAt,
    expiresAt,
    ...(approverId === undefined ? {} : { approverId }),
    ...(decided === undefined ? {} : { decided }),
    ...(grant === undefined ? {} : { grant }),
    ...(ended === undefined ? {} : { ended }),
    isActive: isLent(store, document, now),
    digest: digestOf(JSON.stringify(shown)),
  };
}

function agentOf(store: Store, id: string): TaskView['agent'] {
  const agent = agentRecords.get(store, id)?.document;
  if (agent === undefined) return { id, name: id };
  const owner = agent.ownerId === undefined ? undefined : getUser(store, agent.ownerId)?.document;
  const ownerName = owner && (owner.name ?? owner.email);
  return { id, name: agent.name, type: agent.type, ...(ownerName === undefined ? {} : { ownerName }) };
}

function scopeOf(store: Store, slug: string, { justifications }: TaskRecord): AskedScope {
  const { name, description } = findPermission(store, slug)?.document ?? {};
  const justification = justifications.find(({ scope }) => scope === slug)?.text;
  return {
    slug,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(justification === undefined ? {} : { justification }),
  };
}
