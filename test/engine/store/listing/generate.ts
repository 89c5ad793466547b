import fc from 'fast-check';
import type { ListingDefinition } from '../../../../engine/command/listing-definition.ts';

/** Blocks of two entries and sets after every fifth row, so that a few records make many of both. */
export const definition: ListingDefinition = {
  collection: 'people',
  orders: [
    { name: 'email', paths: ['email'] },
    { name: 'name', paths: ['name', 'email'] },
    { name: 'number', paths: ['number'] },
    { name: 'outside', paths: ['more.id'], isExact: true },
  ],
  text: ['email', 'name'],
  flags: ['isActive', 'isBlocked'],
  memberships: { subjectType: 'user', relations: ['group#member', 'doc#viewer'] },
  blockSize: 2,
  recentMax: 5,
};

export interface Person {
  readonly email?: string;
  readonly name?: string;
  readonly number?: number;
  readonly isActive?: boolean;
  readonly isBlocked?: boolean;
  readonly more?: { readonly id?: string };
}

/**
 * Letters that fold in more than one way, letters in two parts, characters of two code units and those that come after
 * them by code units but before them by bytes, and what means something in JSON and in keys.
 */
const letters = [
  'a',
  'b',
  'A',
  'B',
  'ab',
  'ß',
  'İ',
  'Å',
  'A\u030a',
  'é',
  'e\u0301',
  '😀',
  '\u{10400}',
  '\uf8ff',
  '\ufffd',
];
const signs = ['"', '\\', '\n', '\u0000', ',', '1', ' ', '\u2028', 'null', '~'];
const unit = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...letters) },
  { weight: 1, arbitrary: fc.constantFrom(...signs) },
);
export const text = fc.array(unit, { maxLength: 7 }).map((units) => units.join(''));
const long = fc.constantFrom('x'.repeat(1_023), `${'x'.repeat(1_024)}a`, 'é'.repeat(900));

export const id = fc.constantFrom(...Array.from({ length: 24 }, (_, at) => `p${at}`), 'ü', 'p1x', '\uf8ff', '😀');

const unsigned = (number: number): number => (number === 0 ? 0 : number);

export const person: fc.Arbitrary<Person> = fc.record(
  {
    email: fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: long }),
    name: text,
    // there is one zero in JSON
    number: fc
      .oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
      .map(unsigned),
    isActive: fc.boolean(),
    isBlocked: fc.boolean(),
    more: fc.record({ id: text }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

/** A record is put or removed, or a tuple of it is, or all tuples of an object are. */
export type Step =
  | { readonly kind: 'record'; readonly id: string; readonly person: Person | undefined }
  | { readonly kind: 'tuple'; readonly id: string; readonly object: string; readonly how: How }
  | { readonly kind: 'gone'; readonly object: string };

type How = 'written' | 'packed' | 'with a condition' | 'until later' | 'until earlier' | 'deleted';

const object = fc.constantFrom('group:a', 'group:ü', 'doc:1');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('record' as const),
      id,
      person: fc.option(person, { nil: undefined, freq: 4 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('tuple' as const),
      id,
      object,
      how: fc.constantFrom<How[]>(
        'written',
        'packed',
        'written',
        'with a condition',
        'until later',
        'until earlier',
        'deleted',
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('gone' as const),
      object: fc.oneof(
        object,
        id.map((each) => `user:${each}`),
      ),
    }),
  },
);

/** Commands of some changes each. */
export const commands = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });

export interface Asked {
  readonly search: string | undefined;
  readonly where: Readonly<Record<string, boolean | undefined>>;
  readonly between: readonly { readonly from: number | undefined; readonly below: number | undefined }[];
  readonly within: readonly string[] | undefined;
  /** Objects. */
  readonly memberOf: readonly string[];
  readonly order: string | undefined;
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
}

const bound = fc.option(fc.oneof(fc.integer({ min: -4, max: 4 }), fc.double({ noNaN: true })).map(unsigned), {
  nil: undefined,
});
const flag = fc.option(fc.boolean(), { nil: undefined, freq: 2 });
export const asked: fc.Arbitrary<Asked> = fc.record({
  search: fc.option(
    fc.array(fc.constantFrom(...letters, ...signs), { maxLength: 4 }).map((units) => units.join('')),
    {
      nil: undefined,
      freq: 2,
    },
  ),
  where: fc.record({ isActive: flag, isBlocked: flag }),
  between: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.record({ from: bound, below: bound }), { maxLength: 2 }) },
  ),
  within: fc.option(fc.array(id, { maxLength: 12 }), { nil: undefined, freq: 1 }),
  memberOf: fc.oneof(
    fc.constant([]),
    fc.array(fc.constantFrom('group:a', 'group:ü', 'doc:1', 'group:a', 'group:nobody'), { maxLength: 2 }),
  ),
  order: fc.constantFrom(undefined, '', ...definition.orders.map(({ name }) => name)),
  descending: fc.boolean(),
  offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12 })),
  limit: fc.integer({ min: 0, max: 8 }),
});
