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
    name: 'A value that a filter describes and that is not there is made, with what the filter says, and not primary.',
    section: 'RFC 7644, 3.5.2.3',
    says: 'To replace a sub-attribute of values of which none matches is answered with noTarget.',
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
    name: 'A value of `remove` names the values that are removed.',
    section: 'RFC 7644, 3.5.2.2',
    says: 'Without a filter in the path all values are removed, and there is no value.',
    reason: 'Entra ID removes members of a group with the path `members` and a list of them.',
    shown: {
      resource: 'group',
      before: { members: [{ value: 'b1' }, { value: 'j1' }] },
      operation: { op: 'remove', path: 'members', value: [{ value: 'j1' }] },
      changes: { members: [{ value: 'b1' }] },
    },
  },
  {
    name: 'Removing values of which none matches succeeds and changes nothing.',
    section: 'RFC 7644, 3.12',
    says: 'A path with a filter that matches nothing is answered with noTarget.',
    reason: 'A client that tries again after a lost answer removes a member who is gone already.',
    shown: {
      resource: 'group',
      before: { members: [{ value: 'b1' }] },
      operation: { op: 'remove', path: 'members[value eq "j1"]' },
      changes: {},
    },
  },
  {
    name: 'To replace something by nothing, or by an empty text, empties it.',
    section: 'RFC 7644, 3.5.2.3',
    says: 'An operation that replaces has a value, and an empty text is a value.',
    reason: 'Entra ID empties attributes so, and replaces the manager of a user without one by nothing.',
    shown: {
      resource: 'user',
      before: { title: 'Guide' },
      operation: { op: 'replace', path: 'title', value: '' },
      changes: { title: undefined },
    },
  },
  {
    name: 'An unknown attribute beside known ones is left out.',
    section: 'RFC 7644, 3.5.2',
    says: 'An operation that does not fit the schema is answered with an error.',
    reason: 'Clients send what is mapped for them, also for other services. A setting makes this strict.',
    shown: {
      resource: 'user',
      before: { title: 'Guide' },
      operation: { op: 'replace', value: { title: 'Head', shoeSize: '42' } },
      changes: { title: 'Head' },
    },
  },
  {
    name: 'What is readOnly may be said again as it is.',
    section: 'RFC 7644, 3.5.2',
    says: 'An operation on what is readOnly is answered with mutability.',
    reason: 'Okta sends the id of the group beside its new name.',
    shown: {
      resource: 'group',
      before: { id: 'g1' },
      operation: { op: 'replace', value: { id: 'g1', displayName: 'New' } },
      changes: { displayName: 'New' },
    },
  },
  {
    name: 'A value that has nothing left but its type is gone.',
    section: 'RFC 7644, 3.5.2.2',
    says: 'Removing a sub-attribute of a value leaves the value there.',
    reason: 'Clients empty a telephone number by its `value`, and expect the number to be gone.',
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
