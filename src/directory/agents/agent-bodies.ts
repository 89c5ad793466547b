import { z } from 'zod';
import {
  changedOptional,
  descriptionSchema,
  idSchema,
  nameSchema,
  permissionReferences,
  referencesSchema,
  writableBody,
} from '../../kernel/transactions/index.ts';
import { parseRange } from '../../platform/index.ts';
import { type AgentRecord, agentTypes, keySchemas } from '../records/index.ts';

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
