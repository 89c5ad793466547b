import { groupSchema } from './group-schema.ts';
import type { ResourceType } from './resource-type.ts';

export const groupType: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  description: 'The groups of the organization',
  schema: groupSchema,
  extensions: [],
  // Entra ID puts it on every group
  toleratedSchemas: ['http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
};
