import { core, enterprise } from '../../people.ts';
import { type Case, home, job, names, office, other, work } from './values.ts';

export const add: readonly Case[] = [
  ['a missing attribute', [{ op: 'add', path: 'nickName', value: 'B' }], { nickName: 'B' }],
  ['a single value in the place of another', [{ op: 'add', path: 'title', value: 'Boss' }], { title: 'Boss' }],
  ['what is there already', [{ op: 'add', path: 'title', value: 'Tour Guide' }], {}],
  ['a sub-attribute', [{ op: 'add', path: 'name.middleName', value: 'Q' }], { name: { ...names, middleName: 'Q' } }],
  [
    'some sub-attributes',
    [{ op: 'add', path: 'name', value: { givenName: 'Bab', honorificPrefix: 'Ms.' } }],
    { name: { ...names, givenName: 'Bab', honorificPrefix: 'Ms.' } },
  ],
  ['a value', [{ op: 'add', path: 'emails', value: [other] }], { emails: [work, home, other] }],
  ['a value without a list', [{ op: 'add', path: 'emails', value: other }], { emails: [work, home, other] }],
  [
    'two values',
    [{ op: 'add', path: 'phoneNumbers', value: [{ value: '1' }, { value: '2' }] }],
    { phoneNumbers: [{ value: '1' }, { value: '2' }] },
  ],
  ['a value that is there', [{ op: 'add', path: 'emails', value: [home] }], {}],
  [
    'a value that is there, in other letters',
    [{ op: 'add', path: 'emails', value: [{ value: 'BABS@home.example', type: 'Home' }] }],
    { emails: [work, { ...home, value: 'BABS@home.example', type: 'Home' }] },
  ],
  [
    'more of a value that is there',
    [{ op: 'add', path: 'emails', value: [{ value: home.value, type: 'home', display: 'new' }] }],
    { emails: [work, { ...home, display: 'new' }] },
  ],
  ['a value twice', [{ op: 'add', path: 'emails', value: [other, other] }], { emails: [work, home, other] }],
  [
    'the same address for another purpose',
    [{ op: 'add', path: 'emails', value: [{ value: home.value, type: 'other' }] }],
    { emails: [work, home, { value: home.value, type: 'other' }] },
  ],
  [
    'a primary value, and no other is primary any more',
    [{ op: 'add', path: 'emails', value: [{ ...other, primary: true }] }],
    { emails: [{ ...work, primary: false }, home, { ...other, primary: true }] },
  ],
  [
    'two primary values, of which the last is',
    [
      { op: 'add', path: 'ims', value: [{ value: 'a', primary: true }] },
      { op: 'add', path: 'ims', value: [{ value: 'b', primary: true }] },
    ],
    {
      ims: [
        { value: 'a', primary: false },
        { value: 'b', primary: true },
      ],
    },
  ],
  [
    'sub-attributes of chosen values',
    [{ op: 'add', path: 'emails[type eq "home"]', value: { display: 'x', primary: true } }],
    {
      emails: [
        { ...work, primary: false },
        { ...home, display: 'x', primary: true },
      ],
    },
  ],
  [
    'a sub-attribute of a chosen value',
    [{ op: 'add', path: 'emails[type eq "work"].display', value: 'x' }],
    { emails: [{ ...work, display: 'x' }, home] },
  ],
  [
    'a value that a filter describes',
    [{ op: 'add', path: 'emails[type eq "other"]', value: { value: 'other@example.com' } }],
    { emails: [work, home, other] },
  ],
  [
    'several attributes without a path',
    [{ op: 'add', value: { nickName: 'B', title: 'Boss', emails: [other] } }],
    { nickName: 'B', title: 'Boss', emails: [work, home, other] },
  ],
  [
    'the name without a path',
    [{ op: 'add', value: { name: { middleName: 'Q' } } }],
    { name: { ...names, middleName: 'Q' } },
  ],
  [
    'an extension without a path',
    [{ op: 'add', value: { [enterprise]: { costCenter: '4' } } }],
    { [enterprise]: { ...job, costCenter: '4' } },
  ],
  [
    'an extension by its URN',
    [{ op: 'add', path: enterprise, value: { costCenter: '4', department: 'X' } }],
    { [enterprise]: { ...job, costCenter: '4', department: 'X' } },
  ],
  [
    'an attribute of an extension',
    [{ op: 'add', path: `${enterprise}:costCenter`, value: '4' }],
    { [enterprise]: { ...job, costCenter: '4' } },
  ],
  [
    'an attribute of the core schema by its URN',
    [{ op: 'add', path: `${core}:title`, value: 'Boss' }],
    { title: 'Boss' },
  ],
  ['nothing to a list', [{ op: 'add', path: 'emails', value: [] }], {}],
  [
    'a manager, without the name of the one before',
    [{ op: 'add', path: `${enterprise}:manager`, value: { value: 'J1' } }],
    { [enterprise]: { ...job, manager: { value: 'J1' } } },
  ],
  ['the same manager', [{ op: 'add', path: `${enterprise}:manager.value`, value: 'K1' }], {}],
  [
    'an address',
    [{ op: 'add', path: 'addresses', value: [{ country: 'CH' }] }],
    { addresses: [office, { country: 'CH' }] },
  ],
  ['an address that is there', [{ op: 'add', path: 'addresses', value: [office] }], {}],
  [
    'a value as primary and then as not, and another stays primary',
    [
      {
        op: 'add',
        path: 'emails',
        value: [
          { ...home, primary: true },
          { ...home, primary: false },
        ],
      },
    ],
    { emails: [work, { ...home, primary: false }] },
  ],
  [
    'to a chosen value what makes it the one that is primary',
    [{ op: 'add', path: 'roles[value eq "guide"]', value: { value: 'lead', primary: true } }],
    { roles: [{ value: 'lead', primary: true }] },
  ],
];
