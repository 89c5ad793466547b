import { externalId } from './common-attributes.ts';
import {
  attribute,
  complexAttribute,
  multiValued,
  type ResourceType,
  type SchemaDescription,
  typeAndPrimary,
} from './resource-type.ts';

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

const readOnly = { mutability: 'readOnly' } as const;
const workHomeOther = ['work', 'home', 'other'] as const;

const name = complexAttribute(
  'name',
  'The parts of the name.',
  [
    attribute('formatted', 'The whole name, as it is shown.'),
    // clients are asked for both, as most people have both; one is enough for those who have one
    attribute('familyName', 'The family name, or last name.', { required: true }),
    attribute('givenName', 'The given name, or first name.', { required: true }),
    attribute('middleName', 'The middle names.'),
    attribute('honorificPrefix', 'What stands before the name, such as a title.'),
    attribute('honorificSuffix', 'What stands behind the name, such as a generation.'),
  ],
  { required: true },
);

const addresses = complexAttribute(
  'addresses',
  'Postal addresses.',
  [
    attribute('formatted', 'The whole address, as it stands on mail. It may have several lines.'),
    attribute('streetAddress', 'Street, house number and what else leads to the door.'),
    attribute('locality', 'The city.'),
    attribute('region', 'The state or region.'),
    attribute('postalCode', 'The postal code.'),
    attribute('country', 'The country.'),
    ...typeAndPrimary(workHomeOther),
  ],
  { multiValued: true },
);

const groups = complexAttribute(
  'groups',
  'The groups that the user is a member of. They change by the members of groups.',
  [
    attribute('value', 'The id of the group.', { ...readOnly, caseExact: true }),
    attribute('$ref', 'The address of the group.', { ...readOnly, type: 'reference', referenceTypes: ['Group'] }),
    attribute('display', 'The name of the group.', readOnly),
    attribute('type', 'Whether the user is a member itself, or through another group.', {
      ...readOnly,
      canonicalValues: ['direct', 'indirect'],
    }),
  ],
  { ...readOnly, multiValued: true },
);

/** RFC 7643, 4.1 and 8.7.1. Name and email addresses are required here, as for every user of the service. */
export const userSchema: SchemaDescription = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'A person with an account',
  attributes: [
    externalId,
    attribute('userName', 'The name by which the user signs in.', { required: true, uniqueness: 'server' }),
    name,
    attribute('displayName', 'The name that is shown to others.'),
    attribute('nickName', 'What the user is called in everyday life.'),
    attribute('profileUrl', 'The address of a page about the user.', {
      type: 'reference',
      referenceTypes: ['external'],
    }),
    attribute('title', 'The title, such as "Vice President".'),
    attribute('userType', 'The relation to the organization, such as "Employee".'),
    attribute('preferredLanguage', 'The languages that the user reads, as in Accept-Language.'),
    attribute('locale', 'The locale, for dates and numbers, such as "en-US".'),
    attribute('timezone', 'The time zone by its IANA name, such as "Europe/Zurich".'),
    attribute('active', 'Whether the account may be used.', { type: 'boolean' }),
    attribute('password', 'The password. It can be set, and never read.', {
      caseExact: true,
      mutability: 'writeOnly',
      returned: 'never',
    }),
    multiValued('emails', 'Email addresses.', {
      one: 'an email address',
      value: { required: true },
      types: workHomeOther,
      required: true,
    }),
    multiValued('phoneNumbers', 'Telephone numbers.', {
      one: 'a telephone number',
      types: ['work', 'home', 'mobile', 'fax', 'pager', 'other'],
    }),
    multiValued('ims', 'Addresses for instant messages.', {
      one: 'an address for instant messages',
      types: ['aim', 'gtalk', 'icq', 'xmpp', 'msn', 'skype', 'qq', 'yahoo'],
    }),
    multiValued('photos', 'Addresses of pictures of the user.', {
      one: 'the address of a picture',
      value: { type: 'reference', referenceTypes: ['external'], caseExact: true },
      types: ['photo', 'thumbnail'],
    }),
    addresses,
    groups,
    multiValued('entitlements', 'What the user is entitled to, in words of the client.', { one: 'an entitlement' }),
    multiValued('roles', 'What the user is, in words of the client, such as "Student".', { one: 'a role' }),
    multiValued('x509Certificates', 'Certificates of the user.', {
      one: 'a certificate (DER), as base64',
      value: { type: 'binary', caseExact: true },
    }),
  ],
};

export const userType: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  description: 'The users of the organization',
  schema: userSchema,
  extensions: [enterpriseUserSchema],
  toleratedSchemas: [],
};
