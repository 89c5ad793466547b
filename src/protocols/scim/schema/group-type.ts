import { externalId } from './common-attributes.ts';
import { attribute, complexAttribute, type ResourceType, type SchemaDescription } from './resource-type.ts';

const immutable = { mutability: 'immutable' } as const;

const members = complexAttribute(
  'members',
  'The users in the group.',
  [
    attribute('value', 'The id of the member.', { ...immutable, caseExact: true, required: true }),
    attribute('$ref', 'The address of the member.', {
      ...immutable,
      type: 'reference',
      referenceTypes: ['User'],
    }),
    attribute('display', 'The name of the member.', { mutability: 'readOnly' }),
    attribute('type', 'What the member is.', { ...immutable, canonicalValues: ['User'] }),
  ],
  { multiValued: true },
);

/** RFC 7643, 4.2 and 8.7.1. The name is unique, as the identifier of the group derives from it. */
export const groupSchema: SchemaDescription = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'Users under one name',
  attributes: [
    externalId,
    attribute('displayName', 'The name of the group.', { required: true, uniqueness: 'server' }),
    members,
  ],
};

export const groupType: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  description: 'The groups of the organization',
  schema: groupSchema,
  extensions: [],
  // Entra ID puts it on every group
  toleratedSchemas: ['http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
};
