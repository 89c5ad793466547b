import { describe, expect, it } from 'vitest';
import { languages, textsFor } from '../../src/texts/index.ts';
import { readTree, repositoryRoot } from '../architecture/source-tree.ts';

type Entry = string | Readonly<Record<string, string>>;
type Texts = Readonly<Record<string, Readonly<Record<string, Entry>>>>;

const { en, ...others } = languages;
const english: Texts = en;
const translated = Object.entries(others) as [string, Texts][];

const keysOf = (texts: Texts) =>
  Object.entries(texts).flatMap(([area, entries]) => Object.keys(entries).map((name) => `${area}.${name}`));
const entryOf = (texts: Texts, key: string): Entry => {
  const [area = '', name = ''] = key.split('.');
  return texts[area]?.[name] ?? '';
};
const formsOf = (entry: Entry): string[] => (typeof entry === 'string' ? [entry] : Object.values(entry));
const namesIn = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();
/** A form may leave out the count that it stands for. */
const namesOf = (entry: Entry) => {
  const names = [...new Set(formsOf(entry).flatMap(namesIn))].sort();
  return typeof entry === 'string' ? names : names.filter((name) => name !== 'count');
};

describe.each(translated)('the texts in %s', (language, texts) => {
  it('are those in English, with the same parameters and the plural forms of the language', () => {
    expect(keysOf(texts)).toEqual(keysOf(english));
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const key of keysOf(english)) {
      const [theirs, own] = [entryOf(english, key), entryOf(texts, key)];
      expect({ key, names: namesOf(own) }).toEqual({ key, names: namesOf(theirs) });
      if (typeof own !== 'string')
        expect({ key, forms: Object.keys(own).sort() }).toEqual({ key, forms: forms.sort() });
    }
  });

  it('leave nothing empty, nothing with spaces around it, and no brace without a parameter', () => {
    for (const key of keysOf(texts)) {
      for (const form of formsOf(entryOf(texts, key))) {
        expect({ key, form: form.trim() }).toEqual({ key, form });
        expect({ key, form: form.replace(/\{\w+\}/g, '') }).toEqual({ key, form: expect.stringMatching(/^[^{}]*$/) });
        expect({ key, isEmpty: form === '' }).toEqual({ key, isEmpty: false });
      }
    }
  });
});

describe('the catalogue', () => {
  it('speaks to German readers as “Sie”', () => {
    const familiar = keysOf(languages.de).filter((key) =>
      formsOf(entryOf(languages.de, key)).some((form) => /\b(?:du|dich|dir|dein\w*|euch|euer)\b/i.test(form)),
    );
    expect(familiar).toEqual([]);
  });

  it('has no text that nothing says', () => {
    const sources = readTree(repositoryRoot, ['src'], /\.tsx?$/).filter(({ path }) => !path.startsWith('src/texts/'));
    const used = new Set(sources.flatMap(({ text }) => [...text.matchAll(/'(\w+\.\w+)'/g)].map(([, key]) => key)));
    expect(keysOf(english).filter((key) => !used.has(key))).toEqual([]);
  });
});

/** Attributes and members that people read or hear; what stands between tags, the linter looks at. */
const forPeople =
  /\b(?:title|label|hint|legend|lead|heading|question|message|alt|placeholder|aria-label|show|close|otherwise|reason)(?:=\{?|: )["'`]\p{L}/u;

describe('pages', () => {
  it('have no text of their own', () => {
    const sources = readTree(repositoryRoot, ['src'], /\.tsx$/);
    const own = sources.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) => (forPeople.test(withoutKeys(line)) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
    );
    expect(own).toEqual([]);
    for (const line of ['<Field label="Your name" />', "message: 'must be a name',", 'show={`Show it`}']) {
      expect(forPeople.test(line)).toBe(true);
    }
  });
});

/** Without keys of the catalogue. */
function withoutKeys(line: string): string {
  return line.replace(/'\w+\.\w+'/g, '');
}

describe('texts for a reader', () => {
  it.each([
    ['', undefined, 'en'],
    ['de', undefined, 'de'],
    ['de-CH,de;q=0.9,en;q=0.8', undefined, 'de-CH'],
    ['fr-FR, fr;q=0.9, de;q=0.5, en;q=0.4', undefined, 'de'],
    ['en;q=0.4, de;q=0.5', undefined, 'de'],
    ['de;q=0, en;q=0.1', undefined, 'en'],
    ['fr', undefined, 'en'],
    ['*', undefined, 'en'],
    ['de;q=x', undefined, 'en'],
    ['constructor, __proto__', undefined, 'en'],
    ['de-Latn-DE-1996', undefined, 'de-DE'],
    ['de-\u0000', undefined, 'en'],
    [`${'x, '.repeat(300)}de`, undefined, 'en'],
    ['en', 'de', 'de'],
    ['de', 'en_GB', 'en-GB'],
    ['de', 'fr', 'de'],
    ['de', 'not a tag', 'de'],
  ])('of Accept-Language %j and the setting %j are in %s', (header, setting, tag) => {
    expect(textsFor(header, setting).tag).toBe(tag);
  });

  it('fill in what they are given, in the order of their sentence', () => {
    const t = textsFor('de');
    expect(t('signIn.title')).toBe('Anmelden');
    expect(t('signIn.continueWith', { provider: '{title} $& <b>' })).toBe('Weiter mit {title} $& <b>');
    const mark = { mark: true };
    expect(t.rich('signIn.toContinueTo', { application: mark })).toEqual(['weiter zu ', mark]);
  });

  it('count in the plural of their language', () => {
    const said = (language: string, count: number) => textsFor(language)('signIn.locked', { count, time: '12:00' });
    expect(said('en', 1)).toContain('in a minute');
    expect(said('en', 2)).toContain('in 2 minutes');
    expect(said('de', 1)).toContain('in einer Minute');
    expect(said('de', 1200)).toContain('in 1.200 Minuten');
  });

  it('write times, numbers and lists as their readers do', () => {
    const at = Date.UTC(2026, 10, 23, 17, 41);
    expect(textsFor('de').moment(at, 'Europe/Berlin')).toBe('23.11.2026, 18:41');
    expect(textsFor('en-GB').moment(at)).toBe('23 Nov 2026, 17:41 UTC');
    expect(textsFor('de').time(at)).toBe('17:41 UTC');
    expect(textsFor('de').number(12345.6)).toBe('12.345,6');
    expect(textsFor('de').list(['a', 'b', 'c'])).toBe('a, b und c');
    expect(textsFor('en').list(['a', 'b'], 'or')).toBe('a or b');
  });
});
