import { describe, expect, test } from 'vitest';
import { attributeAt, locate, pathText } from '../../../../src/protocols/scim/schema/attribute-path.ts';
import { commonAttributes } from '../../../../src/protocols/scim/schema/common-attributes.ts';
import { groupSchema, groupType } from '../../../../src/protocols/scim/schema/group-type.ts';
import type { Attribute } from '../../../../src/protocols/scim/schema/resource-type.ts';
import { enterpriseUserSchema, userSchema, userType } from '../../../../src/protocols/scim/schema/user-type.ts';
import { core, enterprise } from '../people.ts';

const names = (attributes: readonly Attribute[]) => attributes.map(({ name }) => name).join(' ');

/** Every attribute with what is not the default of it, as RFC 7643, 8.7.1, has it but for what is said below. */
function lines(attributes: readonly Attribute[], prefix = ''): string[] {
  return attributes.flatMap((attribute) => {
    const { name, type, multiValued, required, caseExact, mutability, returned, uniqueness } = attribute;
    const traits = [
      type === 'string' ? '' : type,
      multiValued ? 'multi-valued' : '',
      required ? 'required' : '',
      caseExact ? 'exact' : '',
      mutability === 'readWrite' ? '' : mutability,
      returned === 'default' ? '' : `returned ${returned}`,
      uniqueness === 'none' ? '' : `unique by ${uniqueness}`,
    ];
    const line = [prefix + name, ...traits].filter((each) => each !== '').join(' ');
    return [line, ...lines(attribute.subAttributes ?? [], `${prefix}${name}.`)];
  });
}

const all = [commonAttributes, userSchema.attributes, enterpriseUserSchema.attributes, groupSchema.attributes];

describe('the schemas', () => {
  test('have every attribute of RFC 7643, 4.1 to 4.3', () => {
    expect(names(userSchema.attributes)).toBe(
      'externalId userName name displayName nickName profileUrl title userType preferredLanguage locale timezone active password ' +
        'emails phoneNumbers ims photos addresses groups entitlements roles x509Certificates',
    );
    expect(names(enterpriseUserSchema.attributes)).toBe(
      'employeeNumber costCenter organization division department manager',
    );
    expect(names(groupSchema.attributes)).toBe('externalId displayName members');
    expect(names(commonAttributes)).toBe('schemas id meta');
  });

  // but for what the service requires (name, emails, displayName of groups, the values of emails and members), for the
  // exact case of ids and passwords, and for addresses.primary, which RFC 7643, 2.4, has
  test('have the characteristics of RFC 7643, 8.7.1', async () => {
    const text = all.map((attributes) => lines(attributes).join('\n')).join('\n\n');
    await expect(`${text}\n`).toMatchFileSnapshot('characteristics.txt');
  });

  test('tell of what each attribute is', () => {
    const told = all.flat().flatMap((attribute) => [attribute, ...(attribute.subAttributes ?? [])]);
    expect(told.filter(({ description }) => !/^[A-Z].*\.$/.test(description))).toEqual([]);
    expect(
      told.filter(({ type, referenceTypes }) => (type === 'reference') !== (referenceTypes !== undefined)),
    ).toEqual([]);
    expect(told.filter(({ type, subAttributes }) => (type === 'complex') !== (subAttributes !== undefined))).toEqual(
      [],
    );
  });
});

describe('a path', () => {
  test.each([
    ['userName', 'userName'],
    ['USERNAME', 'userName'],
    ['name.FAMILYname', 'name.familyName'],
    [`${core}:userName`, 'userName'],
    [`${core.toUpperCase()}:name.givenName`, 'name.givenName'],
    [`${enterprise}:manager.VALUE`, `${enterprise}:manager.value`],
    [`${enterprise}:manager.$REF`, `${enterprise}:manager.$ref`],
    ['meta.lastmodified', 'meta.lastModified'],
    ['EXTERNALID', 'externalId'],
  ])('%s leads to %s', (text, canonical) => {
    const located = locate(userType, text);
    expect(located && pathText(located.path)).toBe(canonical);
    expect(located && attributeAt(userType, located.path)).toBe(located?.subAttribute ?? located?.attribute);
  });

  test.each(['', '.', 'x', 'userName.', 'name.x', 'name.givenName.x', ':userName', 'urn:x:userName', `${enterprise}:`])(
    '"%s" leads to nothing',
    (text) => {
      expect(locate(userType, text)).toBeUndefined();
    },
  );

  test('leads to what its type has', () => {
    expect(locate(groupType, 'userName')).toBeUndefined();
    expect(locate(groupType, `${enterprise}:department`)).toBeUndefined();
    expect(locate(userType, 'members')).toBeUndefined();
    expect(attributeAt(userType, { urn: 'urn:x', attribute: 'userName' })).toBeUndefined();
    expect(attributeAt(userType, { attribute: 'name', subAttribute: 'x' })).toBeUndefined();
  });
});
