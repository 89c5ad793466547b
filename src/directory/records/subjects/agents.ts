import { z } from 'zod';
import { BoundedMap, type RecordEntry } from '#engine';
import { type Problem, problem } from '../../../http/index.ts';
import type { ActorKind } from '../../../kernel/actors/index.ts';
import type { StoreChanges } from '../../../kernel/commits/index.ts';
import { type DocumentOf, defineRecord, type Keys } from '../../../kernel/records/index.ts';
import { type AddressList, addressList, createApiKey, digestOf } from '../../../platform/index.ts';
import { storedKeys } from './own-keys.ts';

/** Of one organization. */
export const AGENTS_MAX = 1000;

export const agentTypes = ['ai_assistant', 'service', 'bot', 'integration'] as const;

/**
 * Programs that act by themselves or for people: never their keys. A record's id is the A of the engine subject
 * `agent:A`, and the `client_id` with which it asks for tokens. Roles and permissions are tuples. Times are in milliseconds.
 */
export const agentRecords = defineRecord({
  collection: 'agents',
  holds: 'a program that acts by itself or for people: the digest of its key, never the key',
  schema: z.strictObject({
    name: z.string(),
    type: z.enum(agentTypes),
    description: z.string().exactOptional(),
    /** One that is not active counts in no decision: the engine is told with `suspend_subject` in the same commit. */
    isActive: z.boolean(),
    /** A user who answers for it. */
    ownerId: z.string().exactOptional(),
    /** Networks (CIDR) from which its key and its tokens are accepted; absent: from everywhere. */
    allowedIps: z.array(z.string()).readonly().exactOptional(),
    /** By which it can ask for tokens beside its key. */
    ...storedKeys,
    /** SHA-256 of the key. */
    digest: z.string(),
    /** The last four characters of the key, so that people recognise it. */
    tail: z.string(),
    createdAt: z.number(),
    updatedAt: z.number(),
    /** Engine subject of the creator; `platform` for the super administrator. */
    createdBy: z.string(),
    rotatedAt: z.number().exactOptional(),
  }),
  unique: ({ digest }) => ({ digest }),
  indexes: ({ ownerId }): Keys => (ownerId === undefined ? {} : { owner: ownerId }),
  exported: ({ digest: _, ...rest }) => rest,
});

export type AgentRecord = DocumentOf<typeof agentRecords>;
export type AgentEntry = RecordEntry<AgentRecord>;

export function agentSubject(id: string): string {
  return `agent:${id}`;
}

/** A new key, to be shown once, and what is kept of it. */
export function mintAgentKey(): { readonly key: string; readonly kept: Pick<AgentRecord, 'digest' | 'tail'> } {
  const key = createApiKey('agent');
  return { key, kept: { digest: digestOf(key), tail: key.slice(-4) } };
}

/** The agent with this key, whether or not it is active. Only digests are compared, by the index. */
/** Networks (CIDR) of agents that this thread has parsed, by their texts. */
const NETWORKS_MAX = 10_000;
const knownNetworks = new BoundedMap<string, AddressList>(NETWORKS_MAX);

/** From where the key and the tokens of an agent are accepted; `undefined`: from everywhere. An unknown address never is. */
export function networksOf({ allowedIps }: Pick<AgentRecord, 'allowedIps'>): AddressList | undefined {
  if (allowedIps === undefined) return undefined;
  const text = allowedIps.join(' ');
  const known = knownNetworks.get(text);
  if (known !== undefined) return known;
  const networks = addressList(allowedIps);
  knownNetworks.set(text, networks);
  return networks;
}

/** A user who is deleted answers for no agent any more. To be put into the command that deletes the user. */
export function disownAgents(changes: StoreChanges, userId: string, now: number): void {
  const { store } = changes;
  const ids = agentRecords.index(store).ids('owner', userId, { limit: AGENTS_MAX });
  for (const entry of agentRecords.found(store, ids)) {
    const { ownerId: _, ...document } = entry.document;
    changes.rely(agentRecords, entry);
    changes.put(agentRecords, entry.id, { ...document, updatedAt: now });
  }
}

/** Whether an agent may be used from an address; `''` is one that is unknown. */
export function isAdmitted(agent: Pick<AgentRecord, 'allowedIps'>, address: string): boolean {
  return networksOf(agent)?.has(address) ?? true;
}

/** Names no network: whoever has found a key learns nothing by it. */
export function notAdmitted(): Problem {
  return problem('forbidden', 'The agent is not allowed to connect from this address.');
}

export const agentActor = {
  type: 'agent',
  collection: agentRecords.collection,
  auditedAs: 'agent',
  managedBy: 'agents.manage',
  nameOf: (store, id) => agentRecords.get(store, id)?.document.name,
} as const satisfies ActorKind;
