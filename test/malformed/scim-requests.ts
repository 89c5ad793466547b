/** A request of SCIM that is not right, as an ordinary client can send it. */
export interface MalformedScim {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly raw?: string;
  readonly status: number;
  readonly scimType?: string;
}

const core = 'urn:ietf:params:scim:schemas:core:2.0:';
const messages = 'urn:ietf:params:scim:api:messages:2.0:';
const person = {
  schemas: [`${core}User`],
  userName: 'mallory',
  name: { givenName: 'M', familyName: 'Allory' },
  emails: [{ value: 'mallory@people.example' }],
};
const patch = (...operations: readonly unknown[]) => ({ schemas: [`${messages}PatchOp`], Operations: operations });
const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

const json: MalformedScim[] = [
  ['an empty body', ''],
  ['a word', 'hello'],
  ['an open brace', '{'],
  ['two values', '{}{}'],
  ['the same name twice', '{"schemas":[],"schemas":[]}'],
  ['__proto__', `{"schemas":["${core}User"],"__proto__":{"userName":"x"}}`],
  ['constructor', `{"schemas":["${core}User"],"constructor":{"prototype":{}}}`],
  ['half of a surrogate pair', `{"schemas":["${core}User"],"userName":"\\ud800"}`],
  ['nesting past the bound', deep(70)],
  ['nesting of many', '['.repeat(500_000)],
].flatMap(([name = '', raw = '']) =>
  ['/Users', '/Groups', '/Bulk', '/.search'].map((path) => ({
    name: `${path}: ${name}`,
    path,
    raw,
    status: 400,
    scimType: 'invalidSyntax',
  })),
);

const users: MalformedScim[] = [
  ['a list', [], 'invalidSyntax'],
  ['a text', '"x"', 'invalidSyntax'],
  ['null', null, 'invalidSyntax'],
  ['a password that is too weak', { ...person, password: 'x' }, 'invalidValue'],
  ['nothing', {}, 'invalidSyntax'],
  ['another schema', { ...person, schemas: [`${core}Group`] }, 'invalidSyntax'],
  ['schemas of a wrong type', { ...person, schemas: `${core}User` }, 'invalidSyntax'],
  ['no user name', { ...person, userName: undefined }, 'invalidValue'],
  ['a user name of a wrong type', { ...person, userName: 7 }, 'invalidValue'],
  ['a user name that is too long', { ...person, userName: 'x'.repeat(300) }, 'invalidValue'],
  ['a user name that begins with a blank', { ...person, userName: ' mallory' }, 'invalidValue'],
  ['a user name with what is not seen', { ...person, userName: 'mal\u200blory' }, 'invalidValue'],
  [
    'too many names',
    { ...person, ...Object.fromEntries(Array.from({ length: 1001 }, (_, each) => [`n${each}`, 1])) },
    'invalidSyntax',
  ],
  ['a user name with a line break', { ...person, userName: 'a\nb' }, 'invalidValue'],
  ['no name', { ...person, name: undefined }, 'invalidValue'],
  ['a name of a wrong type', { ...person, name: ['x'] }, 'invalidValue'],
  ['a given name that is too long', { ...person, name: { givenName: 'x'.repeat(201) } }, 'invalidValue'],
  ['no addresses', { ...person, emails: [] }, 'invalidValue'],
  ['an address that is none', { ...person, emails: [{ value: 'here' }] }, 'invalidValue'],
  ['an address without a value', { ...person, emails: [{ type: 'work' }] }, 'invalidValue'],
  [
    'two primary addresses',
    { ...person, emails: [1, 2].map((each) => ({ value: `m${each}@a.example`, primary: true })) },
    'invalidValue',
  ],
  [
    'too many addresses',
    { ...person, emails: Array.from({ length: 101 }, (_, each) => ({ value: `m${each}@a.example` })) },
    'invalidValue',
  ],
  ['a state that is none', { ...person, active: 'perhaps' }, 'invalidValue'],
  ['a title that is too long', { ...person, title: 'x'.repeat(2000) }, 'invalidValue'],
  [
    'an extension of a wrong type',
    { ...person, [`${core.replace('core', 'extension:enterprise')}User`]: 3 },
    'invalidSyntax',
  ],
].map(([name, body, scimType]) => ({
  name: `a user: ${name as string}`,
  path: '/Users',
  ...(typeof body === 'string' ? { raw: body } : { body }),
  status: 400,
  ...(scimType === undefined ? {} : { scimType: scimType as string }),
}));

const groups: MalformedScim[] = [
  ['no name', { schemas: [`${core}Group`] }],
  ['an empty name', { schemas: [`${core}Group`], displayName: '' }],
  ['a name of a wrong type', { schemas: [`${core}Group`], displayName: {} }],
  ['a name that is too long', { schemas: [`${core}Group`], displayName: 'x'.repeat(2000) }],
  ['members of a wrong type', { schemas: [`${core}Group`], displayName: 'G', members: [7] }],
].map(([name, body]) => ({
  name: `a group: ${name as string}`,
  path: '/Groups',
  body,
  status: 400,
  scimType: 'invalidValue',
}));

const patches: MalformedScim[] = [
  ['no operations', { schemas: [`${messages}PatchOp`] }, 'invalidSyntax'],
  ['no schema', { Operations: [{ op: 'add', value: {} }] }, 'invalidSyntax'],
  ['an unknown operation', patch({ op: 'move', path: 'title', value: 'x' }), 'invalidSyntax'],
  ['an operation that is none', patch(7), 'invalidSyntax'],
  ['a path that is none', patch({ op: 'replace', path: 'emails..value', value: 'x' }), 'invalidPath'],
  ['a path whose filter is not closed', patch({ op: 'replace', path: 'emails[', value: 'x' }), 'invalidFilter'],
  ['a path to nothing', patch({ op: 'replace', path: 'nowhere', value: 'x' }), 'invalidPath'],
  ['a removal without a path', patch({ op: 'remove' }), 'noTarget'],
  ['what cannot be changed', patch({ op: 'replace', path: 'id', value: 'x' }), 'mutability'],
  ['what is required', patch({ op: 'remove', path: 'userName' }), 'mutability'],
  ['a value of a wrong type', patch({ op: 'replace', path: 'title', value: { a: 1 } }), 'invalidValue'],
].map(([name, body, scimType]) => ({
  name: `a change: ${name as string}`,
  method: 'PATCH',
  path: '/Users/{id}',
  body,
  status: 400,
  scimType: scimType as string,
}));

const lists: MalformedScim[] = [
  ['filter=userName', 'invalidFilter'],
  ['filter=userName%20eq', 'invalidFilter'],
  ['filter=(userName%20pr', 'invalidFilter'],
  ['filter=nowhere%20eq%20%22x%22', 'invalidFilter'],
  ['filter=active%20gt%20true', 'invalidFilter'],
  [`filter=${'('.repeat(100)}userName%20pr${')'.repeat(100)}`, 'invalidFilter'],
  ['startIndex=x', 'invalidValue'],
  ['count=many', 'invalidCount'],
  ['sortBy=nowhere', 'invalidPath'],
  ['sortOrder=upwards', 'invalidValue'],
  ['cursor=%00', 'invalidCursor'],
  ['cursor=bm90aGluZw', 'invalidCursor'],
].map(([query = '', scimType = '']) => ({
  name: `a list: ${query}`,
  method: 'GET',
  path: `/Users?${query}`,
  status: 400,
  scimType,
}));

const bulk = (...operations: readonly unknown[]) => ({ schemas: [`${messages}BulkRequest`], Operations: operations });
const others: MalformedScim[] = [
  {
    name: 'a bulk request without operations',
    path: '/Bulk',
    body: { schemas: [`${messages}BulkRequest`] },
    status: 400,
    scimType: 'invalidSyntax',
  },
  {
    name: 'a bulk request of too many',
    path: '/Bulk',
    body: bulk(...Array.from({ length: 1001 }, () => ({ method: 'DELETE', path: '/Users/x' }))),
    status: 413,
  },
  {
    name: 'a bulk request that is too large',
    path: '/Bulk',
    raw: JSON.stringify(bulk({ method: 'POST', path: '/Users', bulkId: 'a', data: { x: 'x'.repeat(1_100_000) } })),
    status: 413,
  },
  { name: 'an unknown path', method: 'GET', path: '/Nothing', status: 404 },
  { name: 'an unknown user', method: 'GET', path: '/Users/nobody', status: 404 },
  { name: 'an id that can be none', method: 'GET', path: `/Users/${'x'.repeat(3000)}`, status: 404 },
  { name: 'an id with a line break', method: 'GET', path: '/Users/a%0Ab', status: 400 },
  { name: 'an unknown method', method: 'PUT', path: '/Users', status: 405 },
  {
    name: 'a search without its schema',
    path: '/Users/.search',
    body: { filter: 'userName pr' },
    status: 400,
    scimType: 'invalidSyntax',
  },
];

export const scimRequests: readonly MalformedScim[] = [...json, ...users, ...groups, ...patches, ...lists, ...others];
