/** Where PATCH does otherwise than the RFC says, because clients expect it. For documents, and for the test that shows it. */
export interface Deviation {
  readonly name: string;
  readonly section: string;
  /** What the RFC would have. */
  readonly says: string;
  readonly reason: string;
  /** An operation that shows it, and what it changes. */
  readonly shown: {
    readonly resource: 'user' | 'group';
    readonly before?: Readonly<Record<string, unknown>>;
    readonly operation: { readonly op: string; readonly path?: string; readonly value?: unknown };
    readonly changes: Readonly<Record<string, unknown>>;
  };
}

export const deviations: readonly Deviation[] = [
  {
    name: 'If no value matches the filter of a path, a value is added, with what the filter says, and not as primary.',
    section: 'RFC 7644, 3.5.2.3',
    says: 'A replace whose filter matches no value is answered with noTarget.',
    reason: 'Entra ID replaces `emails[type eq "work"].value` of users who have no such address yet.',
    shown: {
      resource: 'user',
      before: { emails: [{ value: 'a@example.com', primary: true }] },
      operation: { op: 'replace', path: 'emails[type eq "work"].value', value: 'b@example.com' },
      changes: {
        emails: [
          { value: 'a@example.com', primary: true },
          { type: 'work', value: 'b@example.com' },
        ],
      },
    },
  },
  {
    name: 'A `remove` with a value removes only that value, or those values.',
    section: 'RFC 7644, 3.5.2.2',
    says: 'A `remove` has no value, and without a filter in the path removes all values.',
    reason: 'Entra ID removes members of a group with the path `members` and a list of members.',
    shown: {
      resource: 'group',
      before: { members: [{ value: 'b1' }, { value: 'j1' }] },
      operation: { op: 'remove', path: 'members', value: [{ value: 'j1' }] },
      changes: { members: [{ value: 'b1' }] },
    },
  },
  {
    name: 'A `remove` whose filter matches no value succeeds and changes nothing.',
    section: 'RFC 7644, 3.12',
    says: 'A path with a filter that matches nothing is answered with noTarget.',
    reason: 'A client that repeats a request after a lost answer removes a member who is already removed.',
    shown: {
      resource: 'group',
      before: { members: [{ value: 'b1' }] },
      operation: { op: 'remove', path: 'members[value eq "j1"]' },
      changes: {},
    },
  },
  {
    name: 'A `replace` with no value, or with an empty string, clears the attribute.',
    section: 'RFC 7644, 3.5.2.3',
    says: 'A `replace` has a value, and an empty string is a value.',
    reason: 'Entra ID clears attributes in this way, and the manager of a user who has none any more.',
    shown: {
      resource: 'user',
      before: { title: 'Guide' },
      operation: { op: 'replace', path: 'title', value: '' },
      changes: { title: undefined },
    },
  },
  {
    name: 'An unknown attribute beside known ones is ignored.',
    section: 'RFC 7644, 3.5.2',
    says: 'An operation that does not fit the schema is answered with an error.',
    reason: 'Clients send attributes that are mapped for other services. The setting `strict` refuses them.',
    shown: {
      resource: 'user',
      before: { title: 'Guide' },
      operation: { op: 'replace', value: { title: 'Head', shoeSize: '42' } },
      changes: { title: 'Head' },
    },
  },
  {
    name: 'A readOnly attribute may be sent with the value that it has.',
    section: 'RFC 7644, 3.5.2',
    says: 'An operation on a readOnly attribute is answered with mutability.',
    reason: 'Okta sends the id of the group beside its new name.',
    shown: {
      resource: 'group',
      before: { id: 'g1' },
      operation: { op: 'replace', value: { id: 'g1', displayName: 'New' } },
      changes: { displayName: 'New' },
    },
  },
  {
    name: 'A value that has nothing but its type left is removed.',
    section: 'RFC 7644, 3.5.2.2',
    says: 'Removing a sub-attribute of a value leaves the value there.',
    reason: 'Clients clear the `value` of a telephone number, and expect the number to be removed.',
    shown: {
      resource: 'user',
      before: {
        phoneNumbers: [
          { type: 'work', value: '1' },
          { type: 'home', value: '2' },
        ],
      },
      operation: { op: 'replace', path: 'phoneNumbers[type eq "work"].value', value: null },
      changes: { phoneNumbers: [{ type: 'home', value: '2' }] },
    },
  },
];
