import { beforeAll, describe, expect, test } from 'vitest';
import { employee, expectError, schemaOf } from './messages.ts';
import { atBothBases, type Provider } from './provider.ts';

/** Three users that differ in everything that filters ask for; each case names those that it must find. */
async function populate(scim: Provider): Promise<void> {
  const emails = (value: string, type: string) => [{ value, type, primary: true }];
  await scim.make(
    '/Users',
    employee(
      { department: 'Tours', employeeNumber: '0042' },
      {
        userName: 'Ada@people.example',
        externalId: 'Ext-A',
        displayName: 'Ada \\ "A"',
        title: 'Tour Guide',
        userType: 'Employee',
        active: true,
        name: { givenName: 'Ada', familyName: "O'Malley" },
        emails: emails('ada@work.example', 'work'),
        phoneNumbers: [
          { value: '+1', type: 'work' },
          { value: '+2', type: 'home' },
        ],
      },
    ),
  );
  await scim.make(
    '/Users',
    employee(
      { department: 'Sales', employeeNumber: '0007' },
      {
        userName: 'bob@people.example',
        externalId: 'ext-b',
        displayName: 'Bob',
        userType: 'Intern',
        active: false,
        name: { givenName: 'Bob', familyName: 'Jensen' },
        emails: emails('bob@home.example', 'home'),
        phoneNumbers: [{ value: '+3', type: 'home' }],
      },
    ),
  );
  await scim.newUser({
    userName: 'cem@people.example',
    displayName: 'Cem',
    title: 'Vice President',
    active: true,
    name: { givenName: 'Cem', familyName: 'Jenkins' },
    emails: emails('cem@work.example', 'work'),
  });
}

const everybody = ['Ada', 'Bob', 'Cem'];

const found: readonly [filter: string, who: readonly string[]][] = [
  ['userName eq "ada@people.example"', ['Ada']],
  ['userName eq "ADA@PEOPLE.EXAMPLE"', ['Ada']],
  ['USERNAME EQ "ada@people.example"', ['Ada']],
  ['userName ne "ada@people.example"', ['Bob', 'Cem']],
  ['userName co "people"', everybody],
  ['userName sw "b"', ['Bob']],
  ['userName sw "B"', ['Bob']],
  ['userName ew "em@people.example"', ['Cem']],
  ['userName gt "bob@people.example"', ['Cem']],
  ['userName ge "bob@people.example"', ['Bob', 'Cem']],
  ['userName lt "bob@people.example"', ['Ada']],
  ['userName le "bob@people.example"', ['Ada', 'Bob']],
  ['title pr', ['Ada', 'Cem']],
  ['not (title pr)', ['Bob']],
  ['phoneNumbers pr', ['Ada', 'Bob']],
  ['name.familyName co "O\'Malley"', ['Ada']],
  ['name.familyName sw "Jen"', ['Bob', 'Cem']],
  ['displayName eq "Ada \\\\ \\"A\\""', ['Ada']],
  ['displayName eq "\\u0042ob"', ['Bob']],
  ['externalId eq "Ext-A"', ['Ada']],
  ['externalId eq "ext-a"', []],
  ['active eq true', ['Ada', 'Cem']],
  ['active eq false', ['Bob']],
  ['active ne true', ['Bob']],
  ['emails eq "ada@work.example"', ['Ada']],
  ['emails.value eq "ada@work.example"', ['Ada']],
  ['emails.type eq "work"', ['Ada', 'Cem']],
  ['emails co "work.example"', ['Ada', 'Cem']],
  ['emails[type eq "work"]', ['Ada', 'Cem']],
  ['emails[type eq "work" and value co "ada"]', ['Ada']],
  ['emails[type eq "home" and value co "ada"]', []],
  ['emails[not (type eq "work")]', ['Bob']],
  ['phoneNumbers[type eq "home"] and phoneNumbers[type eq "work"]', ['Ada']],
  ['phoneNumbers.type eq "home" and active eq false', ['Bob']],
  ['title pr and userType eq "Employee"', ['Ada']],
  ['title pr or userType eq "Intern"', everybody],
  ['userType eq "Intern" or userType eq "Employee" and title sw "X"', ['Bob']],
  ['(userType eq "Intern" or userType eq "Employee") and title sw "Tour"', ['Ada']],
  ['not (userType eq "Intern") and title pr', ['Ada', 'Cem']],
  ['not (userType eq "Intern" or title sw "Vice")', ['Ada']],
  ['userType eq "Employee" and (emails co "work.example" or emails.value co "none")', ['Ada']],
  ['userType pr and userType ne "Employee" and not (emails co "example.org")', ['Bob']],
  [`schemas eq "${schemaOf.enterprise}"`, ['Ada', 'Bob']],
  [`${schemaOf.user}:userName eq "bob@people.example"`, ['Bob']],
  [`${schemaOf.user}:name.givenName eq "bob"`, ['Bob']],
  [`${schemaOf.enterprise}:department eq "tours"`, ['Ada']],
  [`${schemaOf.enterprise}:employeeNumber eq "0007"`, ['Bob']],
  [`${schemaOf.enterprise.toLowerCase()}:department pr`, ['Ada', 'Bob']],
  ['meta.resourceType eq "User"', everybody],
  ['meta.created gt "2011-05-13T04:42:34Z"', everybody],
  ['meta.lastModified lt "2011-05-13T04:42:34Z"', []],
  ['meta.lastModified ge "2011-05-13T06:42:34+02:00"', everybody],
  ['title eq null', ['Bob']],
  ['title ne null', ['Ada', 'Cem']],
  ['nickName eq "Ada"', []],
  ['nickName pr', []],
];

const refused: readonly string[] = [
  'userName',
  'userName eq',
  'eq "a"',
  'userName is "ada"',
  'userName eq "ada',
  'userName eq "a" and',
  'userName eq "a" "b"',
  '(userName eq "a"',
  'userName eq "a")',
  'not userName eq "a"',
  'emails[type eq "work"',
  'emails[]',
  'active gt true',
  'userName..x eq "a"',
  '"userName" eq "a"',
];

atBothBases('RFC 7644, 3.4.2.2: filtering', 'scim-filtering', (scim) => {
  beforeAll(async () => populate(scim()));

  test.each(found)('%s', async (filter, who) => {
    const { body } = await scim().query('/Users', filter);
    const { totalResults, Resources = [] } = body as {
      totalResults: number;
      Resources?: { name: { givenName: string } }[];
    };
    expect(Resources.map(({ name }) => name.givenName).sort()).toEqual(who);
    expect(totalResults).toBe(who.length);
  });

  describe('refuses by 400 and invalidFilter', () => {
    test.each(refused)('%s', async (filter) => {
      expectError(await scim().get(`/Users?filter=${encodeURIComponent(filter)}`), 400, 'invalidFilter');
    });

    test('what is too long or too deep to be meant', async () => {
      for (const filter of [
        `${'('.repeat(5000)}title pr${')'.repeat(5000)}`,
        'title pr or '.repeat(2000).concat('title pr'),
      ]) {
        const answer = await scim().post('/Users/.search', { schemas: [schemaOf.search], filter });
        expectError(answer, 400, 'invalidFilter', 'tooMany', 'invalidValue');
      }
    });
  });

  test.each([
    ['an attribute that the type does not have', 'shoeSize eq "43"'],
    ['a complex attribute without the name of a part', 'name eq "Ada"'],
  ])('%s matches nothing, or is refused', async (_, filter) => {
    const answer = await scim().get(`/Users?filter=${encodeURIComponent(filter)}`);
    if (answer.status === 200) expect(answer.at('totalResults')).toBe(0);
    else expectError(answer, 400, 'invalidFilter');
  });

  test('groups are found by their name in any case, by their external id, and by their members', async () => {
    const user = await scim().query('/Users', 'userName sw "ada"');
    const id = user.text('Resources.0.id');
    const group = await scim().newGroup({ displayName: 'Tour Guides', externalId: 'G-1', members: [{ value: id }] });
    for (const filter of [
      'displayName eq "tour guides"',
      'externalId eq "G-1"',
      `members.value eq "${id}"`,
      `members[value eq "${id}"]`,
      `members eq "${id}"`,
      `id eq "${group.id}"`,
    ]) {
      expect((await scim().query('/Groups', filter)).at('Resources.0.id')).toBe(group.id);
    }
    expect((await scim().query('/Groups', 'externalId eq "g-1"')).at('totalResults')).toBe(0);
  });
});
