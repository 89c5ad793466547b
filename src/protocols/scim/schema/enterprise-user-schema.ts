import { attribute, complexAttribute, type SchemaDescription } from './attribute.ts';

/** RFC 7643, 4.3 and 8.7.1. */
export const enterpriseUserSchema: SchemaDescription = {
  id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'EnterpriseUser',
  description: 'What an employer knows about a user',
  attributes: [
    attribute('employeeNumber', 'The number of the user in the organization.'),
    attribute('costCenter', 'The cost center.'),
    attribute('organization', 'The organization.'),
    attribute('division', 'The division.'),
    attribute('department', 'The department.'),
    complexAttribute('manager', 'The manager of the user, who is another user.', [
      attribute('value', 'The id of the manager.', { caseExact: true }),
      attribute('$ref', 'The address of the manager.', { type: 'reference', referenceTypes: ['User'] }),
      attribute('displayName', 'The name of the manager.', { mutability: 'readOnly' }),
    ]),
  ],
};
