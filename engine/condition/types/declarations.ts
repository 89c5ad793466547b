import { readType, type Type } from './type.ts';

export interface Overload {
  /** Called as `value.name(…)`: the receiver is the first parameter. */
  readonly isMethod: boolean;
  readonly parameters: readonly Type[];
  readonly result: Type;
}

const ORDERED = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'];
/** Numbers of two kinds: cel-go orders them only where it is told to, and OpenFGA does not tell it. */
const MIXED = ['int, uint', 'int, double', 'uint, int', 'uint, double', 'double, int', 'double, uint'];
const COMPARED = [...ORDERED.map((type) => `${type}, ${type}`), ...MIXED].map((pair) => `${pair}: bool`);
const DATE = ['timestamp.: int', 'timestamp.string: int'];
const CLOCK = [...DATE, 'duration.: int'];

/**
 * What every operator and function takes and gives. `int, int: int` is called as an operator or a function,
 * `string.int: string` as a method of a string. Those of OpenFGA are those of cel-go's standard environment.
 */
const DECLARED: Readonly<Record<string, readonly string[]>> = {
  '?:': ['bool, A, A: A'],
  '||': ['bool, bool: bool'],
  '&&': ['bool, bool: bool'],
  '!': ['bool: bool'],
  '==': ['A, A: bool'],
  '!=': ['A, A: bool'],
  '<': COMPARED,
  '<=': COMPARED,
  '>': COMPARED,
  '>=': COMPARED,
  in: ['A, list<A>: bool', 'A, map<A, B>: bool'],
  '[]': ['list<A>, int: A', 'map<A, B>, A: B'],
  // in the order of cel-go: of operands that nothing is known of, the first is taken
  '+': [
    ...['bytes', 'double', 'duration'].map((type) => `${type}, ${type}: ${type}`),
    'duration, timestamp: timestamp',
    'timestamp, duration: timestamp',
    ...['int', 'list<A>', 'string', 'uint'].map((type) => `${type}, ${type}: ${type}`),
  ],
  '-': [
    ...['double', 'duration', 'int'].map((type) => `${type}, ${type}: ${type}`),
    'timestamp, duration: timestamp',
    'timestamp, timestamp: duration',
    'uint, uint: uint',
  ],
  '*': ['double', 'int', 'uint'].map((type) => `${type}, ${type}: ${type}`),
  '/': ['double', 'int', 'uint'].map((type) => `${type}, ${type}: ${type}`),
  '%': ['int', 'uint'].map((type) => `${type}, ${type}: ${type}`),
  negate: ['double: double', 'int: int'],

  size: ['string', 'bytes', 'list<A>', 'map<A, B>'].flatMap((type) => [`${type}: int`, `${type}.: int`]),
  type: ['A: type'],
  dyn: ['A: dyn'],
  bool: ['bool: bool', 'string: bool'],
  bytes: ['bytes: bytes', 'string: bytes'],
  double: ['double', 'int', 'uint', 'string'].map((type) => `${type}: double`),
  int: ['int', 'uint', 'double', 'string', 'timestamp', 'duration'].map((type) => `${type}: int`),
  uint: ['uint', 'int', 'double', 'string'].map((type) => `${type}: uint`),
  string: ['string', 'bool', 'bytes', 'int', 'uint', 'double', 'timestamp', 'duration'].map(
    (type) => `${type}: string`,
  ),
  timestamp: ['timestamp', 'int', 'string'].map((type) => `${type}: timestamp`),
  duration: ['duration', 'string'].map((type) => `${type}: duration`),
  ipaddress: ['string: ipaddress'],
  matches: ['string, string: bool', 'string.string: bool'],
  contains: ['string.string: bool'],
  startsWith: ['string.string: bool'],
  endsWith: ['string.string: bool'],
  in_cidr: ['ipaddress.string: bool'],
  getFullYear: DATE,
  getMonth: DATE,
  getDate: DATE,
  getDayOfMonth: DATE,
  getDayOfWeek: DATE,
  getDayOfYear: DATE,
  getHours: CLOCK,
  getMinutes: CLOCK,
  getSeconds: CLOCK,
  getMilliseconds: CLOCK,

  // these are not of OpenFGA
  trim: ['string.: string'],
  lowerAscii: ['string.: string'],
  upperAscii: ['string.: string'],
  split: ['string.string: list<string>', 'string.string, int: list<string>'],
  join: ['list<string>.: string', 'list<string>.string: string'],
};

export const DECLARATIONS: ReadonlyMap<string, readonly Overload[]> = new Map(
  Object.entries(DECLARED).map(([name, overloads]) => [name, overloads.map(readOverload)]),
);

/** Operators are told from functions by their names, which no function can have; `in` is a word of its own. */
export function isOperator(name: string): boolean {
  return name === 'in' || name === 'negate' || !/^[a-z]/i.test(name);
}

function readOverload(text: string): Overload {
  const colon = text.lastIndexOf(': ');
  const taken = text.slice(0, colon);
  const result = readType(text.slice(colon + 2));
  const dot = taken.indexOf('.');
  const receiver = dot < 0 ? [] : [taken.slice(0, dot)];
  const rest = taken.slice(dot + 1);
  const parameters = [...receiver, ...(rest === '' ? [] : rest.split(/, (?![^<]*>)/))];
  return { isMethod: dot >= 0, parameters: parameters.map(readType), result };
}
