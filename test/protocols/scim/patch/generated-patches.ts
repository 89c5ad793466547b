import * as fc from 'fast-check';
import type { ScimResource } from '../../../../src/protocols/scim/documents/scim-resource.ts';
import { core, enterprise } from '../people.ts';
import type { Sent } from './patching.ts';

// in small letters, as the oracle knows no case rules; without ":" and "." in filters, at which it cuts paths
const words = ['a', 'b', 'ab', 'ba', 'x y', 'é'];
const types = ['work', 'home', 'other'];
const lists = ['emails', 'phoneNumbers', 'roles'] as const;

const word = fc.constantFrom(...words);
const type = fc.constantFrom(...types);
const list = fc.constantFrom(...lists);
const some = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined, freq: 2 });
const stripped = <T extends object>(of: fc.Arbitrary<T>) => of.map((made) => JSON.parse(JSON.stringify(made)) as T);

const entry = stripped(fc.record({ value: word, type: some(type), display: some(word) }));
const primaryEntry = stripped(fc.record({ value: word, type: some(type), primary: fc.boolean() }));
const anyEntry = fc.oneof({ arbitrary: entry, weight: 3 }, { arbitrary: primaryEntry, weight: 1 });

/** Values that differ by type and value, of which one at most is primary. */
const entries = (min: number) =>
  fc
    .uniqueArray(entry, {
      minLength: min,
      maxLength: 4,
      selector: ({ value, type: kind }) => `${kind} ${value}`,
    })
    .chain((made) =>
      fc.nat(made.length).map((at) => made.map((each, index) => (index === at ? { ...each, primary: true } : each))),
    );

export const users: fc.Arbitrary<ScimResource> = fc
  .record({
    userName: word,
    title: some(word),
    active: some(fc.boolean()),
    name: stripped(fc.record({ familyName: word, givenName: some(word) })),
    emails: entries(1),
    phoneNumbers: some(entries(1)),
    roles: some(entries(1)),
    [enterprise]: some(stripped(fc.record({ department: word, manager: some(fc.record({ value: word })) }))),
  })
  .map((made) => {
    const user = JSON.parse(JSON.stringify(made)) as ScimResource;
    return { schemas: enterprise in user ? [core, enterprise] : [core], id: 'u1', ...user };
  });

const filter = fc.oneof(
  { arbitrary: type.map((kind) => `type eq "${kind}"`), weight: 4 },
  { arbitrary: word.map((value) => `value eq "${value}"`), weight: 3 },
  { arbitrary: fc.tuple(type, word).map(([kind, value]) => `type eq "${kind}" and value sw "${value}"`), weight: 1 },
  { arbitrary: type.map((kind) => `not (type eq "${kind}")`), weight: 1 },
  fc.constant('primary eq true'),
  fc.constant('value pr'),
  fc.constant('type sw "w" or display pr'),
);
const selection = fc.tuple(list, filter).map(([name, text]) => `${name}[${text}]`);

const simple = fc.constantFrom(
  'title',
  'nickName',
  'userName',
  'name.givenName',
  'name.middleName',
  'name.familyName',
  `${core}:title`,
  `${core}:name.givenName`,
  `${enterprise}:department`,
  `${enterprise}:costCenter`,
  `${enterprise}:manager.value`,
);
const part = fc.constantFrom('value', 'display', 'type');

/** `add` or `replace`, in the letters that the oracle knows as well. */
const set = fc.constantFrom('add', 'replace', 'Add', 'Replace');
const remove = fc.constantFrom('remove', 'Remove');
const sent = (op: fc.Arbitrary<string>, path: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>) =>
  fc.record({ op, path, value });

const whole = stripped(
  fc.record({
    title: some(word),
    active: some(fc.boolean()),
    'name.middleName': some(word),
    name: some(stripped(fc.record({ givenName: some(word), honorificPrefix: word }))),
    [`${enterprise}:costCenter`]: some(word),
    [enterprise]: some(fc.record({ department: word, division: word })),
    emails: some(fc.array(anyEntry, { minLength: 1, maxLength: 2 })),
    roles: some(anyEntry),
  }),
);

/** One operation of any kind. */
export const operations: fc.Arbitrary<Sent> = fc.oneof(
  { arbitrary: sent(set, simple, word), weight: 3 },
  { arbitrary: sent(set, fc.constant('active'), fc.boolean()), weight: 1 },
  { arbitrary: sent(set, fc.constant('name'), fc.record({ familyName: word, honorificSuffix: word })), weight: 1 },
  { arbitrary: sent(set, fc.constant(`${enterprise}:manager`), fc.record({ value: word })), weight: 1 },
  { arbitrary: sent(set, list, fc.array(anyEntry, { minLength: 1, maxLength: 3 })), weight: 4 },
  { arbitrary: sent(set, list, anyEntry), weight: 2 },
  { arbitrary: sent(set, selection, entry), weight: 2 },
  { arbitrary: sent(fc.constant('replace'), selection, anyEntry), weight: 2 },
  {
    arbitrary: sent(
      set,
      fc.tuple(selection, part).map(([chosen, name]) => `${chosen}.${name}`),
      word,
    ),
    weight: 5,
  },
  {
    arbitrary: sent(
      set,
      selection.map((chosen) => `${chosen}.primary`),
      fc.boolean(),
    ),
    weight: 2,
  },
  { arbitrary: sent(set, fc.constantFrom('emails.display', 'emails.type'), word), weight: 1 },
  { arbitrary: fc.record({ op: set, value: whole }), weight: 3 },
  { arbitrary: fc.record({ op: remove, path: fc.oneof(simple, list, fc.constantFrom('active', 'name')) }), weight: 3 },
  { arbitrary: fc.record({ op: remove, path: selection }), weight: 3 },
  {
    arbitrary: fc.record({ op: remove, path: fc.tuple(selection, part).map(([chosen, name]) => `${chosen}.${name}`) }),
    weight: 2,
  },
  { arbitrary: sent(remove, list, fc.array(entry, { minLength: 1, maxLength: 2 })), weight: 2 },
);
