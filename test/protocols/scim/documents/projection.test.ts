import { describe, expect, test } from 'vitest';
import { parseProjection } from '../../../../src/protocols/scim/documents/projection.ts';
import { groupType } from '../../../../src/protocols/scim/schema/group-type.ts';
import { userType } from '../../../../src/protocols/scim/schema/user-type.ts';
import { refusal } from '../patch/patching.ts';
import { barbara, core, enterprise, guides } from '../people.ts';

const { schemas, id } = barbara;
const always = { schemas, id };
const show = (attributes?: string, excludedAttributes?: string) =>
  parseProjection(userType, { attributes, excludedAttributes })(barbara);
const without = (...names: readonly string[]) =>
  Object.fromEntries(Object.entries(barbara).filter(([name]) => !names.includes(name)));

const wanted: readonly (readonly [attributes: string, shown: object])[] = [
  ['userName', { userName: 'bjensen' }],
  ['USERNAME', { userName: 'bjensen' }],
  ['userName,title', { userName: 'bjensen', title: 'Tour Guide' }],
  [' userName , title ,', { userName: 'bjensen', title: 'Tour Guide' }],
  ['name.familyName', { name: { familyName: 'Jensen' } }],
  ['name.familyName,name.givenName', { name: { familyName: 'Jensen', givenName: 'Barbara' } }],
  ['name.familyName,name', { name: barbara.name }],
  ['name,name.familyName', { name: barbara.name }],
  ['emails.value', { emails: [{ value: 'Bjensen@example.com' }, { value: 'babs@home.example' }] }],
  ['emails.display', { emails: [{ display: 'at home' }] }],
  ['emails', { emails: barbara.emails }],
  ['meta.created', { meta: { created: '2026-01-23T04:56:22Z' } }],
  [`${core}:userName`, { userName: 'bjensen' }],
  [`${core}:name.familyName`, { name: { familyName: 'Jensen' } }],
  [enterprise, { [enterprise]: barbara[enterprise] }],
  [`${enterprise}:department`, { [enterprise]: { department: 'Tours' } }],
  [`${enterprise}:manager.value`, { [enterprise]: { manager: { value: 'K1' } } }],
  ['nickName', {}],
  ['nothing', {}],
  ['name.nothing', {}],
  ['id', {}],
  ['__proto__', {}],
  ['password', {}],
];

const excluded: readonly (readonly [excludedAttributes: string, shown: object])[] = [
  ['userName', without('userName')],
  ['USERNAME,Title', without('userName', 'title')],
  ['name.familyName', { ...barbara, name: { formatted: 'Ms. Barbara Jensen', givenName: 'Barbara' } }],
  ['name.familyName,name.givenName,name.formatted', without('name')],
  ['emails', without('emails')],
  [
    'emails.type',
    {
      ...barbara,
      emails: [
        { value: 'Bjensen@example.com', primary: true },
        { value: 'babs@home.example', display: 'at home' },
      ],
    },
  ],
  [enterprise, without(enterprise)],
  [
    `${enterprise}:department,${enterprise}:employeeNumber`,
    { ...barbara, [enterprise]: { manager: { value: 'K1', displayName: 'Kim' } } },
  ],
  ['meta', without('meta')],
  ['id', barbara],
  ['schemas,id', barbara],
  ['nothing', barbara],
  ['', barbara],
];

describe('a projection (RFC 7644, 3.9)', () => {
  test.each(wanted)('to the attributes "%s" shows them and what is always shown', (attributes, shown) => {
    expect(show(attributes)).toEqual({ ...always, ...shown });
  });

  test.each(excluded)('without the attributes "%s" shows the others and what is always shown', (names, shown) => {
    expect(show(undefined, names)).toEqual(shown);
  });

  test('of nothing shows all that is shown by default', () => {
    expect(show()).toEqual(barbara);
    expect(show('')).toEqual(barbara);
    expect(show(' , ,')).toEqual(barbara);
  });

  test('never shows a password', () => {
    const withPassword = { ...barbara, password: 'secret' };
    for (const attributes of [undefined, 'password', core]) {
      expect(JSON.stringify(parseProjection(userType, { attributes })(withPassword))).not.toContain('secret');
    }
  });

  test('takes away from what is asked for', () => {
    expect(show('name,title', 'name.formatted,title')).toEqual({
      ...always,
      name: { familyName: 'Jensen', givenName: 'Barbara' },
    });
  });

  test('knows the attributes of the type alone', () => {
    const shown = parseProjection(groupType, { excludedAttributes: 'members,emails' })(guides);
    expect(shown).toEqual({ schemas: guides.schemas, id: 'g1', displayName: 'Tour Guides', meta: guides.meta });
    expect(parseProjection(groupType, { attributes: 'userName,members.value' })(guides)).toEqual({
      schemas: guides.schemas,
      id: 'g1',
      members: [{ value: 'b1' }, { value: 'g2' }],
    });
  });

  test('names a bounded number of attributes', () => {
    expect(() => show('a,'.repeat(256))).toThrow(refusal('invalidValue', /More than 256 attributes/));
  });
});
