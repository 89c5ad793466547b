import { enterpriseUserSchema } from './enterprise-user-schema.ts';
import type { ResourceType } from './resource-type.ts';
import { userSchema } from './user-schema.ts';

export const userType: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  description: 'The users of the organization',
  schema: userSchema,
  extensions: [enterpriseUserSchema],
  toleratedSchemas: [],
};
