import * as fc from 'fast-check';
import type { ScimResource } from '../../../../src/protocols/scim/documents/scim-resource.ts';
import { core, enterprise } from '../people.ts';

/** Words of which some begin, contain or equal others, in both cases. */
const words = ['a', 'A', 'b', 'ab', 'Ab', 'ba', 'x y', 'a"b', 'b@a.example', '(a)', 'a] or b', 'ä'];
const times = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.500Z',
  '2026-01-01T02:00:00+02:00',
  '2025-12-31T23:00:00-01:00',
  '2026-06-01T12:00:00Z',
];
const types = ['work', 'Work', 'home'];

const word = fc.constantFrom(...words);
const some = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined, freq: 2 });
const record = <T>(fields: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) =>
  fc.record(fields).map((made) => JSON.parse(JSON.stringify(made)) as object);

const email = record({
  value: word,
  type: some(fc.constantFrom(...types)),
  display: some(word),
  primary: some(fc.boolean()),
});

/** Users who have something of everything, or not. */
export const users: fc.Arbitrary<ScimResource> = fc
  .record({
    id: word,
    externalId: some(word),
    userName: word,
    title: some(word),
    active: some(fc.boolean()),
    name: some(record({ familyName: word, givenName: some(word) })),
    emails: some(fc.array(email, { minLength: 1, maxLength: 3 })),
    roles: some(fc.array(record({ value: word }), { minLength: 1, maxLength: 2 })),
    meta: record({ created: fc.constantFrom(...times), lastModified: fc.constantFrom(...times) }),
    [enterprise]: some(record({ department: word, manager: some(record({ value: word })) })),
  })
  .map((made) => JSON.parse(JSON.stringify(made)) as ScimResource);

const texts = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'];
const orders = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'];
const quoted = word.map((value) => JSON.stringify(value));

interface Kind {
  readonly names: readonly string[];
  readonly operators: readonly string[];
  readonly values: fc.Arbitrary<string>;
}

const kinds: readonly Kind[] = [
  {
    names: ['userName', 'title', 'name.familyName', 'name.givenName', 'id', 'externalId', 'emails', 'roles'],
    operators: texts,
    values: quoted,
  },
  {
    names: ['emails.value', 'emails.type', 'emails.display', `${core}:userName`, `${core}:name.familyName`],
    operators: texts,
    values: fc.oneof(quoted, fc.constantFrom(...types.map((type) => JSON.stringify(type)))),
  },
  {
    names: [`${enterprise}:department`, `${enterprise}:manager.value`, `${enterprise}:manager`],
    operators: texts,
    values: quoted,
  },
  { names: ['active', 'emails.primary'], operators: ['eq', 'ne'], values: fc.constantFrom('true', 'false') },
  {
    names: ['meta.created', 'meta.lastModified'],
    operators: orders,
    values: fc.constantFrom(...times).map((time) => `"${time}"`),
  },
  { names: ['title', 'name.givenName', 'emails', 'externalId'], operators: ['eq', 'ne'], values: fc.constant('null') },
];
const presence = ['title', 'name', 'emails', 'emails.display', 'externalId', `${enterprise}:manager`, 'active'];

const parts: readonly Kind[] = [
  { names: ['value', 'type', 'display'], operators: texts, values: quoted },
  { names: ['type'], operators: ['eq', 'ne'], values: fc.constantFrom('"work"', '"home"') },
  { names: ['primary'], operators: ['eq', 'ne'], values: fc.constantFrom('true', 'false') },
  { names: ['display', 'type'], operators: ['eq', 'ne'], values: fc.constant('null') },
];

/** Letters of names and operators have no case. */
const anyCase = (text: string) =>
  fc.constantFrom(text, text, text.toUpperCase(), text.toLowerCase(), text[0]?.toUpperCase() + text.slice(1));

const comparison = (from: readonly Kind[]) =>
  fc
    .constantFrom(...from)
    .chain(({ names, operators, values }) =>
      fc.tuple(fc.constantFrom(...names).chain(anyCase), fc.constantFrom(...operators).chain(anyCase), values),
    )
    .map((terms) => terms.join(' '));

const present = (names: readonly string[]) =>
  fc.tuple(fc.constantFrom(...names).chain(anyCase), anyCase('pr')).map((terms) => terms.join(' '));

/** Binds how firmly: an `or` inside an `and` needs brackets, and not the other way round. */
interface Piece {
  readonly text: string;
  readonly binding: 'or' | 'and' | 'term';
}

const term = (text: string): Piece => ({ text, binding: 'term' });
const inside = ({ text, binding }: Piece, ...bare: readonly Piece['binding'][]) =>
  bare.includes(binding) ? text : `(${text})`;

function expressions(leaf: fc.Arbitrary<Piece>): fc.Arbitrary<Piece> {
  const { all } = fc.letrec<{ all: Piece; series: Piece; negation: Piece }>((tie) => ({
    all: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, leaf, tie('series'), tie('negation')),
    series: fc
      .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(tie('all'), { minLength: 2, maxLength: 3 }))
      .chain(([binding, pieces]) =>
        anyCase(binding).map((joint) => ({
          text: pieces
            .map((piece) => (binding === 'or' ? inside(piece, 'and', 'term') : inside(piece, 'term')))
            .join(` ${joint} `),
          binding,
        })),
      ),
    negation: tie('all').map(({ text }) => term(`not (${text})`)),
  }));
  return all;
}

const valuePath = expressions(fc.oneof(comparison(parts), present(['display', 'type', 'value'])).map(term)).chain(
  ({ text }) => anyCase('emails').map((name) => term(`${name}[${text}]`)),
);

/** Filters of users, as text: all of the grammar. */
export const filters: fc.Arbitrary<string> = expressions(
  fc.oneof(
    { arbitrary: comparison(kinds).map(term), weight: 5 },
    { arbitrary: present(presence).map(term), weight: 1 },
    { arbitrary: valuePath, weight: 2 },
  ),
).map(({ text }) => text);
