import { barbara, core, enterprise, guides } from '../../people.ts';
import type { Sent } from '../patching.ts';

const [work, home] = barbara.emails as readonly [object, object];
const [b1, g2] = guides.members as readonly [object, object];
const job = barbara[enterprise] as object;
const { manager: _, ...unled } = job as { readonly manager: object };

/** What real clients send, and what it changes. */
type Case = readonly [name: string, resource: 'user' | 'group', operations: readonly Sent[], changes: object];

export const taken: readonly Case[] = [
  ['"False" for a boolean', 'user', [{ op: 'replace', path: 'active', value: 'False' }], { active: false }],
  [
    '"True" for a boolean in a value',
    'user',
    [{ op: 'add', path: 'roles', value: [{ value: 'x', primary: 'True' }] }],
    { roles: [{ value: 'guide' }, { value: 'lead', primary: false }, { value: 'x', primary: true }] },
  ],
  [
    '"True" in a filter',
    'user',
    [{ op: 'replace', path: 'roles[primary eq "True"].value', value: 'x' }],
    { roles: [{ value: 'guide' }, { value: 'x', primary: true }] },
  ],
  ['Add', 'user', [{ op: 'Add', path: 'nickName', value: 'B' }], { nickName: 'B' }],
  ['Replace', 'user', [{ op: 'Replace', path: 'title', value: 'B' }], { title: 'B' }],
  ['Remove', 'user', [{ op: 'Remove', path: 'title' }], { title: undefined }],
  [
    'names of attributes in any case',
    'user',
    [
      { op: 'add', path: 'NAME.MiddleName', value: 'Q' },
      { op: 'add', value: { NICKNAME: 'B' } },
    ],
    { name: { ...(barbara.name as object), middleName: 'Q' }, nickName: 'B' },
  ],
  [
    'dotted names without a path',
    'user',
    [{ op: 'replace', value: { 'name.givenName': 'B', 'name.familyName': 'J' } }],
    { name: { ...(barbara.name as object), givenName: 'B', familyName: 'J' } },
  ],
  [
    'names with a URN without a path',
    'user',
    [{ op: 'replace', value: { [`${enterprise}:employeeNumber`]: '7', [`${core}:title`]: 'B' } }],
    { [enterprise]: { ...job, employeeNumber: '7' }, title: 'B' },
  ],
  [
    'a manager by a name with a URN',
    'user',
    [{ op: 'add', value: { [`${enterprise}:manager.value`]: 'J1' } }],
    { [enterprise]: { ...job, manager: { value: 'J1' } } },
  ],
  [
    'paths with a filter as names',
    'user',
    [{ op: 'add', value: { 'emails[type eq "work"].value': 'b@x.example' } }],
    { emails: [{ ...work, value: 'b@x.example' }, home] },
  ],
  [
    'an email address that is not there',
    'user',
    [{ op: 'add', path: 'emails[type eq "other"].value', value: 'o@x.example' }],
    { emails: [work, home, { type: 'other', value: 'o@x.example' }] },
  ],
  [
    'an email address to replace that is not there',
    'user',
    [{ op: 'replace', path: 'emails[type eq "other"].value', value: 'o@x.example' }],
    { emails: [work, home, { type: 'other', value: 'o@x.example' }] },
  ],
  [
    'a telephone number where there is none',
    'user',
    [{ op: 'replace', path: 'phoneNumbers[type eq "mobile"].value', value: '+41 1' }],
    { phoneNumbers: [{ type: 'mobile', value: '+41 1' }] },
  ],
  [
    'parts of an address that is not there, one by one',
    'user',
    [
      { op: 'add', path: 'addresses[type eq "home"].country', value: 'CH' },
      { op: 'add', path: 'addresses[type eq "home"].locality', value: 'Bern' },
    ],
    { addresses: [...(barbara.addresses as object[]), { type: 'home', country: 'CH', locality: 'Bern' }] },
  ],
  [
    'a value by two conditions that is not there',
    'user',
    [{ op: 'replace', path: 'ims[type eq "xmpp" and primary eq true].value', value: 'x' }],
    { ims: [{ type: 'xmpp', primary: true, value: 'x' }] },
  ],
  [
    'that a new value is primary, before its value',
    'user',
    [
      { op: 'add', path: 'ims[type eq "xmpp"].primary', value: 'True' },
      { op: 'add', path: 'ims[type eq "xmpp"].value', value: 'x' },
    ],
    { ims: [{ type: 'xmpp', primary: true, value: 'x' }] },
  ],
  [
    'a sub-attribute of a list without values',
    'user',
    [{ op: 'add', path: 'phoneNumbers.value', value: '1' }],
    { phoneNumbers: [{ value: '1' }] },
  ],
  [
    'members to remove in a list',
    'group',
    [{ op: 'remove', path: 'members', value: [{ value: 'b1' }, { value: 'x' }] }],
    { members: [g2] },
  ],
  [
    'one member to remove',
    'group',
    [{ op: 'Remove', path: 'members', value: { value: 'b1', $ref: null } }],
    { members: [g2] },
  ],
  ['an empty list of members to remove', 'group', [{ op: 'remove', path: 'members', value: [] }], {}],
  [
    'null for members to remove, which is all',
    'group',
    [{ op: 'remove', path: 'members', value: null }],
    { members: undefined },
  ],
  [
    'email addresses to remove in a list',
    'user',
    [{ op: 'remove', path: 'emails', value: [{ value: 'BABS@home.example' }] }],
    { emails: [work] },
  ],
  [
    'email addresses to remove of another type',
    'user',
    [{ op: 'remove', path: 'emails', value: [{ value: 'babs@home.example', type: 'work' }] }],
    {},
  ],
  [
    'addresses to remove in a list',
    'user',
    [{ op: 'remove', path: 'addresses', value: [{ country: 'US', type: 'work' }] }],
    { addresses: undefined },
  ],
  [
    'addresses to remove that are others',
    'user',
    [{ op: 'remove', path: 'addresses', value: [{ country: 'CH' }] }],
    {},
  ],
  [
    'members as bare texts',
    'group',
    [{ op: 'add', path: 'members', value: ['j1', 'x'] }],
    { members: [b1, g2, { value: 'j1' }, { value: 'x' }] },
  ],
  [
    'a member as a bare text',
    'group',
    [{ op: 'add', path: 'members', value: 'j1' }],
    { members: [b1, g2, { value: 'j1' }] },
  ],
  [
    'null for the address of a member',
    'group',
    [{ op: 'add', path: 'members', value: [{ value: 'j1', $ref: null }] }],
    { members: [b1, g2, { value: 'j1' }] },
  ],
  ['"" to empty an attribute', 'user', [{ op: 'replace', path: 'title', value: '' }], { title: undefined }],
  ['null to empty an attribute', 'user', [{ op: 'replace', path: 'title', value: null }], { title: undefined }],
  [
    '"" and then null',
    'user',
    [
      { op: 'replace', path: 'title', value: '' },
      { op: 'replace', path: 'title', value: null },
    ],
    { title: undefined },
  ],
  ['null to add', 'user', [{ op: 'add', path: 'title', value: null }], { title: undefined }],
  [
    'null for a sub-attribute',
    'user',
    [{ op: 'replace', path: 'name', value: { formatted: null, givenName: 'B' } }],
    { name: { familyName: 'Jensen', givenName: 'B' } },
  ],
  [
    '"" for a chosen value, which is then gone',
    'user',
    [
      { op: 'replace', path: 'addresses[type eq "work"].locality', value: '' },
      { op: 'replace', path: 'addresses[type eq "work"].country', value: null },
      { op: 'replace', path: 'addresses[type eq "work"].formatted', value: '' },
    ],
    { addresses: undefined },
  ],
  [
    '"" for the value that is primary, which is then gone',
    'user',
    [{ op: 'replace', path: 'emails[primary eq true].value', value: '' }],
    { emails: [home] },
  ],
  ['null for all values', 'user', [{ op: 'replace', path: 'roles', value: null }], { roles: undefined }],
  [
    'null for an extension without a path',
    'user',
    [{ op: 'replace', value: { [enterprise]: null } }],
    { [enterprise]: undefined, schemas: [core] },
  ],
  [
    'null for an extension by its URN',
    'user',
    [{ op: 'replace', path: enterprise, value: null }],
    { [enterprise]: undefined, schemas: [core] },
  ],
  ['null added to an extension', 'user', [{ op: 'add', value: { [enterprise]: null } }], {}],
  ['no value to replace', 'user', [{ op: 'replace', path: 'title' }], { title: undefined }],
  [
    'a manager replaced by nothing',
    'user',
    [{ op: 'replace', path: `${enterprise}:manager` }],
    { [enterprise]: unled },
  ],
  [
    'a manager replaced by ""',
    'user',
    [{ op: 'Replace', path: `${enterprise}:manager`, value: '' }],
    { [enterprise]: unled },
  ],
  [
    'a manager replaced by {}',
    'user',
    [{ op: 'replace', path: `${enterprise}:manager`, value: {} }],
    { [enterprise]: unled },
  ],
  [
    'a manager replaced by null',
    'user',
    [{ op: 'replace', path: `${enterprise}:manager`, value: { value: null } }],
    { [enterprise]: unled },
  ],
  [
    'a manager replaced by an empty id',
    'user',
    [{ op: 'replace', value: { [enterprise]: { manager: { value: '' } } } }],
    { [enterprise]: unled },
  ],
  ['nothing added to the manager', 'user', [{ op: 'add', path: `${enterprise}:manager`, value: {} }], {}],
  [
    'a manager as a bare text',
    'user',
    [{ op: 'Add', path: `${enterprise}:manager`, value: 'J1' }],
    { [enterprise]: { ...job, manager: { value: 'J1' } } },
  ],
  [
    'the name of the manager beside the id',
    'user',
    [{ op: 'replace', path: `${enterprise}:manager`, value: { value: 'K1', displayName: 'Other' } }],
    {},
  ],
  ['the id of the user itself', 'user', [{ op: 'replace', value: { id: 'b1', title: 'B' } }], { title: 'B' }],
  [
    'the id of the group itself',
    'group',
    [{ op: 'replace', value: { id: 'g1', displayName: 'G' } }],
    { displayName: 'G' },
  ],
  [
    'what is readOnly, as it is',
    'user',
    [{ op: 'replace', value: { meta: barbara.meta, groups: barbara.groups, id: 'b1' } }],
    {},
  ],
  ['nothing for what is readOnly', 'user', [{ op: 'replace', value: { groups: [], meta: null } }], {}],
  ['schemas', 'user', [{ op: 'add', value: { schemas: [core, enterprise], title: 'B' } }], { title: 'B' }],
  [
    'values in a filter without quotation marks',
    'user',
    [{ op: 'replace', path: 'emails[type eq work].display', value: 'x' }],
    { emails: [{ ...work, display: 'x' }, home] },
  ],
  [
    'unknown attributes without a path',
    'user',
    [{ op: 'replace', value: { nothing: 'x', 'urn:nothing:x': 1, title: 'B' } }],
    { title: 'B' },
  ],
  [
    'unknown sub-attributes',
    'user',
    [{ op: 'add', path: 'emails[type eq "home"]', value: { nothing: 'x', display: 'y' } }],
    { emails: [work, { ...home, display: 'y' }] },
  ],
  ['nothing in the place of a path', 'user', [{ op: 'replace', path: null, value: { title: 'B' } }], { title: 'B' }],
];
