import { z } from 'zod';
import type { Store } from '#engine';
import { isoTime, isoTimeOrNull } from '../../platform/index.ts';
import { type AgentEntry, agentSubject, agentTypes, slugsOf } from '../records/index.ts';
import { agentUseRecords } from './agent-use.ts';

const texts = z.array(z.string());
const optional = z.string().nullable();
const credential = z.strictObject({
  issuer: z.string(),
  subject: z.string(),
  audience: z.string(),
  jwksUri: z.string(),
});

/** An agent as both families show it. */
export const agentSchema = z.strictObject({
  id: z.string().describe('Also the `client_id` with which it asks for tokens'),
  name: z.string(),
  description: optional,
  type: z.enum(agentTypes),
  roles: texts.describe('Slugs of the roles that it has by itself'),
  permissions: texts.describe('Slugs of the permissions that it has by themselves'),
  isActive: z.boolean(),
  allowedIps: texts.nullable().describe('From where its key and tokens are accepted; null: from everywhere'),
  ownerId: optional.describe('The user who answers for it'),
  subject: z.string().describe('As the engine knows it: `agent:{id}`'),
  tail: z.string().describe('The last four characters of its key'),
  jwks: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).nullable(),
  jwksUri: optional,
  federatedCredentials: z.array(credential),
  createdAt: z.string(),
  createdBy: z.string(),
  updatedAt: z.string(),
  keyRotatedAt: optional,
  lastUsedAt: optional,
});

export const agentWithKeySchema = agentSchema.extend({ apiKey: z.string().describe('Shown only once') });

/** To be called inside a snapshot. */
export function agentView(store: Store, { id, document }: AgentEntry): z.output<typeof agentSchema> {
  const subject = agentSubject(id);
  const { jwks, federatedCredentials = [] } = document;
  return {
    id,
    name: document.name,
    description: document.description ?? null,
    type: document.type,
    roles: slugsOf(store, subject, 'role'),
    permissions: slugsOf(store, subject, 'permission'),
    isActive: document.isActive,
    allowedIps: document.allowedIps === undefined ? null : [...document.allowedIps],
    ownerId: document.ownerId ?? null,
    subject,
    tail: document.tail,
    jwks: jwks === undefined ? null : { keys: jwks.keys.map((key) => ({ ...key })) },
    jwksUri: document.jwksUri ?? null,
    federatedCredentials: federatedCredentials.map((each) => ({ ...each })),
    createdAt: isoTime(document.createdAt),
    createdBy: document.createdBy,
    updatedAt: isoTime(document.updatedAt),
    keyRotatedAt: isoTimeOrNull(document.rotatedAt),
    lastUsedAt: isoTimeOrNull(agentUseRecords.get(store, id)?.document.lastUsedAt),
  };
}
