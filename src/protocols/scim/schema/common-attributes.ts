import { type Attribute, attribute, complexAttribute } from './resource-type.ts';

const readOnly = { mutability: 'readOnly' } as const;

/** Every resource has it, too; clients look for it among the attributes of a schema before they send it. */
export const externalId = attribute('externalId', 'The identifier that the client gave to the resource.', {
  caseExact: true,
});

/** What every resource has, in no schema of its own (RFC 7643, 3 and 3.1). */
export const commonAttributes: readonly Attribute[] = [
  attribute('schemas', 'URNs of the schemas that the resource has attributes of.', {
    type: 'reference',
    referenceTypes: ['uri'],
    multiValued: true,
    required: true,
    returned: 'always',
  }),
  attribute('id', 'The identifier that the service gave to the resource.', {
    ...readOnly,
    caseExact: true,
    returned: 'always',
    uniqueness: 'server',
  }),
  complexAttribute(
    'meta',
    'What the service knows about the resource.',
    [
      attribute('resourceType', 'The name of the type of the resource.', { ...readOnly, caseExact: true }),
      attribute('created', 'When the resource was made.', { ...readOnly, type: 'dateTime' }),
      attribute('lastModified', 'When the resource was changed last.', { ...readOnly, type: 'dateTime' }),
      attribute('location', 'The address of the resource.', {
        ...readOnly,
        type: 'reference',
        referenceTypes: ['uri'],
      }),
      attribute('version', 'The version of the resource, as in its ETag.', { ...readOnly, caseExact: true }),
    ],
    readOnly,
  ),
];
