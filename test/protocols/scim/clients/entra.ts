import type { Answer } from '../../../server/running-service.ts';
import { type Body, type Operation, schemaOf, word } from '../conformance/messages.ts';
import type { Provider } from '../conformance/provider.ts';

export const manager = `${schemaOf.enterprise}:manager`;

const entraGroupSchema = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';

/** A user with every attribute that Entra's validator maps by default, and with its random words for values. */
export function validatorUser(extra: Body = {}): Body & { readonly userName: string } {
  const random = () => word().toUpperCase();
  const phone = '10-040-1308';
  return {
    userName: `${word()}@ondricka.example`,
    active: true,
    displayName: random(),
    title: random(),
    emails: [{ type: 'work', value: `${word()}@hammes.example`, primary: true }],
    preferredLanguage: 'jgo-CM',
    name: {
      givenName: 'Elfrieda',
      familyName: 'Urban',
      formatted: 'Myah',
      middleName: 'Cindy',
      honorificPrefix: 'Minerva',
      honorificSuffix: 'Micaela',
    },
    addresses: [
      {
        type: 'work',
        formatted: random(),
        streetAddress: '25928 Katlyn Row',
        locality: random(),
        region: random(),
        postalCode: 'cx47 4mz',
        primary: true,
        country: 'Sierra Leone',
      },
    ],
    phoneNumbers: [
      { type: 'work', value: phone, primary: true },
      { type: 'mobile', value: phone },
      { type: 'fax', value: phone },
    ],
    [schemaOf.enterprise]: {
      employeeNumber: random(),
      department: random(),
      costCenter: random(),
      organization: random(),
      division: random(),
      manager: { value: random() },
    },
    roles: [{ primary: 'True', display: random(), value: random(), type: random() }],
    userType: random(),
    nickName: random(),
    locale: random(),
    timezone: 'America/Guayaquil',
    profileUrl: random(),
    schemas: [schemaOf.user, schemaOf.enterprise],
    ...extra,
  };
}

/** That user as a provider shows it: a role is primary by a truth value, whatever was sent. */
export function shownAs(sent: Body): Body {
  const roles = sent.roles as readonly Body[] | undefined;
  return roles === undefined ? sent : { ...sent, roles: roles.map((role) => ({ ...role, primary: true })) };
}

export function validatorGroup(extra: Body = {}): Body & { readonly displayName: string } {
  return { displayName: word().toUpperCase(), externalId: crypto.randomUUID(), schemas: [schemaOf.group], ...extra };
}

export function managerOf(user: Body): unknown {
  return (user[schemaOf.enterprise] as Body | undefined)?.manager;
}

/** Sends what Entra ID sends, with the headers that it sends. */
export function asEntra(scim: Provider) {
  const headers = { 'content-type': 'application/scim+json; charset=utf-8', accept: 'application/scim+json' };
  return {
    get: (path: string): Promise<Answer> => scim.get(path, { headers: { accept: headers.accept } }),
    post: (path: string, body: unknown): Promise<Answer> => scim.post(path, body, { headers }),
    patch: (path: string, ...Operations: readonly Operation[]): Promise<Answer> =>
      scim.send('PATCH', path, { schemas: [schemaOf.patch], Operations }, { headers }),
  };
}

/** A user as it is created from a directory: with `meta`, and with an empty list of roles. */
export function directoryUser() {
  const name = word();
  return {
    schemas: [schemaOf.user, schemaOf.enterprise],
    externalId: `ext-${name}`,
    userName: `${name}@testuser.example`,
    active: true,
    displayName: 'Test User',
    emails: [{ primary: true, type: 'work', value: `${name}@fabrikam.example` }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
    title: null,
  };
}

/** A group as it is created from a directory: with a schema that is none of the protocol. */
export function directoryGroup() {
  return {
    schemas: [schemaOf.group, entraGroupSchema],
    externalId: `ext-${word()}`,
    displayName: `Group ${word()}`,
    meta: { resourceType: 'Group' },
  };
}
