import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import type { ActorKind } from '../../../kernel/actors/index.ts';
import { type DocumentOf, defineRecord, type Keys } from '../../../kernel/records/index.ts';
import { createApiKey, digestOf } from '../../../platform/index.ts';
import { storedKeys } from './own-keys.ts';

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
export function findAgent(store: Store, key: string): AgentEntry | undefined {
  return agentRecords.byUnique(store, 'digest', digestOf(key));
}

export const agentActor = { type: 'agent', managedBy: 'agents.manage' } as const satisfies ActorKind;
