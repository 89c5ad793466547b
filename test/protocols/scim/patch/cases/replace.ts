import { enterprise } from '../../people.ts';
import { type Case, home, job, names, office, other, work } from './values.ts';

export const replace: readonly Case[] = [
  ['a single value', [{ op: 'replace', path: 'title', value: 'Boss' }], { title: 'Boss' }],
  ['a missing value, which adds it', [{ op: 'replace', path: 'nickName', value: 'B' }], { nickName: 'B' }],
  ['a value by itself', [{ op: 'replace', path: 'userName', value: 'bjensen' }], {}],
  [
    'a sub-attribute',
    [{ op: 'replace', path: 'name.familyName', value: 'J' }],
    { name: { ...names, familyName: 'J' } },
  ],
  [
    'some sub-attributes, and leaves the others',
    [{ op: 'replace', path: 'name', value: { familyName: 'J' } }],
    { name: { ...names, familyName: 'J' } },
  ],
  ['all values', [{ op: 'replace', path: 'emails', value: [other] }], { emails: [other] }],
  ['all values by one without a list', [{ op: 'replace', path: 'emails', value: other }], { emails: [other] }],
  [
    'all values by one that is there twice',
    [{ op: 'replace', path: 'emails', value: [other, other] }],
    { emails: [other] },
  ],
  [
    'missing values',
    [{ op: 'replace', path: 'phoneNumbers', value: [{ value: '1' }] }],
    { phoneNumbers: [{ value: '1' }] },
  ],
  [
    'a chosen value, wholly',
    [{ op: 'replace', path: 'emails[type eq "home"]', value: other }],
    { emails: [work, other] },
  ],
  [
    'every chosen value',
    [{ op: 'replace', path: 'emails[value pr].display', value: 'x' }],
    {
      emails: [
        { ...work, display: 'x' },
        { ...home, display: 'x' },
      ],
    },
  ],
  [
    'a sub-attribute of a chosen value',
    [{ op: 'replace', path: 'addresses[type eq "work"].locality', value: 'LA' }],
    { addresses: [{ ...office, locality: 'LA' }] },
  ],
  [
    'a sub-attribute of values that several conditions choose',
    [{ op: 'replace', path: 'emails[type eq "work" and value ew "example.com"].value', value: 'b@example.com' }],
    { emails: [{ ...work, value: 'b@example.com' }, home] },
  ],
  [
    'a sub-attribute of every value',
    [{ op: 'replace', path: 'emails.display', value: 'x' }],
    {
      emails: [
        { ...work, display: 'x' },
        { ...home, display: 'x' },
      ],
    },
  ],
  [
    'which value is primary',
    [{ op: 'replace', path: 'emails[type eq "home"].primary', value: true }],
    {
      emails: [
        { ...work, primary: false },
        { ...home, primary: true },
      ],
    },
  ],
  [
    'that a value is primary',
    [{ op: 'replace', path: 'emails[type eq "work"].primary', value: false }],
    { emails: [{ ...work, primary: false }, home] },
  ],
  [
    'several attributes without a path',
    [{ op: 'replace', value: { title: 'Boss', active: false } }],
    { title: 'Boss', active: false },
  ],
  [
    'lists without a path',
    [{ op: 'replace', value: { emails: [other], roles: [{ value: 'x' }] } }],
    { emails: [other], roles: [{ value: 'x' }] },
  ],
  [
    'an attribute of an extension',
    [{ op: 'replace', path: `${enterprise}:department`, value: 'X' }],
    { [enterprise]: { ...job, department: 'X' } },
  ],
  [
    'the manager',
    [{ op: 'replace', path: `${enterprise}:manager`, value: { value: 'J1', $ref: '../Users/J1' } }],
    { [enterprise]: { ...job, manager: { value: 'J1', $ref: '../Users/J1' } } },
  ],
  [
    'the manager, whatever comes first',
    [{ op: 'replace', path: `${enterprise}:manager`, value: { $ref: '../Users/J1', value: 'J1' } }],
    { [enterprise]: { ...job, manager: { value: 'J1', $ref: '../Users/J1' } } },
  ],
  [
    'an attribute, and then another',
    [
      { op: 'replace', path: 'title', value: 'A' },
      { op: 'replace', path: 'title', value: 'B' },
    ],
    { title: 'B' },
  ],
  [
    'what the operation before has made',
    [
      { op: 'add', path: 'ims', value: [{ value: 'a', type: 'xmpp' }] },
      { op: 'replace', path: 'ims[type eq "xmpp"].value', value: 'b' },
    ],
    { ims: [{ value: 'b', type: 'xmpp' }] },
  ],
];
