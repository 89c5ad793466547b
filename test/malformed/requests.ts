/** A request that is not right, as an ordinary client can send it. */
export interface Malformed {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly code: string;
  /** Where the first fault is, where the problem tells. */
  readonly at?: string;
}

const check = '/zanzibar/check';
const tuples = '/zanzibar/tuples';
const good = { object: 'doc:1', relation: 'viewer', subject: 'user:anne' };

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const bad = 'invalid_request';

const json: Malformed[] = [
  ['an empty body', '', 'malformed_json'],
  ['white space alone', ' \n\t ', 'malformed_json'],
  ['a word', 'hello', 'malformed_json'],
  ['an open brace', '{', 'malformed_json'],
  ['a missing quote', '{"object:"doc:1"}', 'malformed_json'],
  ['a trailing comma', '{"object":"doc:1",}', 'malformed_json'],
  ['single quotes', "{'object':'doc:1'}", 'malformed_json'],
  ['a comment', '{"object":"doc:1"/* x */}', 'malformed_json'],
  ['two values', '{}{}', 'malformed_json'],
  ['NaN', '{"object":NaN}', 'malformed_json'],
  ['a number with a leading zero', '{"object":01}', 'malformed_json'],
  ['a raw line break in a string', '{"object":"doc:\n1"}', 'malformed_json'],
  ['an unknown escape', '{"object":"doc:\\x31"}', 'malformed_json'],
  ['half of a surrogate pair', '{"object":"doc:\\ud800","relation":"viewer","subject":"user:a"}', 'malformed_json'],
  ['the other half', '{"object":"doc:1","relation":"viewer","subject":"user:\\udc00"}', 'malformed_json'],
  [
    'the same name twice',
    '{"object":"doc:1","object":"doc:2","relation":"viewer","subject":"user:a"}',
    'malformed_json',
  ],
  [
    '__proto__',
    '{"object":"doc:1","relation":"viewer","subject":"user:a","__proto__":{"allowed":true}}',
    'malformed_json',
  ],
  ['constructor', '{"object":"doc:1","relation":"viewer","subject":"user:a","constructor":{}}', 'malformed_json'],
  ['prototype, nested', '{"object":"doc:1","context":{"a":{"prototype":1}}}', 'malformed_json'],
  ['a name escaped to __proto__', '{"\\u005f_proto__":1}', 'malformed_json'],
  ['nesting past the bound', deep(70), 'malformed_json'],
  ['nesting of a million', '['.repeat(500_000), 'malformed_json'],
].map(([name, raw, code]) => ({
  name: `JSON: ${name}`,
  path: check,
  raw: raw as string,
  status: 400,
  code: code as string,
}));

const bytes: Malformed[] = [
  { name: 'a byte that is no UTF-8', raw: Uint8Array.of(0x22, 0xff, 0x22) },
  { name: 'an overlong slash', raw: Uint8Array.of(0x22, 0xc0, 0xaf, 0x22) },
  { name: 'a surrogate in UTF-8', raw: Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22) },
  { name: 'a byte order mark', raw: Buffer.from('\ufeff{}') },
  { name: 'UTF-16', raw: Buffer.from('{"object":"doc:1"}', 'utf16le') },
  { name: 'a NUL', raw: Buffer.from('{"object":\0}') },
  { name: 'compressed bytes', raw: Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0) },
].map(({ name, raw }) => ({ name: `encoding: ${name}`, path: check, raw, status: 400, code: 'malformed_json' }));

const types: Malformed[] = [
  ['null', null, ''],
  ['a list', [good], ''],
  ['a text', 'doc:1#viewer@user:anne', ''],
  ['a number', 7, ''],
  ['true', true, ''],
  ['an empty object', {}, 'relation'],
  ['two objects', { ...good, resource: 'doc:2' }, 'resource'],
  ['no object', { relation: 'viewer', subject: 'user:a' }, 'object'],
  ['no relation', { object: 'doc:1', subject: 'user:a' }, 'relation'],
  ['a number as object', { ...good, object: 1 }, 'object'],
  ['null as relation', { ...good, relation: null }, 'relation'],
  ['a list as subject', { ...good, subject: ['user:a'] }, 'subject'],
  ['an empty object text', { ...good, object: '' }, 'object'],
  ['an empty relation', { ...good, relation: '' }, 'relation'],
  ['an empty subject', { ...good, subject: '' }, 'subject'],
  ['an unknown field', { ...good, user: 'a' }, 'user'],
  ['context as a list', { ...good, context: [] }, 'context'],
  ['context as a text', { ...good, context: 'x' }, 'context'],
  ['contextual tuples as an object', { ...good, contextualTuples: {} }, 'contextualTuples'],
  ['a contextual tuple as a number', { ...good, contextualTuples: [1] }, 'contextualTuples[0]'],
  ['explain as a text', { ...good, explain: 'yes' }, 'explain'],
  ['consistency as a text', { ...good, consistency: 'full' }, 'consistency'],
  ['an unknown mode', { ...good, consistency: { mode: 'eventual' } }, 'consistency.mode'],
  ['a token that is a number', { ...good, consistency: { atLeast: 5 } }, 'consistency.mode'],
  ['an unknown field in consistency', { ...good, consistency: { mode: 'minimize_latency', x: 1 } }, 'consistency.x'],
  ['an object of 1,025 characters', { ...good, object: `doc:${'x'.repeat(1021)}` }, 'object'],
].map(([name, body, at]) => ({ name: `types: ${name}`, path: check, body, status: 400, code: bad, at: at as string }));

const names: Malformed[] = [
  ['an object without a type', { ...good, object: '1' }, 'invalid_tuple', 'object'],
  ['an object without an id', { ...good, object: 'doc:' }, 'invalid_tuple', 'object'],
  ['a wildcard as object', { ...good, object: 'doc:*' }, 'invalid_tuple', 'object'],
  ['white space in an id', { ...good, object: 'doc:a b' }, 'invalid_tuple', 'object'],
  ['a line break in an id', { ...good, object: 'doc:a\nb' }, 'invalid_tuple', 'object'],
  ['a hash in an object', { ...good, object: 'doc:1#viewer' }, 'invalid_tuple', 'object'],
  ['a control character in an id', { ...good, object: 'doc:a\u0001' }, 'invalid_tuple', 'object'],
  ['a C1 control character', { ...good, object: 'doc:a\u0085' }, 'invalid_tuple', 'object'],
  ['an id of 257 bytes', { ...good, object: `doc:${'x'.repeat(257)}` }, 'invalid_tuple', 'object'],
  ['an id of 257 bytes in 129 characters', { ...good, object: `doc:${'é'.repeat(129)}` }, 'invalid_tuple', 'object'],
  ['an unknown type', { ...good, object: 'nope:1' }, 'unknown_type', 'object'],
  ['an unknown relation', { ...good, relation: 'nope' }, 'unknown_relation', 'relation'],
  ['a relation with a hash', { ...good, relation: 'a#b' }, 'unknown_relation', 'relation'],
  ['the relation __proto__', { ...good, relation: '__proto__' }, 'unknown_relation', 'relation'],
  ['the type constructor', { ...good, object: 'constructor:1' }, 'unknown_type', 'object'],
  ['an unknown subject type', { ...good, subject: 'nope:1' }, 'unknown_type', 'subject'],
  ['a subject without a type', { ...good, subject: 'anne' }, 'invalid_tuple', 'subject'],
  ['a userset of a wildcard', { ...good, subject: 'user:*#member' }, 'invalid_tuple', 'subject'],
  ['a userset with an unknown relation', { ...good, subject: 'team:a#nope' }, 'unknown_relation', 'subject'],
  ['a userset without a relation', { ...good, subject: 'team:a#' }, 'invalid_tuple', 'subject'],
  [
    'a token made up',
    { ...good, consistency: { atLeast: 'xxxxxxxxxxxxxxxx' } },
    'invalid_token',
    'consistency.atLeast',
  ],
  [
    'a contextual tuple that does not fit',
    { ...good, contextualTuples: ['doc:1#viewer@doc:2'] },
    'invalid_contextual_tuple',
    'contextualTuples[0].subject',
  ],
  [
    'a contextual tuple with an unknown relation',
    { ...good, contextualTuples: ['doc:1#nope@user:a'] },
    'invalid_contextual_tuple',
    'contextualTuples[0].relation',
  ],
  [
    'a contextual tuple that is no tuple',
    { ...good, contextualTuples: ['hello'] },
    'invalid_contextual_tuple',
    'contextualTuples[0]',
  ],
  [
    'a contextual tuple with an unknown condition',
    {
      ...good,
      contextualTuples: [{ object: 'doc:1', relation: 'viewer', subject: 'user:a', condition: { name: 'nope' } }],
    },
    'invalid_contextual_tuple',
    undefined,
  ],
  [
    'a context of the wrong type',
    { object: 'doc:cond', relation: 'viewer', subject: 'user:anne', context: { level: 'high' } },
    'invalid_context',
    undefined,
  ],
].map(([name, body, code, at]) => ({
  name: `names: ${name}`,
  path: check,
  body,
  status: 400,
  code: code as string,
  ...(at === undefined ? {} : { at: at as string }),
}));

const sizes: Malformed[] = [
  {
    name: 'a body over 1 MiB',
    path: check,
    raw: `{"object":"${'x'.repeat(1_100_000)}"}`,
    status: 413,
    code: 'body_too_large',
  },
  {
    name: 'a context over its bound',
    path: check,
    body: { ...good, context: { a: 'x'.repeat(70_000) } },
    status: 413,
    code: 'too_large',
  },
  {
    name: '101 contextual tuples',
    path: check,
    body: { ...good, contextualTuples: Array.from({ length: 101 }, (_, i) => `doc:1#viewer@user:${i}`) },
    status: 413,
    code: 'too_large',
  },
  {
    name: '1,001 checks',
    path: '/zanzibar/check-bulk',
    body: { checks: Array(1001).fill(good) },
    status: 400,
    code: bad,
    at: 'checks',
  },
  { name: 'no checks', path: '/zanzibar/check-bulk', body: { checks: [] }, status: 400, code: bad, at: 'checks' },
  {
    name: 'checks as an object',
    path: '/zanzibar/check-bulk',
    body: { checks: {} },
    status: 400,
    code: bad,
    at: 'checks',
  },
  {
    name: '1,001 permission checks',
    path: '/authz/check-bulk',
    body: { checks: Array(1001).fill({ permission: 'a' }) },
    status: 400,
    code: bad,
    at: 'checks',
  },
  {
    name: '101 permissions',
    path: '/authz/check-any',
    body: { permissions: Array(101).fill('a') },
    status: 400,
    code: bad,
    at: 'permissions',
  },
  {
    name: '1,001 tuples',
    path: tuples,
    body: { writes: Array.from({ length: 1001 }, (_, i) => `doc:1#viewer@user:${i}`) },
    status: 400,
    code: bad,
    at: 'writes',
  },
  {
    name: '600 writes and 600 deletes',
    path: tuples,
    body: {
      writes: Array.from({ length: 600 }, (_, i) => `doc:1#viewer@user:${i}`),
      deletes: Array.from({ length: 600 }, (_, i) => `doc:2#viewer@user:${i}`),
    },
    status: 413,
    code: 'too_large',
  },
  {
    name: 'a page over its bound',
    path: '/zanzibar/list-objects',
    body: { type: 'doc', relation: 'viewer', subject: 'user:a', limit: 1001 },
    status: 400,
    code: bad,
    at: 'limit',
  },
  {
    name: 'a page of none',
    path: '/zanzibar/list-objects',
    body: { type: 'doc', relation: 'viewer', subject: 'user:a', limit: 0 },
    status: 400,
    code: bad,
    at: 'limit',
  },
  {
    name: 'a page of a half',
    path: '/zanzibar/list-objects',
    body: { type: 'doc', relation: 'viewer', subject: 'user:a', limit: 0.5 },
    status: 400,
    code: bad,
    at: 'limit',
  },
].map((each) => ({ ...each, name: `sizes: ${each.name}` }));

export const checkRequests: readonly Malformed[] = [...json, ...bytes, ...types, ...names, ...sizes];
