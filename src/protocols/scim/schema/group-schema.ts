import { attribute, complexAttribute, type SchemaDescription } from './attribute.ts';

const immutable = { mutability: 'immutable' } as const;

const members = complexAttribute(
  'members',
  'The users and groups in the group.',
  [
    attribute('value', 'The id of the member.', { ...immutable, caseExact: true, required: true }),
    attribute('$ref', 'The address of the member.', {
      ...immutable,
      type: 'reference',
      referenceTypes: ['User', 'Group'],
    }),
    attribute('display', 'The name of the member.', { mutability: 'readOnly' }),
    attribute('type', 'Whether the member is a user or a group.', { ...immutable, canonicalValues: ['User', 'Group'] }),
  ],
  { multiValued: true },
);

/** RFC 7643, 4.2 and 8.7.1. The name is unique, as the identifier of the group derives from it. */
export const groupSchema: SchemaDescription = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'Users and groups under one name',
  attributes: [attribute('displayName', 'The name of the group.', { required: true, uniqueness: 'server' }), members],
};
