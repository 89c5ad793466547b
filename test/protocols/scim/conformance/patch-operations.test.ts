import { describe, expect, test } from 'vitest';
import { type Body, employee, expectError, expectStatus, type Operation, schemaOf, word } from './messages.ts';
import { atBothBases } from './provider.ts';

const enterprise = schemaOf.enterprise;
const phones = [
  { value: '1', type: 'work' },
  { value: '2', type: 'home' },
];

interface Case {
  readonly name: string;
  readonly before?: Body;
  readonly operation: Operation;
  /** What must be there afterwards, and as it is; `undefined` for what must not. */
  readonly after: Body;
}

const cases: Readonly<Record<string, readonly Case[]>> = {
  '3.5.2.1: add': [
    {
      name: 'an attribute that is not there',
      operation: { op: 'add', path: 'title', value: 'Dr' },
      after: { title: 'Dr' },
    },
    {
      name: 'takes the place of a single value',
      before: { title: 'Dr' },
      operation: { op: 'add', path: 'title', value: 'Prof' },
      after: { title: 'Prof' },
    },
    {
      name: 'values to those that are there',
      before: { phoneNumbers: phones },
      operation: { op: 'add', path: 'phoneNumbers', value: [{ value: '3', type: 'fax' }] },
      after: { phoneNumbers: [...phones, { value: '3', type: 'fax' }] },
    },
    {
      name: 'one value that is no list',
      operation: { op: 'add', path: 'phoneNumbers', value: phones[0] },
      after: { phoneNumbers: [phones[0]] },
    },
    {
      name: 'a value that is there already changes nothing',
      before: { phoneNumbers: phones },
      operation: { op: 'add', path: 'phoneNumbers', value: [phones[1]] },
      after: { phoneNumbers: phones },
    },
    {
      name: 'parts of a complex attribute leave the others',
      before: { name: { givenName: 'A', familyName: 'B' } },
      operation: { op: 'add', path: 'name', value: { middleName: 'M' } },
      after: { name: { givenName: 'A', familyName: 'B', middleName: 'M' } },
    },
    {
      name: 'a part of a complex attribute',
      before: { name: { givenName: 'A', familyName: 'B' } },
      operation: { op: 'add', path: 'name.middleName', value: 'M' },
      after: { name: { givenName: 'A', familyName: 'B', middleName: 'M' } },
    },
    {
      name: 'several attributes without a path',
      operation: { op: 'add', value: { title: 'Dr', nickName: 'Ad', phoneNumbers: [phones[0]] } },
      after: { title: 'Dr', nickName: 'Ad', phoneNumbers: [phones[0]] },
    },
    {
      name: 'without a path, values to those that are there',
      before: { phoneNumbers: [phones[0]] },
      operation: { op: 'add', value: { phoneNumbers: [phones[1]] } },
      after: { phoneNumbers: phones },
    },
    {
      name: 'an attribute of an extension',
      operation: { op: 'add', path: `${enterprise}:department`, value: 'Tours' },
      after: { [enterprise]: { department: 'Tours' } },
    },
    {
      name: 'an extension without a path',
      operation: { op: 'add', value: { [enterprise]: { department: 'Tours' } } },
      after: { [enterprise]: { department: 'Tours' } },
    },
    {
      name: 'a part of the values that match',
      before: { phoneNumbers: phones },
      operation: { op: 'add', path: 'phoneNumbers[type eq "home"].display', value: 'At home' },
      after: { phoneNumbers: [phones[0], { ...phones[1], display: 'At home' }] },
    },
  ],
  '3.5.2.2: remove': [
    {
      name: 'a single value',
      before: { title: 'Dr' },
      operation: { op: 'remove', path: 'title' },
      after: { title: undefined },
    },
    { name: 'what is not there', operation: { op: 'remove', path: 'title' }, after: { title: undefined } },
    {
      name: 'all values',
      before: { phoneNumbers: phones },
      operation: { op: 'remove', path: 'phoneNumbers' },
      after: { phoneNumbers: undefined },
    },
    {
      name: 'the values that match',
      before: { phoneNumbers: phones },
      operation: { op: 'remove', path: 'phoneNumbers[type eq "work"]' },
      after: { phoneNumbers: [phones[1]] },
    },
    {
      name: 'the last value leaves the attribute unassigned',
      before: { phoneNumbers: [phones[0]] },
      operation: { op: 'remove', path: 'phoneNumbers[type eq "work"]' },
      after: { phoneNumbers: undefined },
    },
    {
      name: 'a part of the values that match',
      before: { phoneNumbers: [{ ...phones[0], display: 'x' }] },
      operation: { op: 'remove', path: 'phoneNumbers[type eq "work"].display' },
      after: { phoneNumbers: [phones[0]] },
    },
    {
      name: 'a part of a complex attribute',
      before: { name: { givenName: 'A', familyName: 'B', middleName: 'M' } },
      operation: { op: 'remove', path: 'name.middleName' },
      after: { name: { givenName: 'A', familyName: 'B' } },
    },
    {
      name: 'an attribute of an extension',
      before: { schemas: [schemaOf.user, enterprise], [enterprise]: { department: 'D', division: 'V' } },
      operation: { op: 'remove', path: `${enterprise}:division` },
      after: { [enterprise]: { department: 'D' } },
    },
  ],
  '3.5.2.3: replace': [
    {
      name: 'a single value',
      before: { title: 'Dr' },
      operation: { op: 'replace', path: 'title', value: 'Prof' },
      after: { title: 'Prof' },
    },
    {
      name: 'what is not there is an add',
      operation: { op: 'replace', path: 'title', value: 'Dr' },
      after: { title: 'Dr' },
    },
    {
      name: 'all values',
      before: { phoneNumbers: phones },
      operation: { op: 'replace', path: 'phoneNumbers', value: [{ value: '3', type: 'fax' }] },
      after: { phoneNumbers: [{ value: '3', type: 'fax' }] },
    },
    {
      name: 'several attributes without a path, and no others',
      before: { title: 'Dr', nickName: 'Ad' },
      operation: { op: 'replace', value: { title: 'Prof', phoneNumbers: phones } },
      after: { title: 'Prof', nickName: 'Ad', phoneNumbers: phones },
    },
    {
      name: 'parts of a complex attribute, and no others',
      before: { name: { givenName: 'A', familyName: 'B' } },
      operation: { op: 'replace', path: 'name', value: { givenName: 'C' } },
      after: { name: { givenName: 'C', familyName: 'B' } },
    },
    {
      name: 'the values that match',
      before: { phoneNumbers: phones },
      operation: { op: 'replace', path: 'phoneNumbers[type eq "work"]', value: { value: '9', type: 'work' } },
      after: { phoneNumbers: [{ value: '9', type: 'work' }, phones[1]] },
    },
    {
      name: 'a part of the values that match',
      before: { phoneNumbers: phones },
      operation: { op: 'replace', path: 'phoneNumbers[type eq "home"].value', value: '9' },
      after: { phoneNumbers: [phones[0], { value: '9', type: 'home' }] },
    },
    {
      name: 'a part of all values',
      before: { phoneNumbers: phones },
      operation: { op: 'replace', path: 'phoneNumbers.display', value: 'x' },
      after: { phoneNumbers: phones.map((phone) => ({ ...phone, display: 'x' })) },
    },
    {
      name: 'values that match one of two conditions',
      before: { phoneNumbers: phones },
      operation: { op: 'replace', path: 'phoneNumbers[type eq "fax" or value sw "2"].value', value: '9' },
      after: { phoneNumbers: [phones[0], { value: '9', type: 'home' }] },
    },
  ],
};

atBothBases('RFC 7644, 3.5.2: the operations of PATCH', 'scim-operations', (scim) => {
  describe.each(Object.entries(cases))('%s', (_, each) => {
    test.each(each)('$name', async ({ before, operation, after }) => {
      const { id } = await scim().newUser(before);
      const shown = await scim().patched(`/Users/${id}`, operation);
      for (const [name, value] of Object.entries(after)) expect({ [name]: shown[name] }).toEqual({ [name]: value });
    });
  });

  test('3.5.2.1: an add of what is there already leaves lastModified as it was', async () => {
    const { id, meta } = await scim().newUser({ title: 'Dr', phoneNumbers: phones });
    const after = await scim().patched(
      `/Users/${id}`,
      { op: 'add', path: 'title', value: 'Dr' },
      { op: 'add', path: 'phoneNumbers', value: [phones[0]] },
    );
    expect(after.meta).toEqual(meta);
  });

  test('3.5.2.2: a remove without a path is answered by noTarget', async () => {
    const { id } = await scim().newUser();
    expectError(await scim().patch(`/Users/${id}`, { op: 'remove' }), 400, 'noTarget');
  });

  test('3.5.2.3: a replace of values that match nothing is answered by noTarget', async () => {
    const { id } = await scim().newUser({ phoneNumbers: phones });
    const operation = { op: 'replace', path: 'phoneNumbers[value sw "7"].display', value: 'x' };
    expectError(await scim().patch(`/Users/${id}`, operation), 400, 'noTarget');
  });

  describe('members of a group', () => {
    const setUp = async () => {
      const users = [await scim().newUser(), await scim().newUser(), await scim().newUser()];
      const ids = users.map(({ id }) => id);
      const group = await scim().newGroup({ members: ids.slice(0, 2).map((value) => ({ value })) });
      const members = async () => {
        const shown = await scim().shown(`/Groups/${group.id}`);
        return ((shown.members ?? []) as { value: string }[]).map(({ value }) => ids.indexOf(value)).sort();
      };
      return { ids, path: `/Groups/${group.id}`, members };
    };

    test.each([
      ['add one', (ids: string[]) => ({ op: 'add', path: 'members', value: [{ value: ids[2] }] }), [0, 1, 2]],
      [
        'add one that is there',
        (ids: string[]) => ({ op: 'add', path: 'members', value: [{ value: ids[1] }] }),
        [0, 1],
      ],
      ['add without a path', (ids: string[]) => ({ op: 'add', value: { members: [{ value: ids[2] }] } }), [0, 1, 2]],
      ['remove one', (ids: string[]) => ({ op: 'remove', path: `members[value eq "${ids[0]}"]` }), [1]],
      ['remove who is none', (ids: string[]) => ({ op: 'remove', path: `members[value eq "${ids[2]}"]` }), [0, 1]],
      [
        'remove two',
        (ids: string[]) => ({ op: 'remove', path: `members[value eq "${ids[0]}" or value eq "${ids[1]}"]` }),
        [],
      ],
      ['remove all', () => ({ op: 'remove', path: 'members' }), []],
      ['replace all', (ids: string[]) => ({ op: 'replace', path: 'members', value: [{ value: ids[2] }] }), [2]],
      ['replace by none', () => ({ op: 'replace', path: 'members', value: [] }), []],
    ])('%s', async (_, operation, expected) => {
      const { ids, path, members } = await setUp();
      expectStatus(await scim().patch(path, operation(ids)), 200, 204);
      expect(await members()).toEqual(expected);
    });
  });

  test('3.5.2: the manager is set, changed and removed', async () => {
    const [first, second] = [await scim().newUser(), await scim().newUser()];
    const { id } = await scim().make('/Users', employee({ employeeNumber: word() }));
    const path = `${enterprise}:manager`;
    const managerAfter = async (operation: Operation) =>
      ((await scim().patched(`/Users/${id}`, operation))[enterprise] as { manager?: Body }).manager?.value;
    expect(await managerAfter({ op: 'add', path, value: { value: first.id } })).toBe(first.id);
    expect(await managerAfter({ op: 'replace', path: `${path}.value`, value: second.id })).toBe(second.id);
    expect(await managerAfter({ op: 'remove', path })).toBeUndefined();
  });
});
