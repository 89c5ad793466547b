import { core, enterprise } from '../people.ts';

/** What is sent beside the least of a user, and what it is read as. */
export const taken: readonly (readonly [name: string, sent: object, read: object])[] = [
  [
    'every simple attribute',
    {
      externalId: 'x',
      nickName: 'n',
      profileUrl: 'https://a.example/x',
      title: 't',
      userType: 'u',
      preferredLanguage: 'de, en;q=0.5',
      locale: 'de-CH',
      timezone: 'Europe/Zurich',
      active: true,
      password: 'p',
      displayName: 'd',
    },
    {
      externalId: 'x',
      nickName: 'n',
      profileUrl: 'https://a.example/x',
      title: 't',
      userType: 'u',
      preferredLanguage: 'de, en;q=0.5',
      locale: 'de-CH',
      timezone: 'Europe/Zurich',
      active: true,
      password: 'p',
      displayName: 'd',
    },
  ],
  [
    'every attribute with values',
    {
      phoneNumbers: [{ value: '1', type: 'mobile' }],
      ims: [{ value: 'i' }],
      photos: [{ value: '/p.png', type: 'thumbnail' }],
      entitlements: [{ value: 'e' }],
      roles: [{ value: 'r', display: 'R', primary: true }],
      x509Certificates: [{ value: 'AAAA' }],
      addresses: [{ country: 'CH', formatted: 'a\nb' }],
    },
    {
      phoneNumbers: [{ value: '1', type: 'mobile' }],
      ims: [{ value: 'i' }],
      photos: [{ value: '/p.png', type: 'thumbnail' }],
      entitlements: [{ value: 'e' }],
      roles: [{ value: 'r', display: 'R', primary: true }],
      x509Certificates: [{ value: 'AAAA' }],
      addresses: [{ country: 'CH', formatted: 'a\nb' }],
    },
  ],
  [
    'an extension, and names its schema',
    { [enterprise]: { employeeNumber: '1', manager: { value: 'm', $ref: '../Users/m' } } },
    { schemas: [core, enterprise], [enterprise]: { employeeNumber: '1', manager: { value: 'm', $ref: '../Users/m' } } },
  ],
  ['the schema of an extension without attributes, which is not named', { schemas: [core, enterprise] }, {}],
  ['schemas in any case', { schemas: [core.toUpperCase()] }, {}],
  ['schemas that are not known', { schemas: [core, 'urn:nothing'] }, {}],
  ['names in any case', { NICKNAME: 'n' }, { nickName: 'n' }],
  ['sub-attributes in any case', { name: { GIVENNAME: 'X' } }, { name: { givenName: 'X' } }],
  [
    'a URN in any case',
    { [enterprise.toUpperCase()]: { DEPARTMENT: 'D' } },
    { schemas: [core, enterprise], [enterprise]: { department: 'D' } },
  ],
  [
    '"True" and "False"',
    { active: 'False', emails: [{ value: 'b@example.com', primary: 'True' }] },
    { active: false, emails: [{ value: 'b@example.com', primary: true }] },
  ],
  [
    'null, "" and [] as nothing',
    {
      title: null,
      nickName: '',
      ims: [],
      photos: [null, ''],
      addresses: [{ country: null }],
      [enterprise]: { department: '', manager: null },
    },
    {},
  ],
  [
    'null in a sub-attribute as nothing',
    { name: { givenName: 'B', familyName: null, middleName: '' } },
    { name: { givenName: 'B' } },
  ],
  ['null as an extension', { [enterprise]: null }, {}],
  [
    'readOnly attributes, which are left out',
    {
      id: 'x',
      meta: { created: 'x' },
      groups: [{ value: 'g' }],
      [enterprise]: { manager: { value: 'm', displayName: 'M' } },
    },
    { schemas: [core, enterprise], [enterprise]: { manager: { value: 'm' } } },
  ],
  ['readOnly attributes of any form', { id: 7, meta: 'x', groups: 'y' }, {}],
  [
    'unknown attributes, which are left out',
    { nothing: 1, 'urn:nothing:User': { a: 1 }, members: ['x'], name: { givenName: 'B', nothing: 1 } },
    {},
  ],
  ['unknown attributes of any form', { nothing: { deep: [[[{}]]] }, constructor: 'x', toString: 1 }, {}],
  ['one value without a list', { phoneNumbers: { value: '1' } }, { phoneNumbers: [{ value: '1' }] }],
  [
    'a list of one manager',
    { [enterprise]: { manager: [{ value: 'm' }] } },
    { schemas: [core, enterprise], [enterprise]: { manager: { value: 'm' } } },
  ],
  [
    'bare texts as values',
    { roles: ['a', 'b'], [enterprise]: { manager: 'm' } },
    { schemas: [core, enterprise], roles: [{ value: 'a' }, { value: 'b' }], [enterprise]: { manager: { value: 'm' } } },
  ],
  [
    'a value twice',
    { roles: [{ value: 'a' }, { value: 'A', display: 'x' }] },
    { roles: [{ value: 'A', display: 'x' }] },
  ],
  [
    'the same value for several purposes',
    {
      ims: [
        { value: 'a', type: 'x' },
        { value: 'a', type: 'y' },
      ],
    },
    {
      ims: [
        { value: 'a', type: 'x' },
        { value: 'a', type: 'y' },
      ],
    },
  ],
  [
    'a value that says nothing but its type',
    { ims: [{ type: 'x' }, { type: 'y', primary: true }, { value: 'a' }] },
    { ims: [{ value: 'a' }] },
  ],
  ['texts up to their bound', { title: 'é'.repeat(512) }, { title: 'é'.repeat(512) }],
  [
    'certificates up to their bound',
    { x509Certificates: [{ value: 'A'.repeat(65_536) }] },
    { x509Certificates: [{ value: 'A'.repeat(65_536) }] },
  ],
  ['white space around a text, as it is', { title: ' t ' }, { title: ' t ' }],
];
