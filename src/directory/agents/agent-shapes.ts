import { z } from 'zod';
import type { Store } from '#engine';
import { lastUseSchema } from '../../kernel/commits/index.ts';
import { defineRecord } from '../../kernel/records/index.ts';
import {
  changedOptional,
  descriptionSchema,
  idSchema,
  nameSchema,
  permissionReferences,
  referencesSchema,
  writableBody,
} from '../../kernel/transactions/index.ts';
import { isoTime, isoTimeOrNull, parseRange } from '../../platform/index.ts';
import { type AgentEntry, type AgentRecord, agentSubject, agentTypes, keySchemas, slugsOf } from '../records/index.ts';

const NETWORKS_MAX = 100;
const NETWORK_LENGTH_MAX = 64;

const network = z
  .string()
  .max(NETWORK_LENGTH_MAX)
  .refine((text) => /^[\da-f:./]+$/i.test(text) && parseRange(text) !== undefined, {
    message: 'must be an IP address or a network such as 192.0.2.0/24 or 2001:db8::/32',
  });

const RIGHTS_MAX = 100;

const shared = {
  description: descriptionSchema.nullable().optional(),
  roles: referencesSchema(RIGHTS_MAX).describe('Ids or slugs').optional(),
  permissions: permissionReferences(RIGHTS_MAX).describe('Numbers or slugs').optional(),
  allowedIps: z
    .array(network)
    .min(1)
    .max(NETWORKS_MAX)
    .nullable()
    .describe('From where its key and tokens are accepted; null: from everywhere')
    .optional(),
  ownerId: idSchema.nullable().describe('A user who answers for it: id, number or email address').optional(),
  isActive: z.boolean().optional(),
  jwks: keySchemas.jwks.nullable().describe('Public keys by which it can ask for tokens (RFC 7523)').optional(),
  jwksUri: keySchemas.jwksUri.nullable().describe('Where those are, instead').optional(),
  federatedCredentials: keySchemas.federatedCredentials
    .describe('Workloads of other issuers that are this agent: it asks for tokens by their assertions (RFC 7523)')
    .optional(),
};

const type = z.enum(agentTypes);

export const newAgentBody = z.strictObject({ name: nameSchema, type: type.default('service'), ...shared });

export const changedAgentBody = writableBody({ name: nameSchema.optional(), type: type.optional(), ...shared }, [
  'id',
  'subject',
  'tail',
  'createdAt',
  'updatedAt',
  'createdBy',
  'keyRotatedAt',
  'lastUsedAt',
]);

export type NewAgent = z.output<typeof newAgentBody>;
export type AgentChanges = z.output<typeof changedAgentBody>;

type Written = Omit<AgentRecord, 'digest' | 'tail' | 'createdAt' | 'updatedAt' | 'createdBy' | 'rotatedAt'>;

/** What is not said stays as it is; null takes what is optional away. */
export function writtenFields(before: Written, said: AgentChanges): Written {
  const { name, type: kind, isActive, federatedCredentials = before.federatedCredentials } = said;
  return {
    name: name ?? before.name,
    type: kind ?? before.type,
    isActive: isActive ?? before.isActive,
    ...changedOptional(before, said, ['description', 'ownerId', 'allowedIps', 'jwks', 'jwksUri']),
    ...(federatedCredentials === undefined ? {} : { federatedCredentials }),
  };
}

/** When agents were last used, by key or to get a token, each with the agent's id. */
export const agentUseRecords = defineRecord({
  collection: 'agent_uses',
  holds: 'when an agent was last used',
  schema: lastUseSchema,
  tellsOfUse: true,
});

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
