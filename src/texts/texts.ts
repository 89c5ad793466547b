import type { Parameters, Plural, TextKey } from './catalogue.ts';
import { chooseLanguage } from './choose-language.ts';
import { isLanguage, type Language, languages } from './languages.ts';
import type { Said } from './said.ts';

/**
 * The texts of one reader.
 *
 *     t('signIn.title')                                     // 'Sign in'
 *     t('signIn.waitMinutes', { count: 2, time })           // plural by `count`
 *     t.rich('consent.asks', { name: <Name text={name} /> })  // pieces of a sentence, for JSX
 *     t.moment(Date.now(), 'Europe/Berlin')                 // '23 Nov 2026, 18:41'
 *
 * A page has it as `visit.t`. A new text is a line in `en/` and one in `de/`, in the file of its area.
 */
export interface Texts {
  <K extends TextKey>(key: K, ...values: Parameters<K, string | number>): string;
  /** The same with markup as values: in the order of the sentence. */
  rich<K extends TextKey, V>(key: K, ...values: Parameters<K, V | string | number>): (string | V)[];
  /** What a service has said in no language yet. */
  said(text: Said): string;
  readonly language: Language;
  /** Language and region, for `Intl` and `<html lang>`. */
  readonly tag: string;
  /** Date and time in a zone of the IANA database; the zone is named where it is UTC. */
  moment(at: number, zone?: string): string;
  /** Hours and minutes. */
  time(at: number, zone?: string): string;
  /** The date alone. */
  day(at: number, zone?: string): string;
  number(value: number): string;
  /** `a, b and c`, of alternatives `a, b or c`. */
  list(items: readonly string[], kind?: 'and' | 'or'): string;
}

const known = new Map<string, Texts>();
/** Regions are many, and come from outside. */
const KNOWN_MAX = 100;

/** The texts for a reader: see `chooseLanguage`. */
export function textsFor(acceptLanguage: string, setting?: string): Texts {
  const tag = chooseLanguage(acceptLanguage, setting);
  let texts = known.get(tag);
  if (texts === undefined) {
    if (known.size >= KNOWN_MAX) known.clear();
    texts = textsIn(tag);
    known.set(tag, texts);
  }
  return texts;
}

function textsIn(tag: string): Texts {
  const base = tag.split('-', 1)[0] ?? '';
  const language = isLanguage(base) ? base : 'en';
  const plurals = new Intl.PluralRules(tag);
  const numbers = new Intl.NumberFormat(tag);
  const written = (value: unknown) => (typeof value === 'number' ? numbers.format(value) : value);
  const pieces = (key: TextKey, values: Readonly<Record<string, unknown>> = {}): unknown[] =>
    // what stands between braces is every second piece
    templateOf(language, key, plurals, values.count)
      .split(/\{(\w+)\}/)
      .map((piece, at) => (at % 2 === 0 ? piece : written(values[piece])))
      .filter((piece) => piece !== '');
  const t = (key: TextKey, values?: Readonly<Record<string, unknown>>) => pieces(key, values).join('');
  const members: Pick<Texts, keyof Texts> = {
    rich: (key, ...[values]) => pieces(key, values) as never,
    said: ({ key, values }) => t(key, values),
    language,
    tag,
    moment: (at, zone = 'UTC') => withZone(formatted(tag, at, zone, { dateStyle: 'medium', timeStyle: 'short' }), zone),
    time: (at, zone = 'UTC') => withZone(formatted(tag, at, zone, { timeStyle: 'short' }), zone),
    day: (at, zone = 'UTC') => formatted(tag, at, zone, { dateStyle: 'medium' }),
    number: (value) => numbers.format(value),
    list: (items, kind = 'and') =>
      new Intl.ListFormat(tag, { type: kind === 'and' ? 'conjunction' : 'disjunction' }).format(items),
  };
  return Object.assign(t, members) as Texts;
}

function templateOf(language: Language, key: TextKey, plurals: Intl.PluralRules, count: unknown): string {
  const [area = '', name = ''] = key.split('.');
  const areas: Readonly<Record<string, Readonly<Record<string, string | Plural>>>> = languages[language];
  const entry = areas[area]?.[name];
  // the types know every key
  if (entry === undefined) throw new RangeError(`there is no text ${key}`);
  return typeof entry === 'string' ? entry : (entry[plurals.select(Number(count))] ?? entry.other);
}

function formatted(tag: string, at: number, zone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(tag, { ...options, timeZone: zone }).format(at);
}

function withZone(text: string, zone: string): string {
  return zone === 'UTC' ? `${text} UTC` : text;
}
