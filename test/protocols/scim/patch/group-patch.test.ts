import { describe, expect, test } from 'vitest';
import { parsePatch } from '../../../../src/protocols/scim/patch/parse-patch.ts';
import { groupType } from '../../../../src/protocols/scim/schema/group-type.ts';
import { groupUrn, guides, patchUrn } from '../people.ts';
import { patched, refusal, type Sent, withChanges } from './patching.ts';

const [b1, g2] = guides.members as readonly [object, object];
const j1 = { value: 'j1' };

const cases: readonly (readonly [name: string, operations: readonly Sent[], members: readonly object[] | undefined])[] =
  [
    ['adds a member', [{ op: 'add', path: 'members', value: [j1] }], [b1, g2, j1]],
    [
      'adds a member with what describes it',
      [{ op: 'add', path: 'members', value: [{ ...j1, $ref: '../Users/j1', display: 'Jan' }] }],
      [b1, g2, { ...j1, $ref: '../Users/j1' }],
    ],
    ['adds a member once', [{ op: 'add', path: 'members', value: [j1, j1] }], [b1, g2, j1]],
    [
      'adds who is a member already',
      [{ op: 'add', path: 'members', value: [{ value: 'b1', type: 'User' }] }],
      [b1, g2],
    ],
    ['adds members without a path', [{ op: 'add', value: { members: [j1] } }], [b1, g2, j1]],
    [
      'adds members one by one',
      ['x', 'y'].map((value) => ({ op: 'add', path: 'members', value: [{ value }] })),
      [b1, g2, { value: 'x' }, { value: 'y' }],
    ],
    ['removes a member', [{ op: 'remove', path: 'members[value eq "b1"]' }], [g2]],
    ['removes a member by the URN', [{ op: 'remove', path: `${groupUrn}:members[value eq "b1"]` }], [g2]],
    [
      'removes members one by one',
      [
        { op: 'remove', path: 'members[value eq "b1"]' },
        { op: 'remove', path: 'members[value eq "g2"]' },
      ],
      undefined,
    ],
    [
      'removes members by a filter of any kind',
      [{ op: 'remove', path: 'members[type eq "Group" or value eq "x"]' }],
      [b1],
    ],
    ['removes all members', [{ op: 'remove', path: 'members' }], undefined],
    ['removes who is no member', [{ op: 'remove', path: 'members[value eq "nobody"]' }], [b1, g2]],
    ['ids have case', [{ op: 'remove', path: 'members[value eq "B1"]' }], [b1, g2]],
    ['replaces all members', [{ op: 'replace', path: 'members', value: [j1] }], [j1]],
    ['replaces all members by none', [{ op: 'replace', path: 'members', value: [] }], undefined],
    [
      'removes a member and adds it again',
      [
        { op: 'remove', path: 'members[value eq "b1"]' },
        { op: 'add', path: 'members', value: [{ value: 'b1' }] },
      ],
      [g2, { value: 'b1' }],
    ],
  ];

const refused: readonly (readonly [name: string, operation: Sent, code: string, detail: RegExp])[] = [
  [
    'changing who a member is',
    { op: 'replace', path: 'members[value eq "b1"].value', value: 'x' },
    'mutability',
    /members.value cannot be changed/,
  ],
  [
    'changing what a member is',
    { op: 'replace', path: 'members[value eq "b1"].type', value: 'Group' },
    'mutability',
    /members.type/,
  ],
  [
    'changing the name of a member',
    { op: 'add', path: 'members[value eq "b1"].display', value: 'x' },
    'mutability',
    /members.display/,
  ],
  ['removing the id of members', { op: 'remove', path: 'members.value' }, 'mutability', /members.value/],
  [
    'a member without an id',
    { op: 'add', path: 'members', value: [{ $ref: '../Users/j1' }] },
    'invalidValue',
    /members\[2\]\.value: is required/,
  ],
  [
    'a member that is a number',
    { op: 'add', path: 'members', value: [7] },
    'invalidValue',
    /members\[0\]\.value: must be a text/,
  ],
  [
    'a member that is a list',
    { op: 'add', path: 'members', value: [[j1]] },
    'invalidValue',
    /members\[0\]: must be an object/,
  ],
  [
    'replacing who is no member',
    { op: 'replace', path: 'members[value eq "x"]', value: j1 },
    'noTarget',
    /no value matches/,
  ],
  ['removing the name', { op: 'remove', path: 'displayName' }, 'mutability', /displayName: is required/],
];

describe('PATCH of a group', () => {
  test.each(cases)('%s', (_, operations, members) => {
    expect(patched(guides, operations, { type: groupType })).toEqual(withChanges(guides, { members }));
  });

  test.each(refused)('refuses %s', (_, operation, code, detail) => {
    expect(() => patched(guides, [operation], { type: groupType })).toThrow(refusal(code, detail));
  });

  test('goes through the members once, however many operations add or remove one', () => {
    const operations = Array.from({ length: 1000 }, (_, index) => ({
      op: index < 500 ? 'add' : 'remove',
      ...(index < 500
        ? { path: 'members', value: [{ value: `m${index}` }] }
        : { path: `members[value eq "m${index}"]` }),
    }));
    const parsed = parsePatch(groupType, { schemas: [patchUrn], Operations: operations }, { strict: true });
    expect(parsed.map(({ op, value }) => [op, (value as readonly object[]).length])).toEqual([
      ['add', 500],
      ['remove', 500],
    ]);
  });

  test('keeps apart what is removed as a whole and what is removed by name', () => {
    const Operations = [
      { op: 'remove', path: 'members', value: [j1] },
      { op: 'remove', path: 'members' },
      { op: 'replace', path: 'members', value: [j1] },
      { op: 'replace', path: 'members', value: ['x'] },
      { op: 'add', path: 'members', value: ['y'] },
    ];
    expect(parsePatch(groupType, { schemas: [patchUrn], Operations }, { strict: false })).toEqual([
      { op: 'remove', path: { attribute: 'members' }, value: [j1] },
      { op: 'remove', path: { attribute: 'members' } },
      { op: 'replace', path: { attribute: 'members' }, value: [j1] },
      { op: 'replace', path: { attribute: 'members' }, value: [{ value: 'x' }] },
      { op: 'add', path: { attribute: 'members' }, value: [{ value: 'y' }] },
    ]);
  });
});
