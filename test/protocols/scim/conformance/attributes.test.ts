import { beforeAll, describe, expect, test } from 'vitest';
import { type Body, employee, expectStatus, patchOf, person, schemaOf } from './messages.ts';
import { atBothBases, type Made } from './provider.ts';

const always = ['id', 'schemas'];
const enterprise = schemaOf.enterprise;

interface Case {
  readonly name: string;
  readonly query: string;
  readonly has: readonly string[];
  readonly lacks: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: 'what is named',
    query: 'attributes=userName',
    has: ['userName'],
    lacks: ['name', 'emails', 'title', 'active'],
  },
  { name: 'several', query: 'attributes=userName,title', has: ['userName', 'title'], lacks: ['name', 'emails'] },
  { name: 'names in any case', query: 'attributes=USERNAME', has: ['userName'], lacks: ['name'] },
  { name: 'names with spaces', query: 'attributes=userName,%20title', has: ['userName', 'title'], lacks: ['name'] },
  { name: 'a whole complex attribute', query: 'attributes=name', has: ['name'], lacks: ['userName', 'emails'] },
  { name: 'names with the schema', query: `attributes=${schemaOf.user}:userName`, has: ['userName'], lacks: ['name'] },
  { name: 'a whole extension', query: `attributes=${enterprise}`, has: [enterprise], lacks: ['userName', 'emails'] },
  {
    name: 'an attribute of an extension',
    query: `attributes=${enterprise}:department`,
    has: [enterprise],
    lacks: ['userName'],
  },
  { name: 'nothing that exists', query: 'attributes=shoeSize', has: [], lacks: ['userName', 'name'] },
  { name: 'all but one', query: 'excludedAttributes=emails', has: ['userName', 'name', 'title'], lacks: ['emails'] },
  {
    name: 'all but several',
    query: 'excludedAttributes=emails,title',
    has: ['userName', 'name'],
    lacks: ['emails', 'title'],
  },
  { name: 'all but an extension', query: `excludedAttributes=${enterprise}`, has: ['userName'], lacks: [enterprise] },
  {
    name: 'what cannot be left out',
    query: 'excludedAttributes=id,schemas,title',
    has: ['userName'],
    lacks: ['title'],
  },
];

atBothBases('RFC 7644, 3.4.2.5, 3.9 and 3.10: attributes of answers', 'scim-attributes', (scim) => {
  let user: Made;
  beforeAll(async () => {
    const phoneNumbers = [
      { value: '+1', type: 'work' },
      { value: '+2', type: 'home' },
    ];
    user = await scim().make(
      '/Users',
      employee({ department: 'Tours', employeeNumber: '7' }, { title: 'Dr', phoneNumbers }),
    );
  });

  const expectParts = (shown: Body | undefined, { has, lacks }: Case): void => {
    const names = Object.keys(shown ?? {});
    expect(names).toEqual(expect.arrayContaining([...always, ...has]));
    expect(names.filter((name) => lacks.includes(name))).toEqual([]);
  };

  describe.each(cases)('$name', (each) => {
    test('of a resource', async () => {
      expectParts(await scim().shown(`/Users/${user.id}?${each.query}`), each);
    });

    test('of a list', async () => {
      const answer = await scim().query('/Users', `id eq "${user.id}"`, `&${each.query}`);
      expectParts(answer.at('Resources.0') as Body, each);
    });

    test('of a posted search', async () => {
      const [name = '', values = ''] = each.query.split('=');
      const body = {
        schemas: [schemaOf.search],
        filter: `id eq "${user.id}"`,
        [name]: decodeURIComponent(values)
          .split(',')
          .map((value) => value.trim()),
      };
      expectParts(expectStatus(await scim().post('/Users/.search', body), 200).at('Resources.0') as Body, each);
    });

    test('of a change', async () => {
      const patch = patchOf({ op: 'replace', path: 'nickName', value: 'Ad' });
      expectParts(
        expectStatus(await scim().send('PATCH', `/Users/${user.id}?${each.query}`, patch), 200).body as Body,
        each,
      );
    });
  });

  test('3.9: a part of a complex attribute is shown alone', async () => {
    expect(await scim().shown(`/Users/${user.id}?attributes=name.givenName`)).toHaveProperty('name', {
      givenName: 'Ada',
    });
    expect(await scim().shown(`/Users/${user.id}?excludedAttributes=name.givenName`)).not.toHaveProperty(
      'name.givenName',
    );
  });

  test('3.9: a part of each value of a multi-valued attribute is shown alone', async () => {
    const { phoneNumbers } = await scim().shown(`/Users/${user.id}?attributes=phoneNumbers.value`);
    expect(phoneNumbers).toEqual([{ value: '+1' }, { value: '+2' }]);
  });

  test('3.10: an attribute of an extension is named by the URI of its schema', async () => {
    const shown = await scim().shown(`/Users/${user.id}?attributes=${enterprise}:department`);
    expect(shown[enterprise]).toEqual({ department: 'Tours' });
  });

  test('3.4.2.5: replacing a resource answers what was asked for', async () => {
    const { id } = await scim().newUser();
    const answer = expectStatus(await scim().put(`/Users/${id}?attributes=userName`, person()), 200);
    expect(Object.keys(answer.body as object).sort()).toEqual([...always, 'userName'].sort());
  });

  test('3.4.2.5: the members of a group are left out where they are not wanted', async () => {
    const { id } = await scim().newGroup({ members: [{ value: user.id }] });
    expect(await scim().shown(`/Groups/${id}`)).toHaveProperty('members');
    expect(await scim().shown(`/Groups/${id}?excludedAttributes=members`)).not.toHaveProperty('members');
    const listed = await scim().query('/Groups', `id eq "${id}"`, '&excludedAttributes=members');
    expect(listed.at('Resources.0')).not.toHaveProperty('members');
    expect(listed.at('Resources.0')).toHaveProperty('displayName');
  });
});
