import type { Context } from '../../../engine/condition/index.ts';

type Kind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'type'
  | 'timestamp'
  | 'duration'
  | 'ip'
  | 'dyn'
  | 'ints'
  | 'texts'
  | 'mixed'
  | 'numbered'
  | 'named';

/** The parameters that an expression may name. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  b: 'bool',
  i: 'int',
  u: 'uint',
  f: 'double',
  s: 'string',
  t: 'timestamp',
  d: 'duration',
  ip: 'ipaddress',
  l: 'list<int>',
  ls: 'list<string>',
  m: 'map<string>',
  mi: 'map<int>',
  a: 'any',
  at: 'attributes',
};

const last = { t: '9999-12-31T23:59:59.999Z', d: '2562047h' };
export const CONTEXTS: readonly Context[] = [
  { b: true, i: 3, u: 4, f: 2.5, s: 'abc', t: '2026-03-02T10:20:30.400Z', d: '36h', ip: '10.0.0.7', l: [1, 2, 3] },
  { b: false, i: -1, u: 0, f: -0.5, s: '', t: '1970-01-01T00:00:00Z', d: '-1.5s', ip: '::1', l: [] },
  { b: false, i: 0, u: 7, f: 1e300, s: 'äß😀', ip: '192.168.1.1', l: [0, -5], ...last },
  { b: true, i: 7, u: 1, f: 3, s: '10.0.0.1', t: '0001-01-01T00:00:00Z', d: '0', ip: '10.0.0.1', l: [7] },
].map((scalars, at) => ({
  ...scalars,
  ls: [['a', 'b'], [], ['abc'], ['10.0.0.1']][at],
  m: [{ a: 'x', b: 'y' }, {}, { k: '' }, { a: '' }][at],
  mi: [{ a: 1, b: 2 }, {}, { a: 0 }, { b: 9 }][at],
  a: [3, 'text', null, [1, 2]][at],
  at: [{ a: 1, b: 'x', n: null, l: [1, 'a'] }, {}, { a: { b: { c: true } } }, { l: [3] }][at],
}));

const LITERALS: Readonly<Record<Kind, readonly string[]>> = {
  bool: ['true', 'false'],
  int: ['0', '1', '-1', '2', '9223372036854775807', '0x10'],
  uint: ['0u', '3u', '18446744073709551615u'],
  double: ['0.0', '1.5', '-2.0', '1e3', '.5'],
  string: ['"a"', '""', "'b'", '"10.0.0.1"', 'r"\\d"', '"1"', '"2026-01-01T00:00:00Z"', '"1h"', '"true"'],
  bytes: ['b"ab"', 'b"\\xff"', 'bytes("a")'],
  null: ['null'],
  type: ['int', 'string', 'list', 'type', 'null_type', 'google.protobuf.Timestamp', 'dyn'],
  timestamp: ['timestamp("2026-01-01T00:00:00Z")', 'timestamp(0)'],
  duration: ['duration("1h")', 'duration("-1.5s")'],
  ip: ['ipaddress("10.0.0.1")'],
  dyn: ['dyn(1)', 'dyn("a")', 'dyn(1.0)', 'dyn(null)', 'dyn([1])', 'dyn(2u)'],
  ints: ['[]', '[1]', '[3, 1]'],
  texts: ['["a"]', '["a", "b"]'],
  mixed: ['[1, "a"]', '[1, 1.0, true]', '[null, 1]'],
  numbered: ['{}', '{"a": 1}', '{"a": 1, "b": 2}'],
  named: ['{"a": "x"}'],
};
const KINDS = Object.keys(LITERALS) as Kind[];

/** A kind in capital letters stands for an expression of it; `ANY` for one of any. `LIST` binds a name for `BODY`. */
const FORMS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  bool: [
    ...['(ANY == ANY)', '(DYN != ANY)', '(INT < INT)', '(DOUBLE >= DOUBLE)', '(STRING <= STRING)', '(DYN > DYN)'],
    ...['(TIMESTAMP < TIMESTAMP)', '(DURATION > DURATION)', '(BYTES < BYTES)', '(BOOL && BOOL)', '(BOOL || BOOL)'],
    ...[
      '!BOOL',
      '(BOOL ? BOOL : BOOL)',
      '(INT in INTS)',
      '(STRING in TEXTS)',
      '(STRING in NUMBERED)',
      '(DYN in MIXED)',
    ],
    ...['STRING.contains(STRING)', 'STRING.startsWith(STRING)', 'STRING.matches(STRING)', 'matches(STRING, STRING)'],
    ...[
      'has(m.a)',
      'has(at.a)',
      'has(at.a.b)',
      'has(a.zz)',
      'has(s.a)',
      'IP.in_cidr("10.0.0.0/8")',
      'IP.in_cidr(STRING)',
    ],
    ...['bool(STRING)', 'bool(DYN)', '(type(ANY) == TYPE)', '(TIMESTAMP != null)', '(IP == null)', '(DYN == null)'],
    ...['LIST.all(x, BODY)', 'LIST.exists(y, BODY)', 'LIST.exists_one(x, BODY)'],
  ],
  int: [
    ...['(INT + INT)', '(INT - INT)', '(INT * INT)', '(INT / INT)', '(INT % INT)', '-INT', 'size(ANY)', 'INTS.size()'],
    ...['int(UINT)', 'int(DOUBLE)', 'int(STRING)', 'int(TIMESTAMP)', 'int(DURATION)', 'int(ANY)', 'INTS[INT]'],
    ...['TIMESTAMP.getFullYear()', 'TIMESTAMP.getMonth("Europe/Berlin")', 'TIMESTAMP.getDate("-08:00")'],
    ...[
      'TIMESTAMP.getDayOfYear()',
      'TIMESTAMP.getDayOfWeek(STRING)',
      'TIMESTAMP.getHours("UTC")',
      'DURATION.getHours()',
    ],
    ...['DURATION.getMilliseconds()', 'NUMBERED[STRING]', 'NUMBERED.a', '(BOOL ? INT : INT)'],
  ],
  uint: ['(UINT + UINT)', '(UINT - UINT)', '(UINT * UINT)', '(UINT / UINT)', 'uint(INT)', 'uint(DOUBLE)', 'uint(ANY)'],
  double: ['(DOUBLE + DOUBLE)', '(DOUBLE / DOUBLE)', 'double(INT)', 'double(STRING)', '-DOUBLE'],
  string: [
    ...['(STRING + STRING)', 'string(INT)', 'string(DOUBLE)', 'string(TIMESTAMP)', 'string(DURATION)', 'string(ANY)'],
    ...['TEXTS[INT]', 'NAMED[STRING]', 'NAMED.b', '(BOOL ? STRING : STRING)'],
  ],
  bytes: ['(BYTES + BYTES)', 'bytes(STRING)'],
  type: ['type(ANY)'],
  timestamp: ['(TIMESTAMP + DURATION)', '(DURATION + TIMESTAMP)', '(TIMESTAMP - DURATION)', 'timestamp(INT)'],
  duration: ['(DURATION + DURATION)', '(DURATION - DURATION)', '(TIMESTAMP - TIMESTAMP)', 'duration(STRING)'],
  ip: ['ipaddress(STRING)'],
  dyn: [
    ...['dyn(ANY)', 'MIXED[INT]', '(DYN + ANY)', '(DYN - DYN)', 'DYN.a', 'DYN[STRING]', 'DYN[INT]', '-DYN'],
    ...['(BOOL ? DYN : ANY)', 'at.a', 'at["b"]', 'at.l', 'a.b'],
  ],
  ints: ['[INT, INT]', '(INTS + INTS)', 'INTS.filter(x, BOOL)', 'INTS.map(y, INT)'],
  texts: ['[STRING, STRING]', '(TEXTS + TEXTS)', 'TEXTS.filter(x, BOOL)'],
  mixed: ['[ANY, ANY]'],
  numbered: ['{STRING: INT}'],
  named: ['{STRING: STRING}'],
};

const VARIABLES: Readonly<Partial<Record<Kind, string>>> = {
  bool: 'b',
  int: 'i',
  uint: 'u',
  double: 'f',
  string: 's',
  timestamp: 't',
  duration: 'd',
  ip: 'ip',
  ints: 'l',
  texts: 'ls',
  named: 'm',
  numbered: 'mi',
  dyn: 'a',
};
const MISFIT = 0.05;
const LEAF = 0.15;

/** Most of its parts fit each other: what no type fits is refused by everybody, and shows little. */
export function randomExpression(random: () => number, depth: number): string {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const make = (wanted: Kind, left: number, bound: readonly string[]): string => {
    const kind = random() < MISFIT ? pick(KINDS) : wanted;
    const forms = FORMS[kind];
    if (bound.length > 0 && random() < LEAF) return pick(bound);
    if (left <= 0 || forms === undefined || random() < LEAF) {
      const variable = VARIABLES[kind];
      return variable !== undefined && random() < 0.6 ? variable : pick(LITERALS[kind]);
    }
    const form = pick(forms);
    const name = /\((x|y), /.exec(form)?.[1];
    const inner = name === undefined ? bound : [...bound, name];
    return form.replaceAll(/[A-Z]{2,}/g, (word, at: number) => {
      // `(x, BODY)`: what comes behind the name is in its scope
      const scope = name !== undefined && at > form.indexOf(`(${name}, `) ? inner : bound;
      if (word === 'UTC') return word;
      if (word === 'ANY') return make(pick(KINDS), left - 1, scope);
      if (word === 'LIST') return make(pick(['ints', 'texts', 'numbered', 'mixed', 'dyn'] as const), left - 1, scope);
      return make(word === 'BODY' ? 'bool' : (word.toLowerCase() as Kind), left - 1, scope);
    });
  };
  return make('bool', depth, []);
}
