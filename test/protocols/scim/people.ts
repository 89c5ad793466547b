import type { ScimResource } from '../../../src/protocols/scim/documents/scim-resource.ts';

export const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export const barbara: ScimResource = {
  schemas: [core, enterprise],
  id: 'b1',
  externalId: 'Ext-B',
  userName: 'bjensen',
  name: { formatted: 'Ms. Barbara Jensen', familyName: 'Jensen', givenName: 'Barbara' },
  displayName: 'Babs',
  profileUrl: 'https://login.example/Babs',
  title: 'Tour Guide',
  userType: 'Employee',
  active: true,
  emails: [
    { value: 'Bjensen@example.com', type: 'work', primary: true },
    { value: 'babs@home.example', type: 'home', display: 'at home' },
  ],
  addresses: [{ type: 'work', locality: 'Hollywood', country: 'US', formatted: '100 Plaza\nHollywood' }],
  groups: [{ value: 'g1', display: 'Guides', type: 'direct' }],
  roles: [{ value: 'guide' }, { value: 'lead', primary: true }],
  x509Certificates: [{ value: 'MIIC+w==' }],
  [enterprise]: { employeeNumber: '701984', department: 'Tours', manager: { value: 'K1', displayName: 'Kim' } },
  meta: {
    resourceType: 'User',
    created: '2026-01-23T04:56:22Z',
    lastModified: '2026-05-13T04:42:34.250Z',
    location: 'https://id.example/Users/b1',
    version: 'W/"1"',
  },
};

export const jan: ScimResource = {
  schemas: [core],
  id: 'j1',
  userName: 'Jan',
  name: { familyName: "O'Malley", givenName: 'Jan' },
  active: false,
  emails: [{ value: 'jan@example.org' }],
  meta: { resourceType: 'User', created: '2026-06-01T00:00:00Z', lastModified: '2026-06-01T00:00:00Z' },
};

export const kim: ScimResource = {
  schemas: [core, enterprise],
  id: 'K1',
  externalId: 'ext-k',
  userName: 'kim.smith',
  name: { familyName: 'Smith', givenName: 'Kim', middleName: 'say "hi" \\ bye' },
  title: 'Head',
  userType: 'Contractor',
  active: true,
  emails: [
    { value: 'kim@example.com', type: 'work' },
    { value: 'kim@work.example', type: 'Work' },
  ],
  [enterprise]: { department: 'Sales' },
  meta: { resourceType: 'User', created: '2026-05-13T06:42:34.25+02:00', lastModified: '2026-07-01T00:00:00Z' },
};

export const guides: ScimResource = {
  schemas: [groupUrn],
  id: 'g1',
  displayName: 'Tour Guides',
  members: [
    { value: 'b1', type: 'User', display: 'Babs' },
    { value: 'g2', type: 'Group' },
  ],
  meta: { resourceType: 'Group', created: '2026-01-01T00:00:00Z', lastModified: '2026-01-01T00:00:00Z' },
};
