import { core, enterprise } from '../../people.ts';
import { type Case, home, job, other, work } from './values.ts';

export const remove: readonly Case[] = [
  ['a single value', [{ op: 'remove', path: 'title' }], { title: undefined }],
  ['what is not there', [{ op: 'remove', path: 'nickName' }], {}],
  [
    'a sub-attribute',
    [{ op: 'remove', path: 'name.formatted' }],
    { name: { familyName: 'Jensen', givenName: 'Barbara' } },
  ],
  ['all values', [{ op: 'remove', path: 'roles' }], { roles: undefined }],
  ['chosen values', [{ op: 'remove', path: 'emails[type eq "home"]' }], { emails: [work] }],
  [
    'values that a negated filter chooses',
    [{ op: 'remove', path: 'emails[not (type eq "home")]' }],
    { emails: [home] },
  ],
  [
    'the last value, and so the attribute',
    [{ op: 'remove', path: 'addresses[country eq "US"]' }],
    { addresses: undefined },
  ],
  [
    'a sub-attribute of chosen values',
    [{ op: 'remove', path: 'emails[type eq "home"].display' }],
    { emails: [work, { value: home.value, type: 'home' }] },
  ],
  ['what nothing matches', [{ op: 'remove', path: 'emails[type eq "nothing"]' }], {}],
  [
    'an attribute of an extension',
    [{ op: 'remove', path: `${enterprise}:department` }],
    { [enterprise]: { employeeNumber: '701984', manager: job.manager } },
  ],
  [
    'a sub-attribute of an extension, and what described it',
    [{ op: 'remove', path: `${enterprise}:manager.value` }],
    { [enterprise]: { employeeNumber: '701984', department: 'Tours' } },
  ],
  ['an extension, and its URN', [{ op: 'remove', path: enterprise }], { [enterprise]: undefined, schemas: [core] }],
  [
    'values, and adds others',
    [
      { op: 'remove', path: 'emails' },
      { op: 'add', path: 'emails', value: [other] },
    ],
    { emails: [other] },
  ],
];
